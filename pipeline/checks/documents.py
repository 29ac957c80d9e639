"""Checks of the corpus, and its coded table."""

import polars as pl

from pipeline.checks.columns import pairs, sorted_lists
from pipeline.checks.groups import check_id, check_names
from pipeline.checks.ids import Rule, label
from pipeline.checks.report import Report
from pipeline.checks.texts import check_attributes, check_date, check_text
from pipeline.contract.errors import Fault
from pipeline.contract.records import Document, Part
from pipeline.contract.tables import Documents


def check_documents(part: Part[Document], rule: Rule) -> list[Fault]:
    """List every fault of the documents by themselves."""
    report = Report(part, lambda document: label(document.doc_id))
    first: dict[str, int] = {}
    for row, document in enumerate(part.rows):
        before = first.setdefault(document.doc_id, row)
        if before != row:
            report.add(row, "each doc_id once", f"it again, first on {report.place(before, row)}")
        _check(report, row, document, rule)
    if not part.rows and not part.lost:
        return [Fault("documents", None, None, "one document or more", "none")]
    return report.faults


def _check(report: Report[Document], row: int, document: Document, rule: Rule) -> None:
    check_id(report, row, "doc_id", document.doc_id, rule)
    if document.text is None:
        report.add(row, "text", "none")
    check_text(report, row, "text", document.text, some=True)
    if document.title is not None:
        check_text(report, row, "title", document.title, some=False)
    if document.provider is not None:
        check_text(report, row, "provider", document.provider, some=False)
    if document.version is not None:
        check_id(report, row, "version", document.version)
    if document.date is not None:
        check_date(report, row, "date", document.date)
    if document.access_groups:
        check_names(report, row, "access_groups", document.access_groups)
    if document.attributes:
        check_attributes(report, row, document.attributes)


def document_table(part: Part[Document]) -> pl.DataFrame:
    """Checked documents -> Documents."""
    rows = sorted(part.rows, key=lambda document: document.doc_id)
    return pl.DataFrame(
        {
            "doc": range(len(rows)),
            "doc_id": [row.doc_id for row in rows],
            "version": [row.version for row in rows],
            "text": [row.text for row in rows],
            "title": [row.title for row in rows],
            "date": [row.date for row in rows],
            "provider": [row.provider for row in rows],
            "access_groups": sorted_lists([row.access_groups for row in rows]),
            "attributes": pairs([row.attributes for row in rows]),
        },
        schema=Documents.schema,
    )
