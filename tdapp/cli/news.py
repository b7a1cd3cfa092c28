"""The verb on news: what became a record, and the list of records that could be broken."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from typing import Any

from tdapp.cli.program import Program, division_after
from tdapp.cli.ranking_documents import NewsJson
from tdapp.domain import commands
from tdapp.domain.tables import news as tables
from tdapp.exchange import record_lists
from tdapp.exchange.json_text import filled
from tdapp.exchange.text import read_file
from tdapp.i18n.news import lines


def news(program: Program, options: Namespace) -> object:
    """Keep a list of records, or none any more; show the news of a division."""
    change = options.list is not None or options.without
    with program.desk(options.file, read_only=not change) as desk:
        if change:
            kept = record_lists.read(read_file(options.list), options.list.name) if options.list else ()
            desk.do("keep-records", partial(commands.keep_records, records=kept))
        found = tables.news(desk.index, division_after(desk.index, options), options.after)
    told = lines(program.catalogue, found)
    if not options.json:
        for one in told:
            print(f"{one.what}: {one.name} – {one.how}")
        if not told:
            print(program.catalogue.text("No news yet."))
    return [_news_json(one, said.what, said.how) for one, said in zip(found, told, strict=True)]


def _news_json(one: tables.RecordNews, what: str, how: str) -> dict[str, Any]:
    feat, before = one.feat, one.before
    broken = {"before": before.value if before else None, "source": before.source if before else ""}
    rows = (one, feat, feat.entry, feat.player)
    return filled(NewsJson, *rows, player=feat.player.number, what=what, how=how, **broken)
