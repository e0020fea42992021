"""The cast read: people, things, lore and the patterns lore may use."""

import time

import pytest

from talewright.kernel.cast import Item, Logic, Person
from talewright.pack.rules.patterns import PATTERN_LENGTH_MAX, find_mistake
from tests.pack.making import check_fault, compile_game, good_game
from tests.pack.samples import ITEMS, LORE, NPCS

GAME = "variables:\n  - {id: rope, type: integer, min: 0, max: 9}\n"
PATTERN_SECONDS_MAX = 0.1


def test_people_and_things_keep_ids_and_their_words_go_into_the_texts() -> None:
    compiled = compile_game(GAME, {"npcs.yaml": NPCS, "items.yaml": ITEMS})
    assert compiled.faults == ()
    assert compiled.game is not None
    assert compiled.game.people == (Person("han", "mill"),)
    assert compiled.game.items == (Item("rope", ("tool",), True),)
    texts = compiled.texts["en"]
    assert {key: text for key, text in texts.entries.items() if key.startswith(("npc", "item"))} == {
        "npc.han.name": "Han",
        "npc.han.description": "Old.",
        "npc.han.voice": "Dry.",
        "npc.han.secret": "She knows.",
        "item.rope.name": "Rope",
        "item.rope.description": "Worn.",
    }
    assert (texts.lists["npc.han.also"], texts.lists["npc.han.goals"]) == (("Mother Han",), ("rest",))


def test_lore_keeps_how_it_is_brought_up() -> None:
    (lore,) = good_game(GAME, {"lore/a.yaml": LORE}).lore
    assert (lore.id, lore.logic, lore.whole_words, lore.recurse) == ("mill", Logic.ANY_AND_ALL, True, True)
    assert (lore.priority, lore.sticky, lore.cooldown, lore.group, lore.weight) == (10, 2, 3, "buildings", 50)
    assert lore.budget == 100
    assert lore.when is not None
    assert lore.reveal_when is not None
    assert (lore.when.source, lore.reveal_when.source) == ("rope > 2", "rope > 3")


FAULTS = {
    ("npcs.yaml", "- »{id: han}\n"): "missing-field: Add `name:` with a text.",
    ("npcs.yaml", "- {id: han, name: Han, goals: »to rest}\n"): "wrong-type: Write it as a list: [to rest].",
    (
        "items.yaml",
        "- {id: key, name: Key}\n- {id: »key, name: K}\n",
    ): "duplicate-id: Give this one another id.",
    ("lore/a.yaml", "- »{id: a, text: x}\n"): (
        "missing-field: Add `keys:` with a list of words, or `constant: true`, or `when:` with a condition."
    ),
    ("lore/a.yaml", "- »{id: a, text: x, keys: [], constant: false}\n"): (
        "missing-field: Add `keys:` with a list of words, or `constant: true`, or `when:` with a condition."
    ),
    ("lore/a.yaml", "- {id: a, text: x, when: »rop > 1}\n"): "bad-condition: Write `rope`.",
    ("lore/a.yaml", "- {id: a, text: x, keys: [a], reveal_when: »rop > 1}\n"): "bad-condition: Write `rope`.",
    ("lore/a.yaml", "- {id: a, text: x, regex: true, keys: [a, »'b(']}\n"): (
        "bad-pattern: Mend it, or delete `regex`."
    ),
    ("lore/a.yaml", "- {id: a, text: x, regex: true, keys: [a], secondary_keys: [»'(?=b)']}\n"): (
        "bad-pattern: Mend it, or delete `regex`."
    ),
    (
        "lore/a.yaml",
        "- {id: a, text: x, regex: true, keys: [»3, 'b(']}\n",
    ): 'wrong-type: Put it in quotes: "3".',
}


@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case[1].strip())
def test_a_mistake_in_the_cast_is_told(case: tuple[str, str]) -> None:
    check_fault(FAULTS[case], GAME, dict([case]))


def test_keys_that_are_no_patterns_are_plain_words() -> None:
    good_game(GAME, {"lore/a.yaml": "- {id: a, text: x, keys: ['b(', '(?=c)']}\n"})


@pytest.mark.parametrize(
    "pattern", ["mill(er)?", "[a-z]+", r"\bmill\b", "(?:a|b){2,3}", r"\d+\\1", "磨坊|水井", "(?i)a"]
)
def test_a_pattern_that_can_be_matched_in_linear_time_is_taken(pattern: str) -> None:
    assert find_mistake(pattern) == ""


REFUSED = [
    r"(a)\1",
    r"(?P<a>b)(?P=a)",
    "a(?=b)",
    "a(?!b)",
    "(?<=a)b",
    "(?<!a)b",
    "(?>a)",
    "a++",
    "a*+",
    "a{2}+",
    "(a)(?(1)b)",
]


@pytest.mark.parametrize("pattern", REFUSED)
def test_what_needs_to_go_back_is_refused(pattern: str) -> None:
    assert find_mistake(pattern).startswith("references, looking ahead")


@pytest.mark.parametrize("pattern", ["(", "[", "*", "a{3,2}", "(?z)", "\\"])
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    assert find_mistake(pattern).startswith("this is no regular expression: ")


def test_a_pattern_has_a_length() -> None:
    assert find_mistake("a" * PATTERN_LENGTH_MAX) == ""
    assert "at most" in find_mistake("a" * (PATTERN_LENGTH_MAX + 1))


@pytest.mark.parametrize(
    "pattern", ["(" * 100 + ")" * 100, "a{1,60000}{1,60000}", "((a*)*)*" * 20, "a?" * 100]
)
def test_a_hostile_pattern_costs_little_to_look_at(pattern: str) -> None:
    started = time.process_time()
    find_mistake(pattern)
    assert time.process_time() - started < PATTERN_SECONDS_MAX
