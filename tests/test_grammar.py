"""SQL of engines that sqlglot doesn't know is read as standard SQL."""

import pytest
from sqlglot.dialects.dialect import Dialects

from pipeline import statements
from pipeline.database import grammar
from pipeline.database.guard.check import check
from pipeline.errors import SettingError


def test_every_engine_that_has_a_grammar_is_one_of_sqlglots():
    known = {dialect.value for dialect in Dialects}

    assert known >= grammar._KNOWN
    assert {grammar.grammar(name) for name in ("firebird", "crate", "")} == {""}
    assert grammar.grammar("oracle") == "oracle"


def test_a_statement_of_an_engine_unknown_to_sqlglot_is_read_and_never_run():
    assert statements.is_read("SELECT 1", "firebird")

    with pytest.raises(SettingError, match="SQL of the dialect 'firebird' can't be checked"):
        check("SELECT 1", "firebird", catalog=None)
