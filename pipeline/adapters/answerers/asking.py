"""Words that ask instead of naming what is asked for."""

ENGLISH = frozenset(
    {
        "about", "am", "can", "could", "did", "do", "does", "from", "had", "has", "have", "he",
        "her", "him", "his", "how", "i", "it", "its", "many", "may", "me", "might", "mine", "much",
        "must", "my", "our", "shall", "she", "should", "their", "them", "they", "us", "we", "what",
        "when", "where", "which", "who", "whom", "whose", "why", "will", "would", "you", "your",
    }
)  # fmt: skip
"""Question words, pronouns, auxiliaries: rare in texts that inform, and so of great weight if
they were left in, though no answer has to repeat them."""
