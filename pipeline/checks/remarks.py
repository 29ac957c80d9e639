"""What is valid, and yet worth a look: it goes into the manifest as a note."""

from collections.abc import Callable, Iterable
from itertools import chain

from pipeline.checks.ids import Lookalikes, show
from pipeline.checks.references import References
from pipeline.checks.responses import NO_CLAIMS
from pipeline.contract.records import Part, Question, Response

SHOWN = 10
"""Near misses that a note quotes."""


def citation_notes(part: Part[Response], documents: References) -> list[str]:
    """Count citations of documents that the corpus lacks, and quote those that come near."""
    claims = chain.from_iterable(row.claims or NO_CLAIMS for row in part.rows)
    unknown = [text for claim in claims for text in claim.citations if text not in documents.known]
    if not unknown:
        return []
    distinct = sorted(set(unknown))
    note = f"citations of documents that the corpus lacks: {len(unknown)}, of {len(distinct)} ids"
    return [note + _near(distinct, documents.hint)]


def claim_notes(part: Part[Response], questions: Part[Question]) -> list[str]:
    """Quote claim ids of answers that are no label anywhere but come near one."""
    known = {
        claim for row in questions.rows for claim in (*(row.support or ()), *(row.claims or ()))
    }
    known |= {
        mark.claim_id for row in questions.rows for mark in row.evidence or () if mark.claim_id
    }
    made = {claim.claim_id for row in part.rows for claim in row.claims or NO_CLAIMS}
    near = _near(sorted(made - known), Lookalikes(known).hint)
    return ["claims that no label knows" + near] if near else []


def _near(texts: Iterable[str], hint: Callable[[str], str]) -> str:
    near = [show(text) + hinted for text in texts if (hinted := hint(text))]
    more = f" and {len(near) - SHOWN} more" if len(near) > SHOWN else ""
    return "; near misses: " + ", ".join(near[:SHOWN]) + more if near else ""
