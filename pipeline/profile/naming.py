"""What names say about which column may refer to which key; pure, no data is read.

`bill_to_address_id` has the stem `bill to address`, which ends with the stem of `address`: what
is left, `bill to`, is the role.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pipeline.profile import naming_words as vocabulary
from pipeline.profile.name_parts import ColumnName, TableName, Words, alike, is_short_for
from pipeline.profile.nouns import PERSONS

PERSON_ROLE = 0.7
"""Strength of `support_rep_id` → `employee`."""
_SHARED, _BARE, _OWN, _SHORT = 0.94, 0.93, 0.97, 0.88
"""What is left of a strength where the table's name lacks the prefix of both, of its module;
the column's name that of its own table; or the table's name is a usual short form."""


_SPELLED = 3
"""Letters of a name that says anything by itself."""
_LITTLE = frozenset({"in", "to", "of", "for"})
_DONE_BY = {
    "by": ("ed", "en", "sent", "sold", "paid", "made"),
    "von": ("t", "en"),
    "par": ("e", "i"),
    "por": ("o",),
}
"""Words before a person, and how what the person did ends before them: `angelegt_von`."""


@dataclass(frozen=True, slots=True)
class Match:
    """Why a column may refer to a key, by their names."""

    strength: float
    """0–1: how often such names mean a reference; see `inclusion` for what data must add."""
    reason: str
    role: Words = ()
    is_owner: bool = False
    """The key's table is what the column's name speaks of."""


def match(
    column: ColumnName, owner: TableName, key: ColumnName, target: TableName, *, same_table: bool
) -> Match | None:
    """Return the best reason why `column` of `owner` may refer to `key` of `target`, or None."""
    if same_table:
        return _self_reference(column, key, target)
    found = [
        _same_key_name(column, key, target),
        _table_in_name(column, owner, key, target),
        _abbreviated(column, owner, key, target),
        _spelled_out(column, key, target),
        _person_role(column, target),
        _parent_table(column, owner, key, target),
    ]
    return max((m for m in found if m), key=lambda m: m.strength, default=None)


def _same_key_name(column: ColumnName, key: ColumnName, target: TableName) -> Match | None:
    """`ProductID` = `ProductID`; `FromCurrencyCode` ends with it; `ID_STF_ADM`, `ID_STF`."""
    if key.is_generic or not key.suffix:
        return None
    owns = any(alike(key.stem, stem) for stem in target.stems)
    if len("".join(key.words)) < _SPELLED and not owns:  # every table may have an `x`
        return None
    if alike(column.words, key.words):
        return Match(0.95 if owns else 0.9, "both columns have the same name", is_owner=owns)
    role = _before(column.words, key.words)
    if role:
        strength = 0.88 if _known(role) else 0.72
        return Match(strength, "the name ends with the key's name", role, is_owner=owns)
    role = column.words[len(key.words) :]
    if role and key.words[0] in vocabulary.LEADING and column.words[: len(key.words)] == key.words:
        return Match(
            0.84 if owns else 0.79, "the name begins with the key's name", role, is_owner=owns
        )
    return None


def _table_in_name(
    column: ColumnName, owner: TableName, key: ColumnName, target: TableName
) -> Match | None:
    """`customer_id` names the table `customer`; `bill_to_address_id` ends with `address`."""
    fits = _fits(column, key)
    if not fits or not column.stem:
        return None
    if column.suffix and len(column.stem) > 1 and column.stem[-1].isdigit():  # `user2_id`
        found = _table_in_name(replace(column, stem=column.stem[:-1]), owner, key, target)
        return found and replace(found, role=(*found.role, column.stem[-1]))
    names = [(column, 1.0)]
    rest = _after(column.stem, owner.stems[-1])
    if rest:  # `actor.actor_user` is a user
        names.append((replace(column, stem=rest), _OWN))
    matches = (
        m
        for stem, weight in _called(owner, target)
        for name, share in names
        if (m := _named(name, stem, fits * weight * share))
    )
    return max(matches, key=lambda m: m.strength, default=None)


def _called(owner: TableName, target: TableName) -> Iterator[tuple[Words, float]]:
    """Yield how `owner` may call another table, and how sure that is."""
    for stem in target.spelled_out:
        yield stem, _SHORT
    for stem in target.stems:
        yield stem, 1.0
        for size in range(1, len(stem)):  # `sales_order_address` is an `address` in `sales_order`
            if owner.words[:size] == stem[:size]:
                yield stem[size:], _SHARED
    if target.bare:
        yield target.bare, _BARE


def _named(column: ColumnName, stem: Words, weight: float) -> Match | None:
    """Return how a column's name holds that of a table, as `stem` has it."""
    what = "that of the table"
    if alike(column.stem, stem):
        return Match(0.93 * weight, f"the name is {what}", is_owner=True)
    role = _before(column.stem, stem)
    if role and (column.suffix or _known(role) or column.family == "text"):
        strength = 0.86 if _known(role) else 0.7  # a text is found in a key by no chance
        return Match(strength * weight, f"the name ends with {what}", role, is_owner=True)
    role = column.stem[len(stem) :]
    if role and alike(column.stem[: len(stem)], stem) and column.suffix and _known(role):
        strength = 0.86 if set(role) <= vocabulary.DIRECTIONS else 0.72
        return Match(strength * weight, f"the name begins with {what}", role, is_owner=True)
    return None


