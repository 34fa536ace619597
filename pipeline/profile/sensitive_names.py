"""What a column's name speaks of, judged with the name of its table.

A phrase of a kind (`date of birth`) counts where it is what the name is about: `billing_email`,
`telefono_movil`, but neither `email_count` nor `tipo_telefono`. Words that mean something else
elsewhere (`name`, `photo`, `plat`) count only in tables of persons, of vehicles, of accounts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.profile import words_context as context
from pipeline.profile.kinds import Kind, Phrase, phrases, written_out
from pipeline.profile.kinds import words as word_set
from pipeline.profile.sensitive_tables import (
    TableContext,
    column_words,
    is_short_for,
    table_context,
)
from pipeline.profile.sensitive_words import (
    KINDS,
    Hit,
    Rule,
    joined_words,
    person_rules,
    phrases_in,
    short_phrases_in,
)
from pipeline.profile.words_tables import IN_TABLES
from schemas.facts import TypeFamily

NAME, EMAIL, PHONE, BIRTH = (kind.title for kind in KINDS[:4])
_NATIONAL = "national or tax identity number"
_NUMBERED = frozenset({_NATIONAL, "bank account", "payment card"})
"""Kinds that are numbers themselves: `num_cpf` counts nothing."""
_NETWORK = "network or device identifier"
_ADDRESS = "street or postal address"
_POSITION = "position of a person"
_OF_PLACES = frozenset({_ADDRESS, "phone number", _POSITION})
_SECRET = "password, key or other secret"  # noqa: S105  # the title of a kind
PICTURE = "picture or biometric trait"
_BESIDE_ROLES = frozenset({PICTURE, "health data", PHONE, _NATIONAL})
"""Kinds whose weak words count beside a person's noun."""
_STORED = word_set(
    """blob data file filename path url uri link image img bytes binary base64 b64 thumb thumbnail
    large small key ref"""
)
"""After a picture: how it is stored."""
_PAY = "pay of a person"
_SPECIAL = frozenset({"health data", "special category of personal data"})
_ENCRYPTED = word_set("encrypted enc encr cipher ciphertext crypt hash hashed verschluesselt")
_ALARMS = frozenset(phrases("alarm code, alarmcode, code alarme, codigo alarma, alarm"))
"""The kind of an alarm in tables of machines, what silences it in those of houses and persons."""
_ALARMED = word_set("alarm alarms alarme alarmes alarma alarmas event events alert alerts")
_HALVES = word_set("first last middle fst lst")
"""Of a name beside whose it is: `contact_first`."""
_EXPIRY = word_set("exp expiry expiration expires caducidad vencimiento validade scadenza")
"""Of a card: the one thing of it that may be a date."""
_FLAG_VERBS = word_set("is has was hat ist est a es tem tiene e ha")
_BARE = frozenset({_SECRET, "user name or login"})
"""Kinds whose weak words count only as whole names: `customer_key` is no secret."""
_NUMBERS = frozenset({"integer", "decimal", "float"})
_TEXTS = frozenset({"text", "other", "enum"})
_ID_TYPES = _NUMBERS | {"uuid"}
_PREFIXES = word_set("nm ds tx nr nu dt cd st vl fl no your my str txt col fld url num numero nro")
"""Types or roles written before a name."""
_OF_TEXT = frozenset({"text", "position", "offset", "start", "end"})
"""Beside `token`, which is then a piece of text."""
_OF_FILES = frozenset({"url", "path", "archive"})
"""Beside `zip`, which is then no postal code."""
_OF_COINS = frozenset({"address", "symbol", "supply", "decimals"})
"""Beside `token`, which is then one of a chain of blocks."""
_LINKS = word_set("de del da do des du dos das d la le of the to van der di della i e et und")
_MAY_FOLLOW = context.NEUTRAL | context.PERSONS | _LINKS
_NO_NAMES = context.MEASURES | context.THINGS
_ELSE = (context.PLACES | context.ORGANISATIONS | context.THINGS) - context.PERSONS
_NOBODIES = context.THINGS | context.OF_PROGRAMS
_NAMES_OF_ANYTHING = frozenset(
    phrases("""full name, fullname, full nm, complete name, legal name, second name, preferred name,
        family name, nickname, nick name, registered name, real name, true name, nombre
        completo, nome completo, nom complet, nombre mostrado, nom affiche""")
)
"""Names that courses and repositories have as well."""
_LEAST_OWN = 3
"""Letters of a table's short form; `is` and `no` say something else."""
_LONGEST_SHORT = 3
"""Letters of words like `run` and `tin`, which need a table of persons."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a name speaks of."""

    title: str
    phrase: str
    """The words that say so."""
    needs: str | None = None
    """What else had to be known, in words."""


