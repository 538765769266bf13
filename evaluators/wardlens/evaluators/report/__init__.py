"""The report for people: one HTML file that needs nothing else."""

from wardlens.evaluators.report.html import report_html

__all__ = ["report_html"]
