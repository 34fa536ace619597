"""Tables that store names and values: whether what stands beside a name is sensitive.

A row of such a table is what a column is elsewhere: `('smtp_password', …)`. So each stored name is
judged as a column's would be, and one that is sensitive closes the column of values.
"""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.profile import sensitive_names
from pipeline.profile.kinds import words
from pipeline.profile.sensitive_tables import column_words, table_context
from schemas.facts import Column, Scalar, Table

MOST_NAMES = 1000
"""Names that are looked at; a table with more of them holds no settings."""
_LONGEST_NAME = 80
"""Characters; what is longer is a text that speaks of many things."""
_NAMES = words(
    """k key keys name nm nom nombre nome naam namn nazwa setting param parameter option property
    prop attribute attr attribut variable var field feld campo champ code type typ tipo kind
    schluessel schlussel cle clave chave chiave sleutel nyckel klucz eigenschaft merkmal propiedad
    propriedade propriete proprieta atributo attributo parametre parametro setting einstellung
    identifier path item entry"""
)
_COLUMNS = words(
    """col cols column columns columnname field fields fieldname property prop attribute attr
    attribut spalte spaltenname feld feldname campo champ columna colonne coluna colonna kolumn
    kolumne kolom
    kolumna veld"""
)
"""Names of columns themselves: beside them stands what was, or is, in one."""
_STORED = words(
    """txt text string str content contents data inhalt contenu contenido old new before after
    previous prev current from to alt neu vorher nachher antes despues ancien nouveau viejo nuevo"""
)
"""Values as well beside names of columns."""
_VALUES = words("v val value values vals wert werte valeur valor valore waarde varde wartosc arvo")
_SETTINGS = words(
    """config configuration configurations cfg conf setting settings option options param params
    parameter parameters property properties preference preferences registry env environment
    variable variables secret secrets credential credentials meta metadata attribute attributes
    einstellung einstellungen konfiguration parametre parametres parametro parametros ajuste
    ajustes opcion opciones configuracion configuracao configurazione instellingen"""
)
_IN_SETTINGS = words("content data text string setting current inhalt contenu contenido")
"""Values as well where the table's name says that it holds settings."""
_OF_ANY_VALUE = words("text string str txt setting config default current old new actual raw")
_BESIDE_VALUES = frozenset({"text", "other", "enum"})


def pairs(table: Table) -> tuple[tuple[Column, ...], tuple[Column, ...]]:
    """Return the columns of names and those of their values; both empty where there are none."""
    texts = [c for c in table.columns if c.family in _BESIDE_VALUES]
    of_settings = table_context(table.name).speaks_of(_SETTINGS)
    known = _VALUES | _IN_SETTINGS if of_settings else _VALUES
    values = tuple(c for c in texts if not known.isdisjoint(column_words(c.name)[-1:]))
    names = tuple(
        c
        for c in texts
        if c not in values and not (_NAMES | _COLUMNS).isdisjoint(column_words(c.name)[-1:])
    )
    if any(not _COLUMNS.isdisjoint(column_words(c.name)) for c in names):
        others = (c for c in texts if c not in names and c not in values)
        values += tuple(c for c in others if not _STORED.isdisjoint(column_words(c.name)[-1:]))
    values = tuple(c for c in values if any(_is_of(c, name, table) for name in names))
    names = tuple(c for c in names if any(_is_of(value, c, table) for value in values))
    return names, values


def _is_of(value: Column, name: Column, table: Table) -> bool:
    """Whether the value's own name speaks of nothing else: `face_value` isn't what a city has."""
    about = {*column_words(name.name), *column_words(table.name), *_OF_ANY_VALUE}
    return about.issuperset(column_words(value.name)[:-1])


def why(table: str, names: Iterable[Scalar]) -> str | None:
    """Return why values beside these names are sensitive, or None; no stored name is quoted."""
    texts = [name for name in names if isinstance(name, str) and len(name) <= _LONGEST_NAME]
    found = [named for name in texts if (named := sensitive_names.find(table, name, "text"))]
    if not found:
        return None
    return f"{found[0].title}: {len(found)} of {len(texts)} names beside it say so"
