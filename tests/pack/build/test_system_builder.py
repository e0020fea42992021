"""Settings read: what game.yaml says of itself, and what holds where it says nothing."""

import pytest

from talewright.errors import TalewrightError
from talewright.kernel.game import ChanceRules, DecisionRule, FateKind, TellerWishes
from talewright.kernel.memory_rules import MemoryRules
from talewright.kernel.system import AuthorFiles, Tool
from tests.pack.making import check_fault, good_game
from tests.plugs.toll import Toll


class Careless(Toll):
    """A tool of it asks for something that nobody would look at."""

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return (Tool("pay", "", {"type": "object", "minProperties": 1}),)


def test_a_game_that_says_nothing_has_its_usual_settings() -> None:
    game = good_game()
    assert (game.id, game.version, game.language, game.languages) == ("well", "1.0.0", "en", ("en",))
    assert (game.contract, game.plan, game.content_rating, game.tone) == ("cards", "one_ask", "PG-13", "")
    assert (game.memory, game.chance, game.teller) == (MemoryRules(), ChanceRules(), TellerWishes())
    assert (game.model_may_end, game.systems, dict(game.files)) == (False, (), {})
    assert game.decisions is DecisionRule.RELAYED


def test_what_a_game_says_is_kept() -> None:
    game = good_game(
        """version: "2.1"
language: zh-CN
tone: quiet
content_rating: R
contract: tools
plan: tool_loop
model_may_end: true
decisions: player
llm: {recommended_model: some, temperature: 0.7, max_output_tokens: 900}
memory: {summary_every_turns: 1, keep_turns: 2, window_tokens: 3000, cut_to_tokens: 500}
chance: {fate: fresh, dice: [d6, d%, dF, d100, d20]}
"""
    )
    assert (game.version, game.language, game.tone, game.content_rating) == ("2.1", "zh-CN", "quiet", "R")
    assert (game.contract, game.plan, game.model_may_end) == ("tools", "tool_loop", True)
    assert game.decisions is DecisionRule.PLAYER
    assert game.teller == TellerWishes("some", 0.7, 900)
    assert game.memory == MemoryRules(1, 2, 3000, 500)
    assert game.chance == ChanceRules(FateKind.FRESH, frozenset({6, 100, "F", 20}))


FAULTS = {
    "chance: {dice: [d6, »20]}": "wrong-type: Write it like `d20`.",
    "chance: {dice: [d6, »w20]}": "bad-dice: Write d1 to d1000, dF or d%.",
    "chance: {dice: [»d1001]}": "bad-dice: Write d1 to d1000, dF or d%.",
    "chance: {dice: [»d0]}": "bad-dice: Write d1 to d1000, dF or d%.",
    "chance: {fate: »free}": "not-one-of: Write `fresh`.",
    "memory: {keep_turns: »0}": "out-of-range: Write 1 or more.",
    "memory: {window_tokens: »1e9}": "out-of-range: Write 10000000 or less.",
    "memory: {window_share: »60}": "out-of-range: Write 0.95 or less.",
    "contract: »card": "not-one-of: Write `cards`.",
    "plan: »moves": "not-one-of: Write `moves_first`.",
    "decisions: »master": "not-one-of: The words here are: player, relayed.",
    "llm: »some": "wrong-type: Write a mapping with settings for the storyteller.",
    "prompt_rules: {style_notes: »short}": "wrong-type: Write it as a list: [short].",
    "systems: »toll": "wrong-type: Write it as a list: [toll].",
    "systems: [toll, »tol]": "unknown-system: Write `toll`.",
    "systems: [toll, »weather]": "unknown-system: The systems here are: toll.",
    "systems: [toll, »toll]": "duplicate-id: Delete one of the two.",
    "languages: [en, »Chinese]": "bad-name: Write `zh-CN`.",
    "languages: [en, »Elvish]": "bad-name: Write it like `zh-CN`.",
    "languages: »[]": "bad-length: Add languages.",
    "version: »2": 'wrong-type: Put it in quotes: "2".',
    "tone:»": "wrong-type: Write a text.",
    "»tune: quiet": "unknown-field: Write `tone`.",
}


@pytest.mark.parametrize("line", FAULTS)
def test_a_mistake_in_a_setting_is_told(line: str) -> None:
    check_fault(FAULTS[line], f"{line}\n", systems={"toll": Toll()})


def test_without_systems_nothing_can_be_suggested_but_to_install_one() -> None:
    suggestion = "No system is installed: install the package that provides it, or delete it here."
    check_fault(f"unknown-system: {suggestion}", "systems: [»toll]\n")


def test_a_system_whose_schemas_are_not_understood_is_refused() -> None:
    systems = {"toll": Careless()}
    assert good_game(systems=systems).systems == ()
    with pytest.raises(TalewrightError, match="the keyword 'minProperties' is not understood"):
        good_game("systems: [toll]\n", systems=systems)


@pytest.mark.parametrize("text", ["»# nothing\n", "»- a\n", "»hello\n"])
def test_a_game_that_is_no_mapping_is_told(text: str) -> None:
    check_fault("wrong-type: Write a mapping with game_id, title and variables.", files={"game.yaml": text})


def test_a_game_without_a_name_is_told() -> None:
    suggestion = "Add `game_id:` with an id of ASCII letters, digits, _ and - and `title:` with a text."
    check_fault(f"missing-field: {suggestion}", files={"game.yaml": "»tone: quiet\n"})


def test_the_window_as_a_share() -> None:
    game = good_game("memory: {window_share: 0.6}\n")
    assert game.memory == MemoryRules(window_share=0.6)
    assert good_game("memory: {keep_turns: 2}\n").memory == MemoryRules(keep_turns=2)
