"""docs/reference/lint.md, written from the rules."""

from pipeline.lint import RULES

HEAD = """\
# Rules of lint

`dblore lint` looks for faults in `semantic.yaml` and `knowledge_graph.yaml`: against the facts
(`catalog.json`, `profile.json`), against what was measured (`graph.json`, `validation.json`),
and against themselves. It reads files only; no database is needed. A file that is missing, or
older than what it is made from, is named on stderr.

Exit status 1 means a finding at or above `--fail-on` (`error` unless said otherwise). Rules
about what is still missing (codes, units, time zones) look only at tables that `semantic.yaml`
has an entry for; for the others there is DL103.

## Ignore a finding

A comment in the file, with the reason. Beside or above an entry it is about that entry and all
below it; with `on` it is about all findings of the file whose target fits the pattern, wherever
it stands:

```yaml
tables:
  orders: # dblore: ignore DL302 because the source has no zone, and nobody asks for hours
    columns:
      # dblore: ignore DL202 because 7 comes with the next release
      status: {description: State., values: {"1": new, "7": on hold}}
# dblore: ignore DL103, DL301 on audit_* because nobody asks for it
```

One that leaves out nothing is reported (DL901), and so is one without a reason (DL902).

## Baseline

`dblore lint --write-baseline FILE` writes what is found today; `--baseline FILE` then leaves it
out, so that a team can begin with what is new. A finding is known again by its rule, its target
and what is wrong, not by its line. Findings of the file that are gone are counted on stderr:
write the file anew then.

## All rules

"""


def page():
    """Return docs/reference/lint.md."""
    rows = ["| rule | name | severity | finds |", "|---|---|---|---|"]
    rows += [
        f"| [{rule.id}](#{rule.id.lower()}-{rule.name}) | {rule.name} | {rule.severity} "
        f"| {_first_sentence(rule.finds)} |"
        for rule in RULES
    ]
    return HEAD + "\n".join(rows) + "\n\n" + "\n".join(map(_section, RULES))


def _section(rule):
    return (
        f"### {rule.id} {rule.name}\n\n"
        f"Severity: {rule.severity}.\n\n"
        f"**Finds.** {rule.finds}\n\n"
        f"**Why.** {rule.why}\n\n"
        f"**Mend.** {rule.fix}\n\n"
        f"```text\n{rule.example}\n```\n"
    )


def _first_sentence(text):
    return text.partition(". ")[0].rstrip(".").replace("|", "\\|") + "."
