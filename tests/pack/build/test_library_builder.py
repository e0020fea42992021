"""The cast read: people, things, lore and the patterns lore may use."""

import json
import time

import pytest

from talewright.kernel.story.cast import GameItem, LoreLogic, Person
from talewright.prompt.lore.regex_matcher import find_mistake, make_automaton
from talewright.prompt.lore.regex_parser import PatternError
from tests.pack.making import brief, check_fault, compile_game, find_mark, good_game
from tests.pack.samples import ITEMS, LORE, NPCS

GAME = "variables:\n  - {id: rope, type: integer, min: 0, max: 9}\n"
PATTERN_SECONDS_MAX = 0.1


def test_people_and_things_keep_ids_and_their_words_go_into_the_texts() -> None:
    compiled = compile_game(GAME, {"npcs.yaml": NPCS, "items.yaml": ITEMS})
    assert compiled.faults == ()
    assert compiled.game is not None
    assert compiled.game.people == (Person("han", "mill"),)
    assert compiled.game.items == (GameItem("rope", ("tool",), True),)
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
    assert (lore.id, lore.logic, lore.whole_words, lore.recurse) == (
        "mill",
        LoreLogic.ANY_AND_ALL,
        True,
        True,
    )
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
        "bad-pattern: Fix it, or delete `regex`."
    ),
    ("lore/a.yaml", "- {id: a, text: x, regex: true, keys: [a], secondary_keys: [»'(?=b)']}\n"): (
        "bad-pattern: Fix it, or delete `regex`."
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
    "pattern",
    ["mill(er)?", "[a-z]+", r"\bmill\b", "(?:a|b){2,3}", r"\d+\\1", "磨坊|水井", "(?P<who>mill)", "a+?"],
)
def test_a_pattern_that_can_be_matched_is_taken(pattern: str) -> None:
    assert mistakes_in(pattern) == []


REFUSED = {
    r"(a)\1": r"\1 is not supported",
    r"(?P<a>b)(?P=a)": "backreferences, lookahead, lookbehind and flags are not supported",
    "a(?=b)": "backreferences, lookahead, lookbehind and flags are not supported",
    "(?<!a)b": "backreferences, lookahead, lookbehind and flags are not supported",
    "(?>a)": "backreferences, lookahead, lookbehind and flags are not supported",
    "(?i)a": "backreferences, lookahead, lookbehind and flags are not supported",
    "(?#a)b": "backreferences, lookahead, lookbehind and flags are not supported",
    "a++": "a count follows another count",
    r"\Amill\Z": r"\A is not supported",
    r"mill\z": r"\z is not supported",
    "a{,3}": r"a count is written {2}, {2,} or {2,5}; a brace itself is written \{",
    "a{51}": "a count is at most 50, with the smaller number first",
    "(?:a{50}){50}{2}": "a count follows another count",
    "(?:(?:a{50}){50}){2}": "its counts make the pattern too long",
    "^*": r"a position such as ^ or \b cannot be repeated",
    "(": "a group is not closed",
    "[": "a class is not closed",
    "a{3,2}": "a count is at most 50, with the smaller number first",
    "\\": "there is nothing behind the last backslash",
    "a" * 201: "a pattern has at most 200 characters, not 201",
}


@pytest.mark.parametrize("pattern", REFUSED, ids=lambda pattern: pattern[:20])
def test_a_pattern_that_cannot_be_matched_is_told(pattern: str) -> None:
    assert mistakes_in(pattern) == [f"this regular expression cannot be used: {REFUSED[pattern]}"]


@pytest.mark.parametrize("pattern", [*REFUSED, "mill(er)?", "磨坊|水井", "a" * 200])
def test_the_compiler_agrees_with_the_matcher(pattern: str) -> None:
    taken = True
    try:
        make_automaton(pattern, case_sensitive=False)
    except PatternError:
        taken = False
    assert taken is (mistakes_in(pattern) == [])


def mistakes_in(pattern: str) -> list[str]:
    """What the compiler says of a key."""
    lore = f"- {{id: a, text: x, regex: true, keys: [{json.dumps(pattern)}]}}\n"
    return [fault.message for fault in compile_game(GAME, {"lore/a.yaml": lore}).faults]


@pytest.mark.parametrize(
    "pattern", ["(" * 100 + ")" * 100, "a{1,60000}{1,60000}", "((a*)*)*" * 20, "a?" * 100]
)
def test_a_hostile_pattern_costs_little_to_look_at(pattern: str) -> None:
    started = time.process_time()
    find_mistake(pattern)
    assert time.process_time() - started < PATTERN_SECONDS_MAX


WORDS = "language: en\nlanguages: [en, zh-CN]\n"
FURTHER = {
    "mill: {keys: [»'(?i)磨坊']}\n": "bad-pattern: Fix it, or delete `regex`.",
    "mill: {keys: [磨坊], secondary_keys: [水井, »'(']}\n": "bad-pattern: Fix it, or delete `regex`.",
}


@pytest.mark.parametrize("line", FURTHER)
def test_keys_of_a_further_language_are_held_to_the_same(line: str) -> None:
    files = {
        "lore/a.yaml": "- {id: mill, text: x, regex: true, keys: [mill], secondary_keys: [a, b]}\n",
        "texts/zh-CN/lore/a.yaml": line,
    }
    texts, place = find_mark(files)
    found = [fault for fault in compile_game(GAME + WORDS, texts).faults if fault.code == "bad-pattern"]
    assert [brief(fault) for fault in found] == [f"{place} {FURTHER[line]}"]
    plain = {**texts, "lore/a.yaml": texts["lore/a.yaml"].replace("regex: true, ", "")}
    assert not [fault for fault in compile_game(GAME + WORDS, plain).faults if fault.code == "bad-pattern"]
