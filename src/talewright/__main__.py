"""`python -m talewright` is the command line."""

from talewright.cli import main

raise SystemExit(main())