@lru_cache(maxsize=32768)
def find(table: str, column: str, family: TypeFamily) -> Named | None:
    """Return what kind of sensitive data the names speak of, or None.

    Args:
        table: its table's name.
        column: its name.
        family: of its type; a flag is never personal, a count is no name.
    """
    found = _without_idioms(column_words(column))
    where = table_context(table)
    if family == "boolean":
        return _flag(found, where)
    if not found:
        return None
    hits = [hit for hit in phrases_in(found) if _holds(hit, found, family, where)] or [
        hit for hit in short_phrases_in(found) if _holds(hit, found, family, where)
    ]
    if hits:
        best = min(hits, key=lambda hit: (hit.rule.rank, -len(hit.rule.phrase)))
        return Named(best.rule.kind.title, " ".join(best.rule.phrase))
    return (
        (_of_person(found, family, where) if where.is_person else None)
        or _of_role(found, family, where)
        or _role_and_weak(found, family)
        or _in_table(table, found, family)
        or ((joined := joined_words(found)) and find(table, " ".join(joined), family))
        or None
    )


def _without_idioms(found: Phrase) -> Phrase:
    """Return a name without the `next` of `next of kin`, which else means another one."""
    return found[2:] if found[:3] == ("next", "of", "kin") else found


def _flag(found: Phrase, where: TableContext) -> Named | None:
    """Judge a flag of a person: `is_union_member` tells all that the law protects."""
    plain = found[1:] if found[:1] and found[0] in _FLAG_VERBS else found
    if not where.is_person:
        return None
    for hit in phrases_in(plain):
        is_whole = hit.start == 0 and len(plain) == len(hit.rule.phrase)
        if is_whole and hit.rule.kind.title in _SPECIAL:
            return Named(hit.rule.kind.title, " ".join(hit.rule.phrase), "in a table of persons")
    for rule in _whole(plain):
        if rule.kind.title in _SPECIAL:
            return Named(rule.kind.title, " ".join(rule.phrase), "in a table of persons")
    return None


def find_beside_personal(table: str, column: str, family: TypeFamily) -> Named | None:
    """Judge a name in a table whose other columns show that a row is a person."""
    found = column_words(column)
    is_open = family != "boolean" and bool(found)
    return _of_person(found, family, table_context(table)) if is_open else None


def _holds(hit: Hit, found: Sequence[str], family: TypeFamily, where: TableContext) -> bool:
    """Whether the words around a phrase, the type and the table leave it what it is."""
    kind, start = hit.rule.kind, hit.start
    if family == "binary" and not _ENCRYPTED.isdisjoint(found):
        family = "text"
    before, after = set(found[:start]), found[start + len(hit.rule.phrase) :]
    is_expiry = family == "date" and not _EXPIRY.isdisjoint(hit.rule.phrase)
    refused = before & context.NOT_BEFORE
    if refused == {found[0]} and family not in _NUMBERS and _is_tables_own(found[0], where):
        refused = set()
    if (family in kind.not_in and not is_expiry) or refused:
        return False
    if (
        _is_state(hit.rule.phrase, family, where)
        or _is_counted(hit, before, family)
        or _is_elsewhere(kind.title, before | {*after}, where)
    ):
        return False
    if hit.rule.phrase in _NAMES_OF_ANYTHING and not before & context.PERSONS:
        others = context.THINGS | context.PLACES | context.ORGANISATIONS
        if before & others or (not where.is_person and where.speaks_of(others)):
            return False
    if family in _ID_TYPES and ("id" in after or _is_key_of(hit.rule.phrase, where)):
        return False
    if hit.rule.is_head:
        return not context.MEASURES & set(after)
    if not _is_whole(kind.title, hit.rule.phrase, before, family):
        return False
    return all(word in _MAY_FOLLOW or word in kind.tail_words or word.isdigit() for word in after)


def _is_tables_own(word: str, where: TableContext) -> bool:
    """Whether a word is the short form of its table's name: `CNT_EMAIL` of `CONTACTS`."""
    least = len(word) >= _LEAST_OWN and word not in where.all
    return least and any(is_short_for(word, own) for own in where.own)


def is_of_place(table: str, column: str, title: str) -> bool:
    """Whether a name speaks of that kind, but of a place's: its values tell nothing new."""
    found, where = column_words(column), table_context(table)
    if title not in _OF_PLACES or not where.is_place:
        return False
    return any(hit.rule.kind.title == title for hit in phrases_in(found)) and _is_elsewhere(
        title, set(found), where
    )


