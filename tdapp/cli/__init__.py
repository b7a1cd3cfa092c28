"""The command line `tdapp VERB …`. After an error, it prints one sentence on standard error and exits with 2.

The module `arguments` declares the verbs (subcommands).
"""

from __future__ import annotations

import os
import shlex
import sys
from argparse import Action, ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, cast

from tdapp.cli.arguments import VERBS, Verb
from tdapp.cli.options import COMMON, NOTES, Option, make_option
from tdapp.domain.errors import InputError, StorageError, UserError

if TYPE_CHECKING:
    from tdapp.cli.program import Program
    from tdapp.exchange.cells import RowProblem
    from tdapp.i18n.catalogue import Catalogue

__all__ = [
    "TOP_LEVEL_OPTIONS",
    "VERBS",
    "add_options",
    "make_verb_parser",
    "parse_picture_arguments",
    "run_command_line",
]


def run_command_line(arguments: Sequence[str], *, resources: Path, servers_folder: Path | None = None) -> int:
    """Run a verb and return the exit code. `servers_folder` has the database servers of this computer."""
    options = parse_arguments(arguments)
    from tdapp.cli.program import Program

    program = Program(resources, language=options.lang, servers_folder=servers_folder)
    try:
        code, outcome = _run_verb(program, options), "done"
    except UserError as error:
        code, outcome = (
            print_error(error, program.catalogue, as_json=options.json),
            program.catalogue.describe_error(error),
        )
    except OSError as error:
        if error.filename is None:  # not about a file
            raise
        refusal = StorageError("disk-error", path=str(error.filename), detail=str(error))
        code, outcome = print_error(refusal, program.catalogue), program.catalogue.describe_error(refusal)
    if options.log is not None:
        from tdapp.storage.address import remove_passwords

        _write_log(options.log, [remove_passwords(argument) for argument in arguments], code, outcome)
    return code


def _run_verb(program: Program, options: Namespace) -> int:
    with ExitStack() as stack:
        if options.quiet:
            null_file = stack.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
            stack.enter_context(redirect_stdout(null_file))
        result = VERBS[options.verb].load_function()(program, options)
    document, code = result if isinstance(result, tuple) else (result, 0)
    if options.json and document is not None:
        from tdapp.cli.output import print_json

        print_json(document)
    return int(code)


def _write_log(log: Path, arguments: Sequence[str], code: int, outcome: str) -> None:
    line = f"{datetime.now(UTC).isoformat(timespec='seconds')} {code} tdapp {shlex.join(arguments)}: {outcome}\n"
    try:
        with log.open("a", encoding="utf-8") as file:
            file.write(line)
    except OSError as error:
        print(f"{log}: {error.strerror}", file=sys.stderr)


def print_error(error: UserError, catalogue: Catalogue, *, as_json: bool = False) -> int:
    """Print an error on standard error and return 2. With `as_json`, print problems of a refused file as JSON."""
    print(catalogue.describe_error(error), file=sys.stderr)
    if isinstance(error, InputError) and "others" in error.facts:
        problems = cast("Sequence[RowProblem]", error.facts["problems"])
        texts = [
            catalogue.describe_error(problem.make_input_error(error.source, problem.line)) for problem in problems
        ]
        for text in texts[1:]:
            print(text, file=sys.stderr)
        if as_json:
            from tdapp.cli.json_types import LineProblemJson, RefusedFileProblemsJson
            from tdapp.cli.output import print_json

            rows = zip(problems, texts, strict=True)
            print_json(
                RefusedFileProblemsJson(
                    [LineProblemJson(problem.line, problem.field, problem.code, text) for problem, text in rows]
                )
            )
    return 2


class _CommandLineParser(ArgumentParser):
    """Reports an error in one line, and hides typed passwords."""

    def error(self, message: str) -> NoReturn:
        from tdapp.storage.address import remove_passwords

        self.exit(2, f"{self.prog}: {remove_passwords(message)} ({self.prog} --help tells more)\n")


