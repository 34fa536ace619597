"""Every rule, in the order of its id."""

from __future__ import annotations

from pipeline.lint import (
    codes,
    descriptions,
    joins,
    names,
    private,
    statements,
    terms,
    units,
)
from pipeline.lint.rule import Rule

UNUSED_IGNORE = Rule(
    "DL901",
    "ignore-without-effect",
    "warning",
    "A comment `# dblore: ignore …` that leaves out no finding.",
    "What it excused is mended, or it stands beside the wrong entry and excuses nothing.",
    "Delete it, or move it.",
    "status: State.  # dblore: ignore DL203 because the list is short",
    lambda _world: (),
)
MALFORMED_IGNORE = Rule(
    "DL902",
    "ignore-without-reason",
    "error",
    "A comment `# dblore: ignore …` without rules, or without `because` and a reason. It has no "
    "effect.",
    "The next reader can't tell whether the reason still holds.",
    "Write `# dblore: ignore DL203 because …`.",
    "status: 1 = new, 2 = paid  # dblore: ignore DL203",
    lambda _world: (),
)

RULES: tuple[Rule, ...] = (
    *names.RULES,
    *descriptions.RULES,
    *codes.RULES,
    *units.RULES,
    *terms.RULES,
    *joins.RULES,
    *statements.RULES,
    *private.RULES,
    UNUSED_IGNORE,
    MALFORMED_IGNORE,
)
BY_ID = {rule.id: rule for rule in RULES}
