"""SQL of engines that sqlglot doesn't know is read as standard SQL."""

from sqlglot.dialects.dialect import Dialects

from pipeline.database import grammar
from pipeline.database.guard.check import check


def test_every_engine_that_has_a_grammar_is_one_of_sqlglots():
    known = {dialect.value for dialect in Dialects}

    assert known >= grammar._KNOWN
    assert {grammar.grammar(name) for name in ("firebird", "crate", "")} == {""}
    assert grammar.grammar("oracle") == "oracle"


def test_a_statement_of_an_engine_unknown_to_sqlglot_is_guarded():
    assert check("SELECT 1", "firebird", catalog=None) is not None