def is_protected(named: Named) -> bool:
    """Whether it is of health or another special category."""
    return named.title in _SPECIAL


def _is_key_of(phrase: Phrase, where: TableContext) -> bool:
    """Whether a phrase is no more than the key of its table: `tax_id` of `tax_rates`."""
    return phrase[-1] == "id" and len(phrase) > 1 and where.all.issuperset(phrase[:-1])


def _is_state(phrase: Phrase, family: TypeFamily, where: TableContext) -> bool:
    """`alarm_code` is the kind of an alarm where alarms are listed or machines are."""
    if phrase not in _ALARMS or where.is_person:
        return False
    return where.speaks_of(_ALARMED) or (family in _NUMBERS and not where.is_place)


def _is_counted(hit: Hit, before: set[str], family: TypeFamily) -> bool:
    """`num_emails` is a count; so is `nombre_naissances`, which no person's name stands in."""
    if "nombre" in before and hit.rule.kind.title == BIRTH:
        return True
    is_number = family in _NUMBERS and bool(before & context.COUNTED_BEFORE)
    return is_number and (hit.is_plural or hit.rule.kind.title not in _NUMBERED)


def _is_elsewhere(title: str, around: set[str], where: TableContext) -> bool:
    """Whether a phrase of that kind means something else in such a table or beside such words."""
    if title == PHONE and where.speaks_of(context.CELLS) and not around & context.PERSONS:
        return True
    if (title == _ADDRESS and not around.isdisjoint(_OF_FILES)) or (
        title == PHONE and "code" in around
    ):
        return True
    if title == _ADDRESS and where.own and where.own[-1] in context.STREETS:
        return True
    if (title == _POSITION and "text" in around) or (  # Latin
        title == BIRTH and where.speaks_of(context.ANIMALS) and not where.is_person
    ):
        return not around & (context.PERSONS - context.ROLES_OF_THINGS)
    if title in _OF_PLACES and not around & context.PERSONS:
        is_other = where.is_person or where.speaks_of(context.MOVES)
        is_place = not is_other and bool(around & (context.PLACES - context.OF_ADDRESSES))
        machines = context.MACHINES | (context.SERVICES if title == _ADDRESS else frozenset())
        return where.is_place or is_place or where.speaks_of(machines)
    if title == _PAY:
        return bool(around & context.MEASURED_PAY)
    if title == "bank account":
        return where.all <= context.BANKS_THEMSELVES or where.speaks_of(context.LEDGERS)
    if title == _SECRET:
        return where.speaks_of(context.TEXTS) or not around.isdisjoint(_OF_TEXT | _OF_COINS)
    return title in _SPECIAL and _is_nobodys_health(around, where)


def _is_nobodys_health(around: set[str], where: TableContext) -> bool:
    """Whether a table lists what there is, or what animals and food have."""
    if where.speaks_of(context.VETS) and not around & context.PERSONS:
        return True
    is_catalogue = bool(where.own) and where.own[-1] in context.CATALOGUES | context.LISTS
    others = context.SERVICES | context.FOODS
    return not where.is_person and (is_catalogue or where.speaks_of(others))


def _is_whole(title: str, phrase: Phrase, before: set[str], family: TypeFamily) -> bool:
    """Whether words before a head-last phrase leave it what it is."""
    if title == _SECRET and family == "integer":
        return not before - {"user", "card"}  # tokens that are counted, a key's number
    if title == "user name or login":
        return not before & {"last", "first", "failed"}
    if title == _NETWORK:
        return not before & context.OF_MACHINES
    if title == _ADDRESS:
        return not before & (context.OTHER_ADDRESSES - ({"mail"} if "zip" in phrase else set()))
    return True


def _of_person(found: Phrase, family: TypeFamily, where: TableContext) -> Named | None:
    """Judge names that count only where a row is a person."""
    stored = found[:-1] if len(found) > 1 and found[-1] in _STORED else ()
    amount = found[:-1] if len(found) > 1 and found[-1] in context.AMOUNTS else ()
    for part in (*_variants(found, where), *_variants(stored, where), *_variants(amount, where)):
        for rule in _whole(part):
            title = rule.kind.title
            if title != PICTURE and stored and part in (stored, stored[1:]):
                continue
            if title != _PAY and amount and part in (amount, amount[1:]):
                continue
            if not _fits_type(rule, family) or (
                title in _BARE and part != found and found[0] not in _PREFIXES
            ):
                continue
            if not where.is_person and title in {_SECRET, _PAY}:
                continue
            if title == _PAY and context.MEASURED_PAY & set(found):
                continue
            needs = (
                "in a table of persons" if where.is_person else "with personal columns beside it"
            )
            return Named(title, " ".join(rule.phrase), needs)
    return None


