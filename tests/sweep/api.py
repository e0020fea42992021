"""The HTTP API, swept: five minutes of schemathesis, from examples to sequences of requests.

No answer may be a server error, nor anything that the OpenAPI document does not describe.
"""

import re
import time

from tests.faces.http.fuzzing import fuzz
from tests.sweep.parts import Order, Outcome

SECONDS = 300


def sweep(order: Order) -> Outcome:
    """Send generated requests for five minutes; a count is taken for seconds."""
    began = time.monotonic()
    seconds = min(order.count or SECONDS, int(order.seconds))
    ran = fuzz(order.seed, f"--max-time={seconds}")
    found = re.search(r"(\d+) generated", ran.stdout)
    sent = int(found[1]) if found else 0
    failure = "" if ran.returncode == 0 and sent else f"{ran.stdout}\n{ran.stderr}"
    return Outcome(sent, sent, time.monotonic() - began, failure, {"seconds": seconds})
