"""Grammars of short answers: whatever they allow can be read, and every update in it stands."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from talewright.contract.cards.dialect import CardsDialect
from talewright.contract.dialect import AnswerGround, Dialect, ModelAnswer
from talewright.contract.patch.dialect import PatchDialect
from talewright.kernel.judging.move_resolution import judge
from talewright.kernel.judging.moves import MODEL, Call, Op, Update
from talewright.kernel.judging.rulings import Granted
from talewright.kernel.slots.slot_types import Policy
from talewright.kernel.system import Sight
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Stop, StopReason, Text
from tests.contract.cards_making import make_ground
from tests.contract.chapel import Trying, ground
from tests.contract.grammar_samples import GrammarSamples
from tests.kernel.making import Scripted, enum, integer, listing, make_game, make_layout, string

SEED = 20261116
DRAWS = 150
SLOW = Profile(
    "slow",
    short_prompts=True,
    takes_grammar=True,
    string_length_max=300,
    list_items_max=1,
    output_tokens_max=300,
)


def read(dialect: Dialect, where: AnswerGround, text: str) -> ModelAnswer:
    reader = dialect.reader(where)
    reader.feed(Text(text))
    reader.feed(Stop(StopReason.END))
    return reader.finish()


def forms(where: AnswerGround) -> list[AnswerGround]:
    return [where, replace(where, updates_only=True), replace(where, moves_only=True)]


@pytest.mark.parametrize("language", ["en", "zh-CN", "ja"])
@pytest.mark.parametrize("dialect", [CardsDialect(), PatchDialect()], ids=["cards", "patch"])
def test_whatever_a_grammar_allows_is_read_and_stands(dialect: Dialect, language: str) -> None:
    where = make_ground() if dialect.name == "cards" else ground()
    ops: set[Op] = set()
    for wanted in forms(replace(where, language=language, short=True)):
        samples = GrammarSamples(dialect.grammar(wanted, SLOW), SEED)
        for number in range(DRAWS):
            text = samples.draw()
            answer = read(dialect, wanted, text)
            assert not answer.hard_flaws, f"seed {SEED}, draw {number}: {text!r} {answer.flaws}"
            step = judge(wanted.game, wanted.position, list(answer.moves), MODEL, Scripted(), {})
            assert all(isinstance(ruling, Granted) for ruling in step.rulings), (SEED, number, text)
            ops |= {move.op for move in answer.moves if isinstance(move, Update)}
            if not (wanted.updates_only or wanted.moves_only):
                assert answer.prose.strip()
                assert answer.prose.strip()[-1] in ".!?。！？"
    assert len(ops) >= 2


class Naming(Trying):
    """A system that knows which words its tool accepts."""

    def argument_values(self, tool: str, sight: Sight) -> Mapping[str, Sequence[str]]:
        return {"skill": ("stealth", "guile"), "difficulty": ("easy", "hard")}


def test_an_attempt_names_what_the_game_accepts() -> None:
    where = ground(Naming(), short=True, moves_only=True)
    samples = GrammarSamples(PatchDialect().grammar(where, SLOW), SEED)
    answers = [read(PatchDialect(), where, samples.draw()) for _ in range(40)]
    calls = [move for answer in answers for move in answer.moves]
    assert all(
        isinstance(call, Call) and call.arguments["skill_used"] in ("stealth", "guile") for call in calls
    )
    assert 0 < len(calls) < len(answers)
    assert not any(answer.flaws for answer in answers)


def test_a_system_that_names_nothing_gets_no_attempt() -> None:
    where = ground(Trying(), short=True, moves_only=True)
    assert PatchDialect().grammar(where, SLOW).count("null") == 1


def test_an_attempt_is_part_of_the_block_unless_it_was_judged_before() -> None:
    where = ground(Naming(), short=True)
    grammar = PatchDialect().grammar(where, SLOW)
    assert "mechanics" in grammar
    assert read(PatchDialect(), where, GrammarSamples(grammar, SEED).draw()).hard_flaws == ()
    first = replace(where, game=replace(where.game, plan="moves_first"))
    assert "mechanics" not in PatchDialect().grammar(first, SLOW)


def test_where_nothing_can_change_no_update_is_allowed() -> None:
    where = replace(
        make_ground(make_game(make_layout({"fate": replace(integer(), readonly=True)}))), short=True
    )
    for dialect in (CardsDialect(), PatchDialect()):
        answer = read(dialect, where, GrammarSamples(dialect.grammar(where, SLOW), SEED).draw())
        assert (answer.moves, answer.hard_flaws) == ((), ())


def test_a_number_is_counted_or_set_as_its_policy_has_it() -> None:
    slots = {
        "counted": integer(5, 0, 10),
        "set_only": replace(integer(5, 0, 10), policy=Policy.SET_ONLY),
        "full": integer(10, 0, 10),
        "endless": integer(5),
        "names": listing(string(), "one"),
        "title": string(),
        "tag": replace(string(), max_length=8),
        "lit": listing(enum("red", "blue"), "red"),
        "all_lit": listing(enum("red"), "red"),
    }
    where = replace(make_ground(make_game(make_layout(slots))), short=True)
    grammar = CardsDialect().grammar(where, SLOW)
    written = grammar.replace("\\", "")
    assert '"op": "inc", "path": "counted"' in written
    assert '"op": "set", "path": "counted"' not in written
    assert '"op": "set", "path": "set_only"' in written
    assert '"op": "inc", "path": "full"' not in written
    assert '"op": "dec", "path": "full"' in written
    assert '"op": "inc", "path": "endless", "value": " ("1" | "2"' in written
    assert '"op": "remove", "path": "names", "value": " (""one"")' in written
    assert '"op": "set", "path": "title", "value": " text' in written
    assert '"path": "tag"' not in written
    assert '"op": "push", "path": "lit", "value": " (""blue"")' in written
    assert '"op": "push", "path": "all_lit"' not in written


@pytest.mark.parametrize("dialect", [CardsDialect(), PatchDialect()], ids=["cards", "patch"])
@pytest.mark.parametrize("profile", [replace(SLOW, takes_grammar=False), replace(SLOW, short_prompts=False)])
def test_only_short_answers_have_a_grammar_and_only_where_it_is_enforced(
    dialect: Dialect, profile: Profile
) -> None:
    assert dialect.grammar(ground(), profile) == ""


def test_what_the_author_has_settled_is_only_told() -> None:
    for dialect, where in ((CardsDialect(), make_ground()), (PatchDialect(), ground())):
        grammar = dialect.grammar(replace(where, short=True, settled=True), SLOW)
        assert "update" not in grammar.replace("state_updates", "")
        assert "change" not in grammar
