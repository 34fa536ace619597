"""Arguments that the parser reads and then drops, kept in the tree so that they are judged too.

For some functions sqlglot builds a node of fewer arguments than are written: of
`DATE_FORMAT(a, b, c)` it keeps two, and the engine would compute the third unseen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

DROPPED = "dropped"
"""Where a function node's `meta` keeps what the parser made no use of."""

_Builder = Callable[..., Any]


def keeping(parser: Any) -> Any:
    """Return a parser class that is like another and drops no argument of a function."""
    wrapped = {name: _keeping(build) for name, build in parser.FUNCTIONS.items()}
    special = {name: _hearing(parse) for name, parse in parser.FUNCTION_PARSERS.items()}
    return type(parser.__name__, (parser,), {"FUNCTIONS": wrapped, "FUNCTION_PARSERS": special})


def _keeping(build: _Builder) -> _Builder:
    def build_whole(args: list[Any], **options: Any) -> Any:
        written = list(args)
        built = build(args, **options)
        for argument in written:
            if not _is_within(argument, built):
                _keep(built, argument)
        return built

    return build_whole


def _hearing(parse: _Builder) -> _Builder:
    """Return a parser of a call with its own syntax that keeps what it reads between commas."""

    def parse_whole(self: Any) -> Any:
        heard: list[Any] = []
        before = self.__dict__.get("_parse_csv")
        parse_list = type(self)._parse_csv  # noqa: SLF001 - sqlglot has no hook for it

        def listen(*arguments: Any, **options: Any) -> Any:
            found = parse_list(self, *arguments, **options)
            heard.extend(found)
            return found

        self._parse_csv = listen
        try:
            built = parse(self)
        finally:
            if before is None:
                del self._parse_csv
            else:
                self._parse_csv = before
        for argument in heard:
            if isinstance(built, exp.Expr) and not _is_within(argument, built):
                _keep(built, argument)
        return built

    return parse_whole


def _is_within(argument: Any, built: Any) -> bool:
    """Whether a node holds another: the parser sets a parent on all that it puts into one."""
    if not isinstance(argument, exp.Expr) or argument is built:
        return True
    if argument.parent is not None:
        held = argument.parent.args.get(argument.arg_key or "")  # it may have been overwritten
        if held is not argument and not (
            isinstance(held, list) and any(one is argument for one in held)
        ):
            return False
    while argument is not None:
        if argument is built:
            return True
        argument = argument.parent
    return False


def _keep(built: Any, argument: Any) -> None:
    is_plain = isinstance(argument, exp.Literal | exp.Boolean | exp.Null | exp.Var | exp.Identifier)
    if is_plain or (
        isinstance(argument, exp.Column)
        and isinstance(argument.this, exp.Identifier)
        and argument.args.get("table") is None
    ):
        return
    if isinstance(argument, exp.Interval) and argument.this.parent is not argument:
        return  # taken apart: what was in it is in the node
    built.meta.setdefault(DROPPED, []).append(argument)
    argument.parent = built  # so that names in it are looked up from there
