"""Printouts: reports made from read models and drawn as PDF with ReportLab.

A report is a function from a Context to a section in one of six layouts: list (`layout`), grid (`grid`), card
(`cards`), form (`pen`, `gameform`), tree (`bracket`), poster (`cards`). All draw with `pen`; `tags` adds the PDF
structure. `render` is pure: the same context gives the same bytes. `printed` tracks printouts and stale ones,
`registry` sets of reports. No Qt, no SQL.
"""

from tdapp.reports.registry import REPORTS, bound, has_content, render
from tdapp.reports.report import Context, Report
from tdapp.reports.style import PAPERS, Style, load

__all__ = ["PAPERS", "REPORTS", "Context", "Report", "Style", "bound", "has_content", "load", "render"]
