"""The files that people write, read into models: kb, semantic, knowledge_graph, evaluation.yaml.

An absent or empty file is an empty model. What can't be used is one `SettingError` that names
file, line, column, path, what was found and the nearest valid name; several faults are listed.
"""

from __future__ import annotations

from pipeline.authored.digests import part_digest, sensitive_marks_digest
from pipeline.authored.documents import (
    Document,
    EvaluationDocument,
    GraphDocument,
    load_knowledge_graph,
    load_semantic,
    load_settings,
    read_evaluation,
    read_knowledge_graph,
    read_semantic,
)
from pipeline.authored.names import (
    NameFault,
    check_names,
    find_column,
    name_faults,
    relationship_faults,
)

__all__ = [
    "Document",
    "EvaluationDocument",
    "GraphDocument",
    "NameFault",
    "check_names",
    "find_column",
    "load_knowledge_graph",
    "load_semantic",
    "load_settings",
    "name_faults",
    "part_digest",
    "read_evaluation",
    "read_knowledge_graph",
    "read_semantic",
    "relationship_faults",
    "sensitive_marks_digest",
]
