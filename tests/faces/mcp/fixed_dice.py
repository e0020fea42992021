"""`talewright mcp` as a process whose campaigns have the secret of the tests, so that its dice are known."""

import sys

from talewright import bootstrap
from talewright.cli import main
from tests.faces.mcp.serving import SECRET

if __name__ == "__main__":
    bootstrap.new_secret = lambda: SECRET
    sys.exit(main(["mcp", "--no-git", *sys.argv[1:]]))
