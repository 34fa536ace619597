"""Which tables and columns people's items and the views of a database use.

One pure function; lint, impact, coverage and validate read what it returns, and the index stores it
for serving. Nothing is found by searching text for names: statements are parsed, places are looked
up, and texts for people count only where they name something as names are written.
"""

from __future__ import annotations

from pipeline.authored import Document, EvaluationDocument, GraphDocument
from pipeline.authored.positions import Positions
from pipeline.lineage.tables import Tables
from pipeline.references import graph as graphs
from pipeline.references import questions
from pipeline.references import semantic as semantics
from pipeline.references.gathering import Gathering
from pipeline.references.graph import as_document
from pipeline.references.statements import Kept, Statements
from schemas.facts import Catalog
from schemas.references import References
from schemas.results import Graph

__all__ = ["Kept", "as_document", "references"]


def references(
    catalog: Catalog,
    semantic: Document,
    graph: GraphDocument | None = None,
    *,
    evaluation: EvaluationDocument | None = None,
    measured: Graph | None = None,
    kept: Kept | None = None,
) -> References:
    """Return what uses what, and every name that leads to nothing.

    Args:
        catalog: the tables that there are, views with their definitions.
        semantic: what people wrote, with its lines.
        graph: entities and relations, with their lines.
        evaluation: golden questions, with their lines.
        measured: graph.json, which tells the joins that relations take.
        kept: what was read of statements in earlier runs; it is added to.
    """
    tables = Tables(catalog)
    statements = Statements(tables, kept)
    gathering = Gathering(catalog, statements, tables)
    semantics.gather(semantic, gathering)
    if graph is not None:
        graphs.gather(graph, gathering, measured)
    if evaluation is not None:
        questions.gather(evaluation, gathering)
    file = gathering.of_file("catalog.json", Positions(None))
    for table in catalog.tables:
        if "view" in table.kind and table.definition:
            item = file.item("view", ("tables", table.name), table.name)
            file.sql(item, table.definition, ("tables", table.name), engines_own=True)
    if kept is not None:
        kept.keep_only(statements.keys)
    return gathering.result()
