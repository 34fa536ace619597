"""Suggestions about the database as a whole: bookkeeping, deleted rows, joins, columns of views."""

from __future__ import annotations

from pipeline.cards import TableCard
from pipeline.draft.suggest import Suggestion
from pipeline.needs import kinds
from pipeline.soft_deletes import kept
from pipeline.text import thousands
from schemas.models import Catalog, Link, Semantic


def passed_on(
    cards: dict[str, TableCard], origins: dict[tuple[str, str], tuple[str, str]]
) -> dict[str, dict[str, Suggestion]]:
    """Return view to column to what to say of it, for columns that show another's unchanged."""
    found: dict[str, dict[str, Suggestion]] = {}
    for (view, column), (table_name, origin) in origins.items():
        card = cards[table_name].column(origin)
        place = f"{table_name}.{origin}"
        if card is not None and card.description:
            said = Suggestion(card.description, f"from: {place}")
        else:
            said = Suggestion(f"The same as {place}.", "from: the view's definition")
        found.setdefault(view, {})[column] = said
    return found


def housekeeping(cards: dict[str, TableCard], semantic: Semantic) -> list[tuple[str, str]]:
    """Return (column name, why and in how many tables) of bookkeeping that nobody listed yet."""
    listed = {name.casefold() for name in semantic.housekeeping_columns}
    found: dict[str, list[str]] = {}
    for card in cards.values():
        for column in card.columns:
            why = column.profile.housekeeping
            if why and column.housekeeping and column.name.casefold() not in listed:
                found.setdefault(column.name, []).append(why)
    ranked = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return [
        (name, f"{whys[0]}; in {len(whys)} table{'s' if len(whys) > 1 else ''}")
        for name, whys in ranked
    ]


def deletion_notes(
    cards: dict[str, TableCard], semantic: Semantic, catalog: Catalog
) -> list[tuple[str, str]]:
    """Return (note, why) per soft-delete column that no note mentions yet."""
    told = "\n".join(semantic.dialect_notes).casefold()
    grouped: dict[str, list[str]] = {}
    for card in cards.values():
        for column in card.columns:
            condition = kept(column, catalog.dialect)
            if condition and column.name.casefold() not in told and not card.hidden:
                grouped.setdefault(condition, []).append(card.name)
    return [
        (
            f"Leave out deleted rows of {', '.join(tables)}, unless asked for them: {condition}.",
            "guessed: looks like a soft-delete column",
        )
        for condition, tables in sorted(grouped.items())
    ]


def joins(candidates: tuple[Link, ...], semantic: Semantic) -> list[tuple[Link, str]]:
    """Return the inferred joins worth taking over, each with its evidence."""
    stated = {
        (frozenset(zip(r.from_columns, r.to_columns, strict=True)), r.condition)
        for r in semantic.relationships
    }
    chosen = []
    for link in candidates:
        pairs = frozenset(
            (f"{link.table}.{one}", f"{link.to_table}.{other}")
            for one, other in zip(link.columns, link.to_columns, strict=True)
        )
        turned = frozenset((other, one) for one, other in pairs)
        evidence = link.evidence
        known = {(pairs, link.condition), (turned, link.condition)} & stated
        if evidence and evidence.rows and kinds.is_firm(link) and not known:
            share = evidence.matched_share or 0
            found = "all" if share == 1 else f"{100 * share:.1f} %"
            chosen.append(
                (link, f"measured: {found} of {thousands(evidence.rows)} references find a row")
            )
    return chosen
