"""Constants that ask for a value of great length: engines make some before their limits notice."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from sqlglot import exp

LONGEST = 10_000_000
"""Characters or elements that a constant may ask for; beyond it engines ignore their limits."""

REPEATING = {
    "repeat": 1, "replicate": 1, "rpad": 1, "lpad": 1, "list_resize": 1, "array_resize": 1,
    "zeroblob": 0, "randomblob": 0, "space": 0,
}  # fmt: skip
"""Functions that make a value as long as an argument (by position) says."""

FORMATTING = frozenset(["printf", "format"])
"""Functions that pad a value to the width that their first argument states, or a later one."""

_WIDTH = re.compile(r"%[-+ #0,!]*(?P<width>\d+|\*)?(?:\.(?P<precision>\d+|\*))?")
_FORMATTED = re.compile(r"\{[^{}]*?(\d{5,})[^{}]*\}")
_DEEPEST = 60


def too_long(name: str, arguments: Sequence[Any], *, is_dotted: bool) -> float | None:
    """Return the length that a call asks for by a constant, where it is too great.

    What a dotted call, `x.repeat(9)`, is called on isn't among its arguments.
    """
    if name in FORMATTING:
        return _formatted(arguments)
    place = REPEATING[name]
    asked = arguments[max(place - 1, 0) if is_dotted else place : place + 1]
    numbers = [n for argument in asked if (n := constant(argument)) is not None]
    return max((n for n in numbers if n > LONGEST), default=None)


def _formatted(arguments: Sequence[Any]) -> float | None:
    if not arguments:
        return None
    first = arguments[0].unnest()
    if not isinstance(first, exp.Literal) or not first.is_string:
        numbers = [n for a in arguments[1:] if (n := constant(a)) is not None]
        return max((n for n in numbers if n > LONGEST), default=None)
    widths = [part for match in _WIDTH.finditer(first.name) for part in match.groups() if part]
    numbers = [float(width) for width in widths if width != "*"]
    numbers += [float(width) for width in _FORMATTED.findall(first.name)]
    if "*" in widths:
        numbers += [n for a in arguments[1:] if (n := constant(a)) is not None]
    return max((n for n in numbers if n > LONGEST), default=None)


def constant(node: Any, depth: int = 0) -> float | None:
    """Return the value of an expression of numbers alone; None where it depends on data."""
    if depth > _DEEPEST:
        return math.inf
    if isinstance(node, exp.Literal):
        return _number(node.name)
    if isinstance(node, exp.Paren | exp.Cast | exp.Kwarg | exp.Alias):
        inner = node.expression if isinstance(node, exp.Kwarg) else node.this
        return constant(inner, depth + 1)
    if isinstance(node, exp.DPipe | exp.Concat):
        text = _spelled(node, depth)
        return None if text is None else _number(text)
    if isinstance(node, exp.Neg):
        value = constant(node.this, depth + 1)
        return None if value is None else -value
    if isinstance(node, exp.Binary | exp.Pow):
        return _binary(node, depth)
    return None


def _spelled(node: Any, depth: int) -> str | None:
    """Return the text that literals spell together, as in '9' || ('0' || '00')."""
    if depth > _DEEPEST:
        return None
    if isinstance(node, exp.Literal):
        return str(node.name)
    if isinstance(node, exp.Paren):
        return _spelled(node.this, depth + 1)
    parts = [node.this, node.expression] if isinstance(node, exp.DPipe) else node.expressions
    if not isinstance(node, exp.DPipe | exp.Concat):
        return None
    texts = [_spelled(part, depth + 1) for part in parts]
    return None if None in texts else "".join(filter(None, texts))


def _binary(node: Any, depth: int) -> float | None:
    left = constant(node.this, depth + 1)
    right = constant(node.expression, depth + 1)
    if left is None or right is None:
        return None
    try:
        return _computed(node, left, right)
    except (OverflowError, ValueError, ZeroDivisionError):
        return math.inf


def _computed(node: Any, left: float, right: float) -> float | None:
    if isinstance(node, exp.Add):
        return left + right
    if isinstance(node, exp.Sub):
        return left - right
    if isinstance(node, exp.Mul):
        return left * right
    if isinstance(node, exp.Div | exp.IntDiv):
        return left / right
    if isinstance(node, exp.BitwiseLeftShift):
        return float(left * math.pow(2.0, right))
    if isinstance(node, exp.Pow):
        return float(left**right)
    if isinstance(node, exp.DPipe):
        return _number(f"{left:.0f}{right:.0f}")
    return None


def _number(text: str) -> float | None:
    cleaned = text.strip().replace("_", "")
    try:
        number = float(cleaned)
    except ValueError:
        return None
    return number if not math.isnan(number) else None
