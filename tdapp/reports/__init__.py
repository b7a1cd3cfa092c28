"""Printouts: functions from a `Context` to a section, drawn as PDF with ReportLab.

There are six layouts: list (`layout`), grid (`grid`), card and poster (`cards`), form (`pen`, `gameform`), tree
(`bracket`). The same context gives the same bytes. No Qt, no SQL.
"""

from tdapp.reports.registry import REPORTS, describe_emptiness, render_report, render_reports
from tdapp.reports.report import Context, Report
from tdapp.reports.style import PAPERS, Style, load_style

__all__ = [
    "PAPERS",
    "REPORTS",
    "Context",
    "Report",
    "Style",
    "describe_emptiness",
    "load_style",
    "render_report",
    "render_reports",
]
