"""Where dblore's notes and warnings go, and how they look."""

from __future__ import annotations

import logging
from typing import TextIO


def log_to(stream: TextIO) -> None:
    """Write dblore's notes and warnings to `stream`, and nowhere else that was named before."""
    logger = logging.getLogger("dblore")
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(levelname_lower)s: %(message)s"))
    handler.addFilter(_lower_level)
    logger.addHandler(handler)


def _lower_level(record: logging.LogRecord) -> bool:
    record.levelname_lower = "note" if record.levelno < logging.WARNING else "warning"
    return True
