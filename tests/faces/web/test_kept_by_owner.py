"""What pages keep between requests: one value for each owner, gone with the owner's sessions."""

import gc
from types import SimpleNamespace
from typing import Any, cast

from talewright.faces.web.page_requests import KeptByOwner
from talewright.play.serving.session_pool import SessionPool


def make_services() -> Any:
    return SimpleNamespace(pool=SessionPool(cast(Any, None)))


def test_every_owner_has_a_value_for_as_long_as_there_are_sessions() -> None:
    kept: KeptByOwner[list[str]] = KeptByOwner(list)
    ann, bob = make_services(), make_services()
    kept.find(ann).append("a line of the story")
    assert kept.find(ann) == ["a line of the story"]
    assert kept.find(bob) == []
    assert kept.count == 2
    del ann
    gc.collect()
    assert kept.count == 1