def _whole(found: Phrase) -> tuple[Rule, ...]:
    known = person_rules()
    plain = written_out(tuple(word for word in found if word not in _LINKS))
    return known.get(found) or known.get(written_out(found)) or known.get(plain) or ()


def _fits_type(rule: Rule, family: TypeFamily) -> bool:
    only = context.ONLY_AS.get(rule.phrase)
    return family not in rule.kind.not_in and (only is None or family in only)


def _variants(found: Phrase, where: TableContext) -> Iterator[Phrase]:
    """Yield a name, and what is left without the table's short form or a type before it."""
    yield found
    if len(found) > 1:
        first, last = found[0], found[-1]
        is_own = _is_heads(first, where)
        if len(first) == 1 or is_own or first in _PREFIXES or first in context.PERSONS:
            yield found[1:]
            if len(found) > 2 and found[1] in context.PERSONS:  # `k_cust_name`
                yield found[2:]
        is_own = len(last) > 2 and _is_heads(last, where)
        if is_own or last in context.PERSONS or last.isdigit():
            yield found[:-1]


def _is_heads(word: str, where: TableContext) -> bool:
    """Whether a word is short for what a row is: `hotel_name` of `hotel_guest` isn't a guest's."""
    if word in _ELSE and where.own[-1:] != (word,):
        return False
    return any(is_short_for(word, own) for own in where.own)


def _of_role(found: Phrase, family: TypeFamily, where: TableContext) -> Named | None:
    """Judge the name of somebody in another table: `sender_name`, `nombre_del_cliente`."""
    plain = [word for word in found if word not in _LINKS and not word.isdigit()]
    if family not in _TEXTS or len(plain) < 2 or plain[0] in context.NOT_BEFORE:
        return None
    if where.speaks_of(_NOBODIES) and not context.ROLES_OF_THINGS.isdisjoint(plain):
        return None
    first, last = plain[0], plain[-1]
    before_last, second = plain[-2], plain[1]
    if last in {"name", "names"} and before_last not in context.ROLES:
        before_last = before_last.removesuffix("s")  # `spouses_name`
    is_last = last in context.NAME_WORDS and before_last in context.ROLES
    is_first = (
        first in context.NAME_WORDS and second in context.ROLES and _NO_NAMES.isdisjoint(plain[2:])
    )
    is_half = len(plain) == 2 and first in context.ROLES and last in _HALVES
    return Named(NAME, " ".join(plain)) if is_last or is_first or is_half else None


def _role_and_weak(found: Phrase, family: TypeFamily) -> Named | None:
    """Judge a weak word beside the person it belongs to: `foto_aluno`, `employee_photo`."""
    plain = tuple(word for word in found if word not in _LINKS and word not in _PREFIXES)
    if len(plain) < 2 or plain[0] in context.NOT_BEFORE:
        return None
    rests = [plain[1:]] if plain[0] in context.ROLES else []
    rests += [plain[:-1]] if plain[-1] in context.ROLES else []
    for rest in rests:
        for rule in _whole(rest):
            is_long = len(" ".join(rule.phrase)) > _LONGEST_SHORT
            if is_long and rule.kind.title in _BESIDE_ROLES and _fits_type(rule, family):
                return Named(rule.kind.title, " ".join(rest), "beside a word for a person")
    return None


def _in_table(table: str, found: Phrase, family: TypeFamily) -> Named | None:
    """Judge names that count only in tables of one subject: `account_no` in `payments`."""
    where = table_context(table)
    for kind, names in _of_subjects(table):
        if _is_elsewhere(kind.title, set(found), where):
            continue
        is_bare = kind.title in _BARE
        whole = {found, *(() if is_bare else _variants(found, where))}
        whole |= {written_out(name) for name in whole}
        whole |= {(*name[:-1], name[-1][:-1]) for name in whole if name[-1].endswith("s")}
        said = next((name for name in names if name in whole or written_out(name) in whole), None)
        if said is not None and family not in kind.not_in:
            return Named(kind.title, " ".join(said), f"in a table named {'_'.join(where.own)}")
    return None


@lru_cache(maxsize=8192)
def _of_subjects(table: str) -> tuple[tuple[Kind, tuple[Phrase, ...]], ...]:
    """Return the names that count in a table for what it is about."""
    where = table_context(table)
    first = {kind.title: kind for kind in reversed(KINDS)}
    return tuple(
        (first[title], names) for title, subjects, names in IN_TABLES if where.speaks_of(subjects)
    )
