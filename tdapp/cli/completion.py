"""Shell completion, made by shtab, and a manual page."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tdapp import __version__
from tdapp.cli import TOP_LEVEL_OPTIONS, add_options, make_verb_parser
from tdapp.cli.arguments import VERBS
from tdapp.cli.options import COMMON, NOTES, Option
from tdapp.cli.program import Program

# Complete file names as verbs too, because the window opens files.
_ZSH = """functions[_tdapp_verbs]=$functions[_shtab_tdapp_commands]
_shtab_tdapp_commands() { _tdapp_verbs; _files }"""
_FISH = "complete -c tdapp -n 'test (count (commandline -opc)) -eq 1' -F"


class _OptionHelp(NamedTuple):
    names: tuple[str, ...]
    help: str


def print_completion_script(_program: Program, options: Namespace) -> None:
    import shtab

    preamble = _ZSH if options.shell == "zsh" else ""
    script = shtab.complete(_make_completion_parser(shtab.FILE), options.shell, preamble=preamble)
    print(script, _FISH if options.shell == "fish" else "", sep="\n")


def _make_completion_parser(file_completion: object) -> ArgumentParser:
    parser = ArgumentParser(prog="tdapp")
    for names, settings in TOP_LEVEL_OPTIONS:
        parser.add_argument(*names, **settings)  # type: ignore[arg-type]
    verbs = parser.add_subparsers()
    for name, verb in VERBS.items():
        for action in add_options(verbs.add_parser(name, help=verb.help), verb):
            if action.choices is None and action.nargs != 0:
                action.complete = file_completion  # type: ignore[attr-defined]
    return parser


def print_manual_page(_program: Program, _options: Namespace) -> None:
    print("\n".join(_format_manual_page_lines()))


def _list_option_help(options: Iterable[Option]) -> list[_OptionHelp]:
    return [
        _OptionHelp(tuple(name for name in names if name.startswith("-")), str(settings.get("help", "")))
        for names, settings in options
    ]


# --- the manual page


def _format_manual_page_lines() -> Iterator[str]:
    yield f'.TH TDAPP 1 "" "tdapp {__version__}"'
    yield from (".ad l", ".SH NAME", "tdapp \\- run Scrabble tournaments")
    yield from (".SH SYNOPSIS", ".B tdapp", "[\\fIFILE\\fR | \\fIVERB\\fR ...]")
    yield from (
        ".SH DESCRIPTION",
        "Without a verb the window opens, on \\fIFILE\\fR or on nothing.",
        _escape_roff(NOTES),
    )
    yield ".SH OPTIONS"
    for option in _list_option_help((*TOP_LEVEL_OPTIONS, *COMMON)):
        yield from _format_option_lines(option)
    yield ".SH VERBS"
    for name, verb in VERBS.items():
        usage = " ".join(make_verb_parser(name).format_usage().removeprefix("usage: ").split())
        yield from (
            f'.SS "{name}"',
            _escape_roff(f"{verb.help[0].upper()}{verb.help[1:]}."),
            ".PP",
            _escape_roff(usage),
        )
        for option in _list_option_help(verb.options):
            yield from _format_option_lines(option)
    yield from (
        ".SH EXIT STATUS",
        "0: done. 1: judge or referee found something.",
        "2: one line on standard error says what to mend; nothing was changed.",
    )


def _format_option_lines(option: _OptionHelp) -> Iterator[str]:
    if option.names and option.help:
        yield from (".TP", f".B {_escape_roff(', '.join(option.names))}", _escape_roff(option.help))


def _escape_roff(text: str) -> str:
    r"""Escape text for roff.

    >>> _escape_roff("a-b\n.c") 'a\\-b\n\\&.c'
    """
    escaped = text.strip().replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line[:1] in {".", "'"} else line for line in escaped.split("\n"))
