"""Sentences about new records: the achievement and the old record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from tdapp.domain.model import ListedRecord
from tdapp.domain.tables.news import Feat, NewsScope, RecordNews
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import capitalize_first


class NewsLine(Struct, frozen=True):
    """A new record: `what`, player, and `how`. `value` and `short` are for small places."""

    key: str
    what: str
    name: str
    how: str
    value: int
    short: str


def list_news_lines(catalogue: Catalogue, found: Iterable[RecordNews]) -> tuple[NewsLine, ...]:
    return tuple(_make_line(catalogue, one) for one in found)


def _make_line(catalogue: Catalogue, one: RecordNews) -> NewsLine:
    text, kind, source = catalogue.text, catalogue.code(one.feat.kind), one.before.source if one.before else ""
    what, short = {
        NewsScope.LISTED: (
            text("Record ({source}): {kind}", source=source, kind=kind),
            text("Record: {kind}", kind=kind),
        ),
        NewsScope.EVENT: (capitalize_first(kind), capitalize_first(kind)),
        NewsScope.OWN_LISTED: (text("Own record: {kind}", kind=kind), text("Own record")),
        NewsScope.OWN: (text("Own best so far"), text("Own best so far")),
    }[one.scope]
    what = what if source or one.scope is not NewsScope.LISTED else short
    return NewsLine(one.key, what, one.feat.player.name, _describe_feat(catalogue, one), one.feat.value, short)


def _describe_feat(catalogue: Catalogue, one: RecordNews) -> str:
    done = catalogue.describe_award(one.feat.kind, _list_facts(one.feat))
    return done if one.before is None else f"{done}. {_describe_old_record(catalogue, one.before, one.scope)}"


def _describe_old_record(catalogue: Catalogue, before: ListedRecord, scope: NewsScope) -> str:
    own = scope in {NewsScope.OWN, NewsScope.OWN_LISTED}
    holder = ", ".join(filter(None, ("" if own else before.name, before.date)))
    if holder:
        return catalogue.text("Before: {value} ({holder})", value=before.value, holder=holder)
    return catalogue.text("Before: {value}", value=before.value)


def _list_facts(feat: Feat) -> Mapping[str, object]:
    entry = feat.entry
    return {
        "n": feat.value,
        "score": feat.value,
        "word": feat.word,
        "points": entry.points,
        "against": entry.opponent_points,
        "margin": entry.margin,
        "opponent": feat.opponent,
        "round": entry.round,
    }
