"""What changed in a database, and what that makes suspect of what people wrote.

`changes` compares two catalogues with their profiles; `named_change` is one change that somebody
says. `impact` names the items that use what changed, also through views, with the reason. Pure:
nothing is read or written here.
"""

from __future__ import annotations

from pipeline.impact.comparing import changes
from pipeline.impact.named import named_change
from pipeline.impact.suspects import impact
from pipeline.impact.uses import Knowledge

__all__ = ["Knowledge", "changes", "impact", "named_change"]
