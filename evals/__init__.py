"""How good dblore is: each module is a command, `python -m evals.NAME`, that prints figures."""
