"""What came of checking people's statements, for people: lines with places, and an account."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pipeline.text import counted, one_line, shorten
from schemas.results import CheckedItem

TITLES = (("failed", "Failed"), ("skipped", "Not run"), ("ok", "Passed"))
_LONGEST_NAME = 100


def account(items: Sequence[CheckedItem]) -> str:
    """Return e.g. `31 of 32 checks passed, 1 failed`."""
    statements = [item for item in items if item.kind != "name"]
    counts: Counter[str] = Counter(item.status for item in statements)
    names = len(items) - len(statements)
    if not items:
        return "nothing to check: semantic.yaml has no examples, metrics or joins"
    parts = [f"{counts['ok']} of {counted(len(statements), 'check')} passed"]
    parts += [
        f"{counts[status]} {title}"
        for status, title in (("failed", "failed"), ("skipped", "not run"))
        if counts[status]
    ]
    if names:
        parts.append(f"{counted(names, 'unknown name')} in semantic.yaml")
    return ", ".join(parts)


def lines(items: Sequence[CheckedItem], folder: str) -> Iterator[str]:
    """Yield what isn't well as lint tells it, then the account; places begin with the folder."""
    before = "" if folder in ("", ".") else f"{folder}/"
    for status, title in TITLES[:2]:
        for item in items:
            if item.status == status:
                kind = "entry" if item.kind == "name" else item.kind
                name = shorten(one_line(item.name), _LONGEST_NAME)
                what = f"{title.casefold()}: {kind} {name}: {one_line(item.cause)}"
                yield f"{before}{item.place} {what}"
                if item.fix:
                    yield f"  fix: {one_line(item.fix)}"
    yield account(items)
