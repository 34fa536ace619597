"""Which columns are bookkeeping: by whom, when and by which tool a row was written or deleted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.profile.aggregates import Counts
from pipeline.profile.kinds import phrases
from pipeline.profile.kinds import words as word_set
from pipeline.profile.sensitive_tables import without_accents
from pipeline.text import words
from schemas.facts import Column, Table, ValueCount

_TIMES = frozenset({"date", "timestamp"})

# ------------------------------------------------------------------ bookkeeping

_CHANGED = word_set(
    """modified updated changed upd mod update edited refreshed synced geaendert geandert modifie
    modificado atualizado actualizado aktualisiert bijgewerkt gewijzigd modification modificacion
    modificacao modifica actualizacion atualizacao aenderung anderung aenderungsdatum
    anderungsdatum"""
)
_CREATED = word_set(
    """created inserted added create loaded imported ingested extracted creation insert erstellt
    angelegt erfasst cree creado criado creacion criacao creazione erstellung aangemaakt
    erstelldatum erstellungsdatum anlagedatum erfassungsdatum"""
)
_LOADED = word_set("loaded imported ingested extracted synced etl dwh")
_WHEN = word_set(
    """date at on time ts timestamp datetime dt utc local am datum fecha data tms le el il"""
)
_ROW = word_set("row record rec")
_WHO = word_set("by user userid uid von par por id name")
_TOOL = re.compile(
    r"(?i)^(_fivetran_|_airbyte_|_sdc_|_dbt_|dbt_(scd_id|updated_at|valid_)|_dlt_|etl_"
    r"|dwh?_(load|insert|update)|__\$)"
)
_ROW_IDS = frozenset(
    phrases(
        """rowguid, row guid, row uuid, row version, rowversion, rowver, row ver, lock version,
        optlock, row hash, hash diff, hashdiff, record source, etag, msrepl tran version"""
    )
)


def housekeeping(table: Table, column: Column) -> str | None:
    """Return why a column is bookkeeping, or None.

    A creation time counts only where another date tells of the business and a modification time
    stands beside it: else it may be the one date that people ask about.
    """
    found = _words(column)
    if _TOOL.match(column.name):
        return "written by a loading tool"
    if tuple(found) in _ROW_IDS:
        return "technical row identifier or version"
    if _is_change(found, column, _CHANGED):
        return "when or by whom the row was last changed"
    if _is_change(found, column, _CREATED):
        if set(found) & _WHO and not set(found) & _WHEN:
            return "by whom the row was added"
        has_change = any(_is_change(_words(c), c, _CHANGED) for c in table.columns)
        is_of_row = found[0] in _ROW or bool(set(found) & _LOADED)
        if is_of_row or (has_change and _has_business_date(table)):
            return "when the row was added"
    if found[:1] == ["deleted"] and found[1:] == ["by"]:
        return "by whom the row was deleted"
    return None


def _is_change(found: Sequence[str], column: Column, verbs: frozenset[str]) -> bool:
    """Return whether a name is `modified_at`, `last_update`, `DateCreated`, `updated_by`, …."""
    own = [word for word in found if word not in ("last", "row", "record", "rec", "sys", "first")]
    if not own or len(own) > 3 or not set(own) & verbs:  # `updated_at_utc`
        return False
    rest = set(own) - verbs
    is_time = column.family in _TIMES or column.family in ("text", "integer", "time", "other")
    if not rest:
        return column.family in _TIMES or "last" in found
    if rest <= _WHEN:
        return is_time
    return (rest <= _WHO and "by" in rest | set(found)) or rest <= {
        "user",
        "userid",
        "von",
        "par",
        "por",
    }


def _words(column: Column) -> list[str]:
    return words(without_accents(column.name))


def _has_business_date(table: Table) -> bool:
    return any(
        c.family in _TIMES
        and not _is_change(_words(c), c, _CHANGED | _CREATED)
        and not set(_words(c)) & {"birth", "dob", "deleted", "born", "birthday"}
        for c in table.columns
    )


_DELETED = word_set(
    """deleted delete removed geloescht geloscht borrado eliminado supprime excluido cancellato"""
)
_DELETE_FLAGS = re.compile(
    r"(?i)^(is_?|has_?been_?|row_?|record_?)?(soft_?)?"
    r"(deleted|removed|del|loeschkennzeichen|loeschkz|geloescht)_?(flag|ind|yn|fg)?$"
    r"|^del(ete)?_?(flag|ind|yn)$|^(is_?)?(borrado|eliminado|excluido|supprime)$"
)
_FLAG_VALUES = frozenset(
    {"0", "1", "y", "n", "yes", "no", "true", "false", "t", "f", "j", "x", "d", ""}
)


def soft_delete(column: Column, counts: Counts, rows: int, values: Sequence[ValueCount]) -> bool:
    """Return whether a column marks rows as deleted without removing them."""
    found = _words(column)
    marks_time = bool(set(found) & _DELETED or "deletion" in found) and set(found) <= (
        _DELETED | _WHEN | {"deletion", "soft"}
    )
    if (
        marks_time
        and column.family in (*_TIMES, "text", "integer")
        and len(found) > 1
        and set(found) & _WHEN
    ):
        return rows == 0 or (counts.nulls or 0) * 2 >= rows
    if not _DELETE_FLAGS.match(column.name) or column.family in _TIMES | {"binary"}:
        return False
    if (counts.distinct or 0) > 2:  # a flag has two
        return False
    stored = {str(v.value).strip().casefold() for v in values}
    return stored <= _FLAG_VALUES
