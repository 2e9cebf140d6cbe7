"""python -m pocketindex"""

import sys

from pocketindex.cli import main

sys.exit(main())
