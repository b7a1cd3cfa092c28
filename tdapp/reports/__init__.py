"""Everything that is printed: reports made from read models, drawn as PDF; hides ReportLab.

A report is a function from a Context to a section in one of six layouts: list (`layout`), grid (`grid`), card
(`cards`), form (`pen`, `gameform`), tree (`bracket`), poster (`cards`); what these draw goes
through `pen`, and `tags` says what it is. `render` is pure: the same context, the same bytes. `printed` knows
what was printed and what is stale, `registry` what belongs together. No Qt, no SQL.
"""

from tdapp.reports.registry import REPORTS, bound, has_content, render
from tdapp.reports.report import Context, Report
from tdapp.reports.style import PAPERS, Style, load

__all__ = ["PAPERS", "REPORTS", "Context", "Report", "Style", "bound", "has_content", "load", "render"]
