"""Results: what the model learns of rulings and changes."""

from dataclasses import replace

from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT
from talewright.prompt.current_turn_part import prune, show_changes, write_plainly, write_results
from tests.kernel.making import integer, listing, make_game, make_layout, record, string

SHUT = replace(string(), secret=True)
GAME = make_game(make_layout({"open": integer(), "shut": SHUT, "bag": listing(record(n=integer(), s=SHUT))}))


def test_results_in_words() -> None:
    assert write_results([{"b": 1, "a": "你"}, None]) == '[RESULTS]\n[{"a":"你","b":1},null]'
    assert write_plainly({"b": [1, 2.5, True], "a": None}) == '{"a":null,"b":[1,2.5,true]}'


def test_changes_that_may_be_known() -> None:
    changes = [
        Change("replace", "/open", 1, 0, "found", "model"),
        Change("replace", "/shut", "canary", "", "", "system:x"),
        Change("add", "/bag/0", {"n": 1, "s": "canary"}, ABSENT, "", "system:x"),
        Change("replace", "/bag/0/s", "canary", "", "", "system:x"),
        Change("remove", "/bag/0", ABSENT, {"n": 1, "s": "canary"}, "", "system:x"),
    ]
    assert show_changes(GAME, changes) == [
        {"op": "replace", "path": "/open", "value": 1},
        {"op": "add", "path": "/bag/0", "value": {"n": 1}},
        {"op": "remove", "path": "/bag/0"},
    ]


def test_values_without_what_is_secret() -> None:
    bag = GAME.layout.roots["bag"]
    assert prune(bag, [{"n": 1, "s": "canary"}, {"n": 2}]) == [{"n": 1}, {"n": 2}]
    assert prune(bag, []) == []
    assert prune(integer(), 5) == 5
    assert prune(string(), "text") == "text"
    # A member that no slot knows is nobody's to tell.
    assert prune(record(n=integer()), {"n": 1, "stray": 2}) == {"n": 1}
