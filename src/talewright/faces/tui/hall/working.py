"""Working: what a screen does behind what it shows, while keys go on being heard.

A newer job of the same group takes the place of an older one. A job tells its own trouble; none ends the app.
"""

from collections.abc import Callable, Coroutine

from textual.dom import DOMNode
from textual.worker import Worker


def work(node: DOMNode, job: Callable[[], Coroutine[None, None, None]], group: str) -> Worker[None]:
    """Let a job run; it is called only when its turn comes, so that one which is replaced never began."""
    return node.run_worker(job, group=group, exclusive=True, exit_on_error=False)
