"""The panel of the player: the map, who was last seen where, and what the player's character knows."""

from talewright.kernel.panel_parts import Chips, Lines, PlaceMap
from talewright.systems.world.panels import COLUMNS, lay_out
from tests.systems.world.making import WORLD, Play


def lines_of(play: Play, label: str) -> tuple[str, ...]:
    (panel,) = WORLD.panels(play.sight)
    found = [part.lines for part in panel.parts if isinstance(part, Lines) and part.label == label]
    return found[0] if found else ()


def test_who_is_here_and_who_was_last_seen_elsewhere() -> None:
    play = Play()
    play.end_turn()
    assert lines_of(play, "Last seen") == ()
    play.go("square")
    play.end_turn()
    assert lines_of(play, "Last seen") == ("Grim: The Dusty Tankard, just now",)
    play.wait(30)
    play.end_turn()
    # Sera has gone to the inn meanwhile; the player does not know that.
    (panel,) = WORLD.panels(play.sight)
    assert [part.words for part in panel.parts if isinstance(part, Chips)] == [("Bran",)]
    assert lines_of(play, "Last seen") == (
        "Sera: Market Square, 2 hours ago",
        "Grim: The Dusty Tankard, 3 hours ago",
    )
    play.wait(600)
    play.end_turn()
    assert lines_of(play, "Last seen")[-1] == "Grim: The Dusty Tankard, 2 days ago"


def test_the_same_in_chinese() -> None:
    play = Play(language="zh-CN")
    play.end_turn()
    play.go("square")
    play.end_turn()
    play.wait(12)
    play.end_turn()
    assert lines_of(play, "最后见到的地方")[-1] == "Grim：The Dusty Tankard，一小时前"


def test_somebody_hidden_is_never_seen_before_being_discovered() -> None:
    play = Play()
    play.go("cellar")
    play.end_turn()
    met = "ann" in play.own["met"]
    assert ("ann" in play.own["seen"]) is met


def test_a_sighting_is_noted_again_only_after_an_hour() -> None:
    play = Play()
    noted = []
    for _ in range(15):
        step = play.end_turn()
        noted.append(any(change.path.startswith("/world/seen/grim") for change in step.changes))
    assert noted.count(True) == 2


def test_places_stand_beside_those_that_ways_lead_to() -> None:
    ways = {(0, 1), (0, 2), (0, 3), (3, 4)}
    cells = lay_out(6, ways)
    for one, other in ways:
        (column, row), (there, below) = cells[one], cells[other]
        assert abs(column - there) + abs(row - below) == 1
    assert len(set(cells.values())) == 6
    assert all(0 <= column < COLUMNS for column, _ in cells.values())


def test_the_map_is_the_same_wherever_the_player_is() -> None:
    play = Play()
    play.go("square")
    play.go("mill")
    play.end_turn()
    maps = []
    for place in ("square", "inn"):
        play.go(place)
        (panel,) = WORLD.panels(play.sight)
        maps += [part for part in panel.parts if isinstance(part, PlaceMap)]
    assert maps[0].places == maps[1].places
    assert maps[0].here != maps[1].here
