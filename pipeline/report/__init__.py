"""The report: one self-contained page that says what got worse, question by question, and why."""

from pipeline.report.page import write_report

__all__ = ["write_report"]
