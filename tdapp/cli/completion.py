"""Shell completion and manual page, made from the declarations of the verbs."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from shlex import quote
from typing import NamedTuple

from tdapp import __version__
from tdapp.cli import FURTHER, allowed, verb_parser
from tdapp.cli.arguments import VERBS
from tdapp.cli.options import COMMON, NOTES, Option
from tdapp.cli.program import Program

Words = Iterable[tuple[str, str]]  # each with its meaning, or empty

_BASH = """_tdapp() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words= IFS=$' \\t\\n'
  case "$((COMP_CWORD + 1)) ${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD-1]}} $word" in
{cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  IFS=$'\\n'
  if [ ${{#COMPREPLY[@]}} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$word")); fi
}}
complete -o filenames -F _tdapp tdapp
"""
_ZSH = """#compdef tdapp
_tdapp() {{
  local -a found
  case "$CURRENT $words[2] $words[CURRENT-1] $PREFIX" in
{cases}
  esac
  (( $#found )) && _describe tdapp found
  [[ $PREFIX == -* ]] || _files
}}
if [ "$funcstack[1]" = _tdapp ]; then _tdapp "$@"; else compdef _tdapp tdapp; fi
"""


class _Word(NamedTuple):
    """An option or a positional argument of a verb; `values` is empty if any value is valid."""

    names: tuple[str, ...]
    help: str
    values: tuple[str, ...]
    flag: bool  # flag without a value


def completion(_program: Program, options: Namespace) -> None:
    """Print the completion script of a shell."""
    print(SHELLS[options.shell](), end="")


def man(_program: Program, _options: Namespace) -> None:
    """Print the manual page for `man`."""
    print("\n".join(_manual_page()))


def _option_words(options: Iterable[Option]) -> list[_Word]:
    return [
        _Word(
            tuple(name for name in names if name.startswith("-")),
            str(how.get("help", "")),
            tuple(map(str, allowed(how) or ())),
            str(how.get("action", "")).startswith("store_"),
        )
        for names, how in options
    ]


def _verb_words() -> Words:
    yield from ((name, verb.help) for name, verb in VERBS.items())
    yield from ((name, one.help) for one in _option_words(FURTHER) for name in one.names)


# --- shells


def _bash_script() -> str:
    return _BASH.format(cases=_case_lines(lambda words: f"words={quote(' '.join(word for word, _ in words))}"))


def _zsh_script() -> str:
    def shown(words: Words) -> str:
        return f"found=({' '.join(quote(f'{word}:{told}' if told else word) for word, told in words)})"

    return _ZSH.format(cases=_case_lines(shown))


def _case_lines(shown: Callable[[Words], str]) -> str:
    lines = [f"    2\\ *) {shown(_verb_words())} ;;"]
    for verb, declared in VERBS.items():
        words = _option_words((*declared.options, *COMMON))
        for one in words:
            at = "|".join(f"*\\ {verb}\\ {name}\\ *" for name in one.names)
            if one.names and not one.flag:
                lines.append(f"    {at}) {shown((value, '') for value in one.values)} ;;")
        lines.append(f"    *\\ {verb}\\ *\\ -*) {shown((n, one.help) for one in words for n in one.names)} ;;")
        for place, one in enumerate((one for one in words if not one.names), start=3):
            if one.values:
                lines.append(f"    {place}\\ {verb}\\ *) {shown((value, '') for value in one.values)} ;;")
    return "\n".join(lines)


def _fish_script() -> str:
    lines = [
        f"complete -c tdapp -n __fish_use_subcommand -a {word} -d {quote(told)}" for word, told in _verb_words()
    ]
    for verb, declared in VERBS.items():
        when = f"complete -c tdapp -n '__fish_seen_subcommand_from {verb}'"
        for one in _option_words((*declared.options, *COMMON)):
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in one.names)
            values = f"-xa {quote(' '.join(one.values))}" if one.values else "" if one.flag else "-r"
            if names or one.values:
                lines.append(" ".join(filter(None, (when, names, values, f"-d {quote(one.help)}"))))
    return "\n".join(lines) + "\n"


SHELLS = {"bash": _bash_script, "zsh": _zsh_script, "fish": _fish_script}


# --- the page of the manual


def _manual_page() -> Iterator[str]:
    yield f'.TH TDAPP 1 "" "tdapp {__version__}"'
    yield from (".ad l", ".SH NAME", "tdapp \\- run Scrabble tournaments")
    yield from (".SH SYNOPSIS", ".B tdapp", "[\\fIFILE\\fR | \\fIVERB\\fR ...]")
    yield from (
        ".SH DESCRIPTION",
        "Without a verb the window opens, on \\fIFILE\\fR or on nothing.",
        _escape_roff(NOTES),
    )
    yield ".SH OPTIONS"
    for one in _option_words((*FURTHER, *COMMON)):
        yield from _told_of(one)
    yield ".SH VERBS"
    for name, verb in VERBS.items():
        usage = " ".join(verb_parser(name).format_usage().removeprefix("usage: ").split())
        yield from (
            f'.SS "{name}"',
            _escape_roff(f"{verb.help[0].upper()}{verb.help[1:]}."),
            ".PP",
            _escape_roff(usage),
        )
        for one in _option_words(verb.options):
            yield from _told_of(one)
    yield from (
        ".SH EXIT STATUS",
        "0: done. 1: judge or referee found something.",
        "2: one line on standard error says what to mend; nothing was changed.",
    )


def _told_of(word: _Word) -> Iterator[str]:
    if word.names and word.help:
        yield from (".TP", f".B {_escape_roff(', '.join(word.names))}", _escape_roff(word.help))


def _escape_roff(text: str) -> str:
    r"""Return a text escaped for roff.

    >>> _escape_roff("a-b\n.c") 'a\\-b\n\\&.c'
    """
    escaped = text.strip().replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line[:1] in {".", "'"} else line for line in escaped.split("\n"))
