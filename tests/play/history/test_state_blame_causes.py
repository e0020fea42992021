"""Provenance: what set a place, in words for a player and for an author."""

from talewright.kernel.judging.moves import Op, Update
from talewright.play.campaign_view import Viewer
from talewright.play.history.campaign_history import ArchivedCampaign, read_history
from talewright.play.history.state_blame import Origin, find_place, trace
from talewright.play.playable_games import PinnedGames
from talewright.play.presentation.value_wording import Wording
from tests.play.history.tiny import EDITIONS, HIDDEN, TINY, begin_tiny, gain, pack, pay, run, take

WORDING = Wording(TINY.words("en"), "en")


def traced(viewer: Viewer, *path: str) -> list[Origin]:
    async def go() -> list[Origin]:
        scribe = await begin_tiny()
        await take(scribe, "beg", gain(5), roll=True)
        await take(scribe, "buy", pay(3), pack("lamp"), cause="scene:market")
        await take(scribe, "turn", Update(Op.SET, "plot", f"{HIDDEN} twice"), cause="trigger:doom")
        past = ArchivedCampaign(
            scribe.book, await read_history(scribe.book), PinnedGames(scribe.book, EDITIONS)
        )
        return list(await trace(past, past.history.head, path, viewer))

    return run(go())


def test_player_is_told_turn_cause_reason_and_roll() -> None:
    paid, begged, begun = traced(Viewer.PLAYER, "gold")
    assert (paid.version, paid.said, paid.reason, paid.move) == (2, "buy", "the toll", "")
    assert "15" in paid.text
    assert "12" in paid.text
    assert "market" not in paid.cause
    assert begged.rolls[0].startswith("d6 (")
    assert paid.rolls == ()
    assert begun.version == 0
    assert "10" in begun.text
    assert "raw" not in begun.to_json()
    assert begun.to_json()["version"] == 0


def test_author_is_told_the_move_and_the_scene() -> None:
    paid = traced(Viewer.AUTHOR, "gold")[0]
    assert paid.move == "dec gold 3"
    assert paid.cause.endswith("(scene:market)")
    assert paid.raw is not None


def test_hidden_place_is_told_to_those_who_may_see_it() -> None:
    assert traced(Viewer.PLAYER, "plot") == []
    assert [origin.version for origin in traced(Viewer.AUTHOR, "plot")] == [3, 0]


def test_place_is_found_by_path_and_by_name() -> None:
    game = TINY.game
    assert find_place(game, WORDING, "gold", Viewer.PLAYER) == ("gold",)
    assert find_place(game, WORDING, "/time/hour", Viewer.PLAYER) == ("time", "hour")
    assert find_place(game, WORDING, "Gold", Viewer.PLAYER) == ("gold",)
    assert find_place(game, WORDING, "plot", Viewer.PLAYER) is None
    assert find_place(game, WORDING, "plot", Viewer.MASTER) == ("plot",)
    assert find_place(game, WORDING, "a..b", Viewer.PLAYER) is None
