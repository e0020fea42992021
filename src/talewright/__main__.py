"""Runs the command line for `python -m talewright`."""

from talewright.cli import main

raise SystemExit(main())
