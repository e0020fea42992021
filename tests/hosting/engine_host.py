"""A worker of crash tests that carries another engine number, as one of a later version would.

The number has to be set before anything else is imported, so this module is only a program.
"""

import asyncio
import json
import os

from talewright.turn import engine_number

if __name__ == "__main__":
    options = json.loads(os.environ["WORKER_OPTIONS"])
    engine_number.ENGINE_NUMBER = options["engine"]

    from tests.hosting.crash_host import work

    asyncio.run(work(options))
