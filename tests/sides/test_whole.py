"""A side is looked at whole before it is compared; what is broken is named."""

from pathlib import Path

import pytest

from pipeline.contract.errors import ConfigError
from pipeline.contract.results import PerQuestion
from pipeline.contract.tables import Documents, Questions, Statements, read, write
from pipeline.sides.folder import one_in
from tests.finished import finish


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    return finish(tmp_path / "data")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("score/per_question.parquet", None, "per_question.parquet: no such file"),
        ("score/aggregates.parquet", None, "aggregates.parquet: no such file"),
        ("freeze/questions.parquet", b"", "questions.parquet: parquet: File out of spec"),
        ("answer/answers.parquet", b"PAR1", "answers.parquet: parquet: File out of spec"),
        ("score/identity.json", b"{}", "identity.json: Object missing required field"),
        ("score/identity.json", b"\xff", "identity.json: 'utf-8' codec can't decode"),
        ("score/settings.json", b"[]", "settings.json: Expected `object`, got `array`"),
        ("freeze/manifest.json", b"{", "manifest.json: Expecting property name"),
        ("judge/settings.json", None, "data/judge/settings.json; make them anew"),
        ("judge/settings.json", b"{}", "settings.json: Object missing required field `judge`"),
    ],
)
def test_a_broken_file_is_refused_by_name(
    data: Path, name: str, content: bytes | None, said: str
) -> None:
    file = data / name
    file.unlink() if content is None else file.write_bytes(content)
    with pytest.raises(ConfigError, match="dir:data: expected the results of a finished") as told:
        one_in(data, "dir:data", "A")
    assert said in str(told.value)


def test_rankings_at_cutoffs_have_to_be_there_where_they_were_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    data = finish(tmp_path / "data", cutoffs=[1, 5])
    assert one_in(data, "dir:data", "A").parts["cutoffs"] == [1, 5]
    (data / "score" / "ranked.parquet").unlink()
    with pytest.raises(ConfigError, match=r"ranked\.parquet: no such file"):
        one_in(data, "dir:data", "A")


def test_files_that_do_not_go_with_each_other_are_refused(data: Path) -> None:
    for folder, table, said in (
        ("freeze", Documents, "0 documents where its manifest has 5"),
        ("freeze", Questions, r"over other questions than its own \(launch, owner"),
        ("judge", Statements, "0 rows of A in judge/statements where 4 were scored"),
        ("score", PerQuestion, "no scores of A"),
    ):
        whole = read(data / folder, table)
        write(data / folder, table, whole.clear())
        with pytest.raises(ConfigError, match=said):
            one_in(data, "dir:data", "A")
        write(data / folder, table, whole)
    assert one_in(data, "dir:data", "A").system == "A"