def _abbreviated(
    column: ColumnName, owner: TableName, key: ColumnName, target: TableName
) -> Match | None:
    """`cust_id`, `dept_no`, `soh_id`, `kundennr`; not `orderid` of `orderheader`: `orderdetail`."""
    fits = _fits(column, key)
    if not column.suffix or not column.stem or not fits:
        return None
    joined = "".join(column.stem)
    if _is_short_for_one(column.stem, target) and not _is_short_for_one(column.stem, owner):
        return Match(0.82 * fits, "the name is short for that of the table", is_owner=True)
    if len(target.words) > 1 and len(joined) == len(target.words) and joined == target.initials:
        return Match(0.8 * fits, "the name is the initials of the table", is_owner=True)
    last = target.stems[-1]
    if (
        len(last) == 1
        and len(column.stem) > 1
        and is_short_for(column.stem[-1], last[0])
        and _known(column.stem[:-1])
    ):
        return Match(
            0.75 * fits,
            "the name ends with a short form of the table's",
            column.stem[:-1],
            is_owner=True,
        )
    return None


def _is_short_for_one(words: Words, table: TableName) -> bool:
    return any(
        len(words) == len(stem) and all(map(is_short_for, words, stem)) for stem in table.stems
    )


def _spelled_out(column: ColumnName, key: ColumnName, target: TableName) -> Match | None:
    """`encounter_id` → `tb_enc.id_enc`: here the table's name is the short one."""
    fits, last = _fits(column, key), target.stems[-1]
    if (
        not fits
        or len(column.stem) != 1
        or len(last) != 1
        or not is_short_for(last[0], column.stem[0])
    ):
        return None
    own = alike(key.stem, last) or (len(key.stem) == 1 and is_short_for(key.stem[0], last[0]))
    if column.stem == last or not own:
        return None
    return Match(0.78 * fits, "the table's name is short for it", is_owner=True)


def _self_reference(column: ColumnName, key: ColumnName, target: TableName) -> Match | None:
    """`parent_id`, `manager_id`, `ReportsTo`, `parent_category_id`."""
    if column.words == key.words:
        return None
    stem = column.stem
    for own in (*target.called, key.stem):
        role = _before(stem, own) if own else ()
        if role and (set(role) & (vocabulary.SELF | vocabulary.SELF_OF_PEOPLE) or _known(role)):
            return Match(0.85, "the name ends with that of its own table", role, is_owner=True)
        if role and column.suffix:
            return Match(0.72, "the name ends with that of its own table", role, is_owner=True)
    if len(stem) > 1 and stem[-1] in vocabulary.SELF and stem[:-1] in target.stems:
        return Match(0.85, "the name is its own table's and a row above", stem[-1:])
    is_reference = (
        bool(column.suffix) or stem[-1:] in (("to",), ("of",), ("by",)) or stem == ("parent",)
    )
    is_people = target.stems[-1][-1] in vocabulary.PEOPLE | PERSONS
    above = vocabulary.SELF | vocabulary.SELF_OF_PEOPLE if is_people else vocabulary.SELF
    said = [word for word in stem if word not in _LITTLE]
    if said and said[0] in above and is_reference and len(said) <= 2:  # `reports to`
        return Match(0.82, "the name is that of a row above or beside in the same table", stem)
    return _person_role(column, target)


