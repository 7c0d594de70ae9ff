"""Makes ``python -m ltrlib`` the same as the console script."""

import sys

from ltrlib.cli import main

if __name__ == "__main__":
    sys.exit(main())
