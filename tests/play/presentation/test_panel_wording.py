"""Panels: part by part, and in words."""

from collections.abc import Sequence
from dataclasses import replace

from talewright.kernel.panel_parts import (
    Chips,
    Graph,
    GraphEdge,
    Lines,
    MapPlace,
    Meter,
    Panel,
    PlaceMap,
    Rolled,
    Table,
    TurnOrder,
)
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import Sight
from talewright.play.campaign_view import PanelView, PartKind, PartView, StatusView
from talewright.play.presentation.panel_wording import show_panel, show_panels
from talewright.play.presentation.value_wording import Wording
from talewright.play.wire.view_codec import from_wire, to_wire
from talewright.turn.background.background_troubles import BackgroundTroubles
from tests.kernel.making import make_game, make_layout
from tests.plugs.toll import Toll

EN = Wording(Texts("en", {"t": "Title", "w": "Water"}), "en")


class Speaker:
    """A system that speaks the player's language."""

    name = "speaker"

    def panels(self, sight: Sight) -> Sequence[Panel]:
        lines = Lines(f"turn {sight.turn}", (str(sight.files),))
        return (Panel("p", sight.language, (lines,), (("Turn", str(sight.turn)),)),)


def test_every_part_is_written_out() -> None:
    parts = (
        Meter("w", 2, 5),
        Chips("Mood", ("wary", "cold\x1b")),
        Chips("None", ()),
        Lines("Toll", ("3 coins", "or a song")),
        Lines("Empty", ()),
        Rolled("Last", (4, 2), 6),
        Rolled("One", (3,), 3),
    )
    assert show_panel(Panel("bridge", "t", parts), EN) == PanelView(
        "bridge",
        "Title",
        (
            "Water: 2/5",
            "Mood: wary, cold",
            "None: none",
            "Toll",
            "  3 coins",
            "  or a song",
            "Empty: none",
            "Last: 4 + 2 = 6",
            "One: 3",
        ),
        (
            PartView(PartKind.METER, "Water", ("2/5",), 2, 5),
            PartView(PartKind.CHIPS, "Mood", ("wary", "cold")),
            PartView(PartKind.CHIPS, "None"),
            PartView(PartKind.LINES, "Toll", ("3 coins", "or a song")),
            PartView(PartKind.LINES, "Empty"),
            PartView(PartKind.ROLLED, "Last", ("4 + 2 = 6",), 6, None, (4, 2)),
            PartView(PartKind.ROLLED, "One", ("3",), 3, None, (3,)),
        ),
    )


def test_shapes_are_written_out() -> None:
    places = (MapPlace("Gate", 0, 0), MapPlace("Hall", 1, 0), MapPlace("Well\x1b", 1, 1))
    parts = (
        Table("Fight", ("Name", "HP"), (("Goblin", "7"), ("You", "12"))),
        Table("", (), (("a", "b"),)),
        TurnOrder("Order", ("You", "Goblin"), 1),
        TurnOrder("Fight", ("You", "Goblin", "Fog"), 0, ((9, 12), (0, 7)), ("prone\x1b",)),
        PlaceMap("Cave", places, ((0, 1), (1, 2), (0, 9)), 1),
        Graph("Trust", ("A", "B"), (GraphEdge(0, 1, "trusts"), GraphEdge(1, 0), GraphEdge(-1, 0))),
    )
    shown = show_panel(Panel("fight", "t", parts), EN)
    assert shown.lines == (
        "Fight",
        "  Name | HP",
        "  Goblin | 7",
        "  You | 12",
        "a | b",
        "Order",
        "  You",
        "  > Goblin",
        "Fight",
        "  > You: 9/12, prone",
        "  Goblin: 0/7",
        "  Fog",
        "Cave",
        "  Gate: Hall",
        "  > Hall: Gate, Well",
        "  Well: Hall",
        "Trust",
        "  A -> B: trusts",
        "  B -> A",
    )
    table, bare, order, fight, cave, trust = shown.parts
    assert table.rows == (("Name", "HP"), ("Goblin", "7"), ("You", "12"))
    assert bare.rows == (("a", "b"),)
    assert (table.has_head, bare.has_head) == (True, False)
    assert (order.rows, order.current, order.levels) == ((("You", ""), ("Goblin", "")), 1, (None, None))
    assert (fight.rows[0], fight.levels) == (("You", "prone"), ((9, 12), (0, 7), None))
    assert (cave.spots, cave.links, cave.current) == (((0, 0), (1, 0), (1, 1)), ((0, 1), (1, 2)), 1)
    assert (trust.kind, trust.links) == (PartKind.GRAPH, ((0, 1), (1, 0)))
    assert from_wire(PanelView, to_wire(shown)) == shown


def test_panels_come_from_all_systems_in_the_players_language() -> None:
    toll, speaker = Toll(), Speaker()
    game = make_game(make_layout(toll.slots({})), systems=(toll, speaker))
    game = replace(game, files={"speaker": {"a": 1}})
    shown = show_panels(game, game.initial, 3, EN, BackgroundTroubles())
    assert [panel.title for panel, _ in shown] == ["The bridge", "en"]
    assert shown[1][0].lines == ("turn 3: {'a': 1}",)
    assert [added for _, added in shown] == [(), (StatusView("Turn", "3"),)]