class _VersionsAction(Action):
    def __call__(self, parser: ArgumentParser, *_values: object) -> None:
        from tdapp.versions import map_software_versions

        print("\n".join(f"{name} {version}" for name, version in map_software_versions().items()))
        parser.exit()


TOP_LEVEL_OPTIONS: tuple[Option, ...] = (
    make_option(
        "--version", action=_VersionsAction, nargs=0, help="print the versions of tdapp and its libraries"
    ),
    make_option("--self-test", action="store_true", help="test every part of the program and report what works"),
)


def parse_arguments(arguments: Sequence[str]) -> Namespace:
    """Return the parsed arguments. Raises SystemExit after help or an error."""
    verb_index = _find_verb_index(arguments)
    verb_arguments = arguments[verb_index : verb_index + 1]
    if verb_arguments and verb_arguments[0] in VERBS:
        verb = verb_arguments[0]
    else:
        verb = _make_top_parser().parse_args(verb_arguments).verb
    return make_verb_parser(verb).parse_intermixed_args(
        [*arguments[:verb_index], *arguments[verb_index + 1 :]], Namespace(verb=verb)
    )


def _make_top_parser() -> ArgumentParser:
    top = _CommandLineParser(
        prog="tdapp",
        description="Run Scrabble tournaments. Without a verb: open the window, on FILE if given.",
        epilog=_format_verb_list() + "\n" + NOTES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    for names, settings in TOP_LEVEL_OPTIONS:
        top.add_argument(*names, **settings)  # type: ignore[arg-type]
    top.add_argument(
        "verb",
        type=_get_verb_name_or_refuse,
        metavar="VERB",
        help="one of the verbs below; “tdapp VERB --help” explains it",
    )
    return top


def _format_verb_list() -> str:
    from textwrap import TextWrapper

    width = max(map(len, VERBS)) + 2
    wrapper = TextWrapper(width=100, subsequent_indent=" " * (width + 2))
    return "\n".join(wrapper.fill(f"  {name:{width}}{verb.help}") for name, verb in VERBS.items())


def _find_verb_index(arguments: Sequence[str]) -> int:
    is_flag = {name: "action" in settings for names, settings in COMMON for name in names}
    index = 0
    while index < len(arguments) and (name := arguments[index].partition("=")[0]) in is_flag:
        index += 1 if is_flag[name] or "=" in arguments[index] else 2
    return index


def _get_verb_name_or_refuse(name: str) -> str:
    if name not in VERBS:
        from difflib import get_close_matches

        matches = get_close_matches(name, VERBS, n=1)
        raise ArgumentTypeError(f"there is no “{name}”" + (f"; did you mean “{matches[0]}”?" if matches else ""))
    return name


def make_verb_parser(name: str) -> ArgumentParser:
    from tdapp.i18n.catalogue import get_language_from_environment

    verb = VERBS[name]
    parser = _CommandLineParser(prog=f"tdapp {name}", description=verb.help)
    for _ in add_options(parser, verb):
        pass
    parser.set_defaults(lang=get_language_from_environment(os.environ))
    return parser


def add_options(parser: ArgumentParser, verb: Verb) -> Iterator[Action]:
    for names, settings in (*COMMON, *verb.options):
        choices = settings.get("choices")
        resolved_settings = {**settings, "choices": tuple(map(str, choices()))} if callable(choices) else settings
        yield parser.add_argument(*names, **resolved_settings)  # type: ignore[arg-type]


def parse_picture_arguments(arguments: Sequence[str]) -> tuple[Path, Path]:
    """Return the tournament file and the picture file from the arguments of `tdapp picture`."""
    sub = ArgumentParser(prog="tdapp picture", description="save a picture of the window")
    sub.add_argument("file", type=Path, metavar="FILE")
    sub.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.png")
    options = sub.parse_args(arguments)
    return options.file, options.output
