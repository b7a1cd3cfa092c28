"""Printouts: functions from a Context to a section, drawn as PDF with ReportLab.

Six layouts: list (`layout`), grid (`grid`), card and poster (`cards`), form (`pen`, `gameform`), tree (`bracket`).
`tags` adds the PDF structure, `printed` tracks printouts, `registry` has the sets. Rendering is pure: the same
context gives the same bytes. No Qt, no SQL.
"""

from tdapp.reports.registry import REPORTS, bound, describe_emptiness, render
from tdapp.reports.report import Context, Report
from tdapp.reports.style import PAPERS, Style, load

__all__ = ["PAPERS", "REPORTS", "Context", "Report", "Style", "bound", "describe_emptiness", "load", "render"]
