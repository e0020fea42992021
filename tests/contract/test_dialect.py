"""The Dialect port: what an answer is read against when nothing more is said."""

from talewright.contract.dialect import AnswerGround
from talewright.kernel.state.state import begin
from tests.contract.chapel import chapel


def test_ground_asks_for_a_whole_answer_in_english() -> None:
    game = chapel()
    ground = AnswerGround(game, begin(game))
    assert (ground.language, ground.used_operations, ground.tools) == ("en", frozenset(), ())
    assert (ground.moves_only, ground.updates_only) == (False, False)
