"""`python -m serve.cli`, the same as `dblore`."""

import sys

from serve.cli import main

if __name__ == "__main__":
    sys.exit(main())
