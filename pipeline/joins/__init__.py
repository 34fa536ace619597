"""The join graph and its planner: which tables join how, cheapest first.

One `JoinGraph` is built from the links of graph.json and answers two questions: how do two
tables meet (`path`), and what is the cheapest set of joins that holds some tables together
(`connect`). `on_clause` writes a link as SQL. Pure: nothing here reads a file or a database.
"""

from pipeline.joins.clause import on_clause, qualified
from pipeline.joins.links import JoinPath, JoinStep, JoinTree, cardinality_of, is_usable, reversed_
from pipeline.joins.planner import JoinGraph

__all__ = [
    "JoinGraph",
    "JoinPath",
    "JoinStep",
    "JoinTree",
    "cardinality_of",
    "is_usable",
    "on_clause",
    "qualified",
    "reversed_",
]
