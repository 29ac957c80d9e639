from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.errors import ConfigError
from pipeline.verbs.show import LIMIT, main
from pipeline.verbs.terminal.text import cells
from tests.finished import finish, hand_in


@pytest.fixture(scope="module")
def fixture_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fixture")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DVC_ROOT", str(folder))
        return finish(folder / "data")


@pytest.fixture(autouse=True)
def _terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")


class Shown:
    """What `show` prints for the words of a command line."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, data: Path, *words: str) -> list[str]:
        assert main(list(words), data) == 0
        lines = self.capsys.readouterr().out.splitlines()
        assert all(cells(line) <= 80 for line in lines)
        return lines


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Shown:
    return Shown(capsys)


DOCUMENTS: list[dict[str, Any]] = [
    {"doc_id": "a", "title": "First", "text": "Alpha is first. Beta follows."},
    {"doc_id": "b", "text": "Only for the board.", "access_groups": ["board"]},
    {"doc_id": "c", "text": "Gamma \x1b[2J is third."},
]


def opened(folder: Path, question: dict[str, Any], *said: dict[str, Any], **how: Any) -> Path:
    """A finished run over one question `q` and one system `A`, or as `said` has it."""
    base = {"system": "A", "question_id": "q", "retrieved": ["a", "b", "c"], "claims": []}
    source = hand_in(
        folder / "in",
        documents=DOCUMENTS,
        questions=[{"question_id": "q", "text": "What is first?"} | question],
        responses=[base | one for one in said],
    )
    return finish(folder / "data", source, **how)


SETTLED: dict[str, Any] = {"relevant": ["a"], "support": {"alpha": ["a"]}}
RIGHT = [{"claim_id": "alpha", "citations": ["a"]}]


def test_a_question_is_opened_with_labels_context_claims_and_values(
    fixture_run: Path, shown: Shown
) -> None:
    assert shown(fixture_run, "owner", "--system", "A") == [
        "owner",
        "  At whose desk does the alert ring?",
        "",
        "labels",
        "  relevant: owners",
        "  expected claim aurora",
        "    supported by owners",
        "",
        "system A",
        "  context: 2 chunks, k = 2, inferred from the ranking",
        "     1 archive, not relevant",
        "       Minutes of a project that ended years ago; kept for the record.",
        "     2 owners, relevant",
        "       Pager list (invented): this alert rings at the Aurora desk.",
        "  claims",
        "    aurora: does not count; cites archive, which is not labelled for this claim",
        "  P@2 0.50, R@2 1.00, RR@2 0.50, support 0.00, coverage 0.00,",
        "  false abstention no",
        "  n/a, answerable: abstention",
        "  went wrong: miscited",
    ]


def test_every_system_is_shown_unless_one_is_named(fixture_run: Path, shown: Shown) -> None:
    lines = shown(fixture_run, "launch")
    assert [line for line in lines if line.startswith("system")] == ["system A", "system B"]
    assert "    bonus: does not count; no label expects this claim (it cites launch)" in lines


def test_an_unanswerable_question_says_so_and_abstaining_is_right(
    fixture_run: Path, shown: Shown
) -> None:
    lines = shown(fixture_run, "region", "--system", "B")
    assert "  unanswerable: no document is relevant" in lines
    assert "  no claim was made" in lines
    assert "  abstention yes" in lines


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (("alpha", ["a"]), "counts; cites a, labelled for this claim and visible"),
        (("alpha", []), "does not count; it cites nothing"),
        (("alpha", ["nowhere"]), "does not count; cites nowhere, which is not in the corpus"),
        (
            ("late", ["c"]),
            "does not count; cites c, which is labelled for this claim, but not visible",
        ),
        (("alpha", ["b"]), "does not count; cites b, which is not labelled for this claim"),
        (("other", []), "does not count; no label expects this claim"),
        (("other", ["a"]), "does not count; no label expects this claim (it cites a)"),
    ],
)
def test_each_claim_says_why_it_counted_or_not(
    tmp_path: Path, shown: Shown, claim: tuple[str, list[str]], why: str
) -> None:
    labels = {"relevant": ["a", "c"], "support": {"alpha": ["a"], "late": ["c"]}}
    made = [{"claim_id": claim[0], "citations": claim[1]}]
    lines = shown(opened(tmp_path, labels, {"claims": made}), "q")
    after = " ".join(line.strip() for line in lines[lines.index("  claims") + 1 :])
    assert after.startswith(f"{claim[0]}: {why} ")


def test_expected_claims_that_were_not_made_are_named(tmp_path: Path, shown: Shown) -> None:
    labels = {"relevant": ["a"], "support": {"alpha": ["a"], "beta": ["a"]}}
    lines = shown(opened(tmp_path, labels, {"claims": RIGHT}), "q")
    assert "    beta: expected, not made" in lines


def test_claims_have_their_words_where_the_set_gives_them(tmp_path: Path, shown: Shown) -> None:
    labels = SETTLED | {"claims": {"alpha": "The first letter is alpha"}}
    lines = shown(opened(tmp_path, labels, {"claims": RIGHT}), "q")
    assert "  expected claim alpha: The first letter is alpha" in lines
    assert "  relevant: a “First”" in lines


def test_a_leak_is_marked_where_it_happened_and_named_at_the_end(
    tmp_path: Path, shown: Shown
) -> None:
    lines = shown(opened(tmp_path, SETTLED | {"caller_groups": ["staff"]}, {}), "q")
    assert "     2 b, LEAK: who asks may not read it" in lines
    assert lines[-1] == "  leaked: b"
    assert "  asked by staff" in lines


def test_disputes_say_who_said_what_and_what_it_comes_to(tmp_path: Path, shown: Shown) -> None:
    marks = [
        {"doc_id": "a", "claim_id": "alpha", "annotator": "x", "start": 0, "end": 15},
        {"doc_id": "a", "claim_id": "alpha", "annotator": "y", "grade": 2},
        {"doc_id": "c", "claim_id": "gamma", "annotator": "y"},
    ]
    votes = {"annotators": ["x", "y"], "evidence": marks}
    made = [*RIGHT, {"claim_id": "gamma", "citations": ["c"]}]
    lines = shown(opened(tmp_path, votes, {"claims": made}, cutoff=3), "q")
    assert "labels by x, y" in lines
    assert "  relevant: c, say 1 of 2 annotators: in dispute" in lines
    assert "  x: a for alpha, characters 0 to 15" in lines
    assert "    “Alpha is first.”" in lines
    assert "  y: a for alpha, grade 2" in lines
    assert "    gamma: open; cites c, whose label for this claim is in dispute" in lines
    assert "     3 c, relevance in dispute" in lines
    assert any("support (0.50 to 1.00)" in line for line in lines)


def test_a_failed_answer_says_what_failed_and_which_values_went_with_it(
    tmp_path: Path, shown: Shown
) -> None:
    failure = {"status": "failed", "error": "timeout \x1b[31m", "claims": None, "retrieved": None}
    lines = shown(opened(tmp_path, SETTLED, failure), "q")
    assert r"  failed: timeout \x1b[31m" in lines
    assert "  context: not known, the ranking was not stored" in lines
    assert "  n/a, failed: P@2, R@2, RR@2, support, coverage, false abstention" in lines
    assert "  went wrong: the system gave no answer" in lines


def test_a_question_nobody_labelled_says_so(tmp_path: Path, shown: Shown) -> None:
    lines = shown(opened(tmp_path, {}, {}), "q")
    assert "not labelled: nobody said which documents are relevant" in lines
    assert "     1 a, not labelled" in lines


def test_a_question_held_out_says_how_often_it_was_looked_at(tmp_path: Path, shown: Shown) -> None:
    lines = shown(opened(tmp_path, SETTLED | {"split": "heldout"}, {}, split="heldout"), "q")
    assert "  held-out question, opened 1 time" in lines


def test_escapes_in_texts_never_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = {"text": "\x1b]0;title\x07 what?\u202e", "content_note": "\x9b31m"} | SETTLED
    data = opened(tmp_path, odd, {"answer": "\x1b[2J\rgone", "claims": RIGHT}, cutoff=3)
    for words in (["q"], ["q", "--full"]):
        assert main(words, data) == 0
        out = capsys.readouterr().out
        assert not set(out) & {"\x1b", "\x9b", "\x07", "\r", "\u202e"}


def test_long_texts_are_clipped_with_a_note_unless_asked_for_in_full(
    tmp_path: Path, shown: Shown
) -> None:
    data = opened(tmp_path, SETTLED, {"answer": "word " * 400, "claims": RIGHT})
    note = f"    [… {5 * 400 - LIMIT:,} characters more: --full shows them]"
    assert note in shown(data, "q")
    full = shown(data, "q", "--full")
    assert note not in full
    assert " ".join(full).count("word") == 400


def test_one_repeat_can_be_chosen(tmp_path: Path, shown: Shown) -> None:
    data = opened(tmp_path, SETTLED, {"claims": RIGHT}, {"claims": [], "repeat": 2})
    heads = [line for line in shown(data, "q") if line.startswith("system")]
    assert heads == ["system A, repeat 1", "system A, repeat 2"]
    assert "  no claim was made" in shown(data, "q", "--repeat", "2")


def test_an_id_that_looks_like_an_option_goes_behind_two_dashes(
    tmp_path: Path, shown: Shown
) -> None:
    data = opened(tmp_path, SETTLED | {"question_id": "-q"}, {"question_id": "-q"})
    assert shown(data, "--", "-q")[0] == "-q"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["lunch"], "show: expected one of the run's 4 questions (did you mean 'launch'?), got"),
        (["owner", "--system", "C"], "show --system: expected one of A, B"),
        (["owner", "--repeat", "7"], "show --repeat: expected one of 1, got 7"),
        (["owner", "--repeat", "x"], "show: expected usage: python -m pipeline show"),
        ([], "show: expected usage: python -m pipeline show"),
        (["-owner"], "an id that begins with - goes behind --"),
    ],
)
def test_a_wrong_word_is_one_line_with_what_is_right(
    fixture_run: Path, words: list[str], message: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        main(words, fixture_run)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_wrong_word_cannot_act_on_the_terminal(fixture_run: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        main(["lau\x1b[2Jnch"], fixture_run)
    assert "\x1b" not in str(refused.value)


def test_without_a_run_it_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        main(["q"], tmp_path / "data")
    assert str(refused.value) == (
        "show: expected a finished run in data/, got none; run `python -m pipeline` first"
    )