def _person_role(column: ColumnName, target: TableName) -> Match | None:
    """`support_rep_id`, `approved_by`, `owner` refer to employees or users."""
    if not is_of_people(target) or not is_person_role(column):
        return None
    is_user = column.words[-1] == "uid" and (target.bare or target.stems[-1]) == ("user",)
    strength = 0.8 if is_user else PERSON_ROLE
    return Match(strength, "the name is a role of a person", column.stem)


def _parent_table(
    column: ColumnName, owner: TableName, key: ColumnName, target: TableName
) -> Match | None:
    """`sales_order_payment.parent_id` refers to `sales_order`."""
    stem = target.stems[-1]
    if column.stem != ("parent",) or len(owner.words) <= len(stem) or not _fits(column, key):
        return None
    if owner.words[: len(stem)] != stem:
        return None
    return Match(0.8, "the table's name begins with that of its parent", is_owner=True)


def is_of_people(table: TableName) -> bool:
    """Return whether a table holds those who do something in the database: users, employees."""
    last = table.bare or table.stems[-1]
    return table.is_staff or (len(last) == 1 and last[0] in vocabulary.PEOPLE)


def with_staff(names: Mapping[str, TableName]) -> dict[str, TableName]:
    """Return tables' names, of which one is marked as that of those who do something.

    That is the only table of an occupation (`technician`) where none holds users or employees.
    """
    staff = [table for table, name in names.items() if name.stems[-1][-1] in vocabulary.STAFF]
    if len(staff) != 1 or any(map(is_of_people, names.values())):
        return dict(names)
    return {**names, staff[0]: replace(names[staff[0]], is_staff=True)}


def is_person_role(column: ColumnName) -> bool:
    """Return whether a column's name is what a person does: `approved_by`, `owner`."""
    stem = column.stem[:-1] if column.stem[-1:] == ("to",) else column.stem
    head = stem[-1] if stem else ""
    if len(stem) > 1 and head in _DONE_BY and stem[-2].endswith(_DONE_BY[head]):
        return True
    if stem[-1:] == ("by",) and stem[:-1] and set(stem[:-1]) <= vocabulary.SHORT_DEEDS:
        return True
    if stem is not column.stem and head in vocabulary.GIVEN_TO:
        return True
    if head.endswith(vocabulary.PEOPLE_HEADS):
        return True
    is_role = head in vocabulary.PEOPLE_ROLES and (
        bool(column.suffix) or head in vocabulary.CLEAR_ROLES
    )
    return is_role and bool(set(column.stem) & (vocabulary.PEOPLE_ROLES - {"by"}))


def _fits(column: ColumnName, key: ColumnName) -> float:
    """Return how well two kinds of key go together: an id isn't a code; 0 not at all."""
    if not column.suffix:  # a whole number is called like a table to refer to it
        return 0.88 if column.family == "integer" and key.suffix == "id" else 0.85
    if column.suffix == key.suffix:
        return 1.0
    if key.suffix == "id" or column.suffix == "id":
        return 0.8 if key.is_generic or key.suffix else 0.0
    return 0.7 if key.suffix else 0.0


def _known(role: Words) -> bool:
    return all(
        word in vocabulary.ROLES
        or word in vocabulary.SELF
        or word.isdigit()
        or _is_participle(word)
        for word in role
    )


def _is_participle(word: str) -> bool:
    """Return whether a word tells what was or is done: `quoted`, `acting`, `geprueft`."""
    if len(word) > 4 and word.endswith(("ed", "ing")):
        return True
    return len(word) > 5 and "ge" in word[:-3] and word.endswith(("t", "en"))


def _after(longer: Words, shorter: Words) -> Words:
    """Return what stands after `shorter` at the beginning of `longer`; () when it isn't so."""
    size = len(shorter)
    return longer[size:] if len(longer) > size and alike(longer[:size], shorter) else ()


def _before(longer: Words, shorter: Words) -> Words:
    """Return what stands before `shorter` at the end of `longer`; () when it doesn't end so."""
    rest = len(longer) - len(shorter)
    if rest <= 0 or not alike(longer[rest:], shorter):
        return ()
    return longer[:rest]
