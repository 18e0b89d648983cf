"""`python -m cutscore` is `cutscore`."""

import sys

from cutscore.cli import main

if __name__ == "__main__":
    sys.exit(main())
