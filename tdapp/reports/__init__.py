"""Printouts. A report makes a section from a `ReportContext`; ReportLab draws it as PDF.

The six layouts are list (`layout`), grid (`grid`), card and poster (`cards`), form (`pen`, `gameform`), tree
(`bracket`).
"""

from tdapp.reports.registry import REPORTS, explain_empty_report, render_report, render_reports_and_count_pages
from tdapp.reports.report import Report, ReportContext
from tdapp.reports.style import PAPERS, PrintStyle, load_style

__all__ = [
    "PAPERS",
    "REPORTS",
    "PrintStyle",
    "Report",
    "ReportContext",
    "explain_empty_report",
    "load_style",
    "render_report",
    "render_reports_and_count_pages",
]
