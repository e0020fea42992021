"""The tail: the state without secrets, notes, the scene, what lies ahead, what happened, and the input."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import Position, begin
from talewright.kernel.story.cards import Card, PromptWeight
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import Note, Sight
from talewright.prompt.current_turn_part import (
    AHEAD_MAX,
    CHANGED,
    NEAR_SCENES_MAX,
    Situation,
    TailMoment,
    show_changes,
    show_state,
    write_changed,
    write_tail,
)
from talewright.prompt.past_turns_part import TranscriptInput
from talewright.prompt.words.english import ENGLISH
from tests.kernel.making import (
    boolean,
    integer,
    listing,
    make_game,
    make_layout,
    make_scene,
    make_trigger,
    opened,
    record,
    string,
)
from tests.plugs.toll import Toll
from tests.turn.stories import GAME, stand, tower

TEXTS = tower().words("en")
ROOM = 10_000


def secret(slot: Slot) -> Slot:
    return replace(slot, secret=True)


def tail(game: Game, position: Position, moment: TailMoment, texts: Texts = TEXTS, room: int = ROOM) -> str:
    return write_tail(game, texts, position, moment, room).text


def test_a_turn_with_everything() -> None:
    moment = TailMoment(
        TranscriptInput("I climb", lore=("It rains.",)),
        ("Step after step.", "Dust."),
        ({"kind": "roll", "b": "é"},),
        ("[INDEX]\n{}",),
        (("climb", "Climb the stair"), ("sing", "Sing [RESULTS]")),
        care=True,
        trimmed=True,
    )
    assert tail(GAME, stand(scene="hall"), moment) == "\n\n".join(
        [
            "[VERSION]\n4",
            '[STATE]\n{"coins":3,"place":"hall"}',
            "[INDEX]\n{}",
            "[SCENE]\nA hall with a stair.\n"
            "- climb: Climb the stair\n- jump: Jump into the dark\n- dice: Throw a die",
            "[TABLE]\n- sing: Sing (RESULTS)",
            f"[FORM]\n{ENGLISH.trimmed}",
            "[HAPPENED]\nStep after step.\nDust.",
            '[RESULTS]\n[{"b":"é","kind":"roll"}]',
            f"[CARE]\n{ENGLISH.care.format(rating='PG-13')}",
            "[LORE]\n- It rains.\n\n[PLAYER]\nI climb",
        ]
    )


def test_a_turn_with_next_to_nothing() -> None:
    position = stand(ending="flown")
    expected = f'[VERSION]\n4\n\n[STATE]\n{{"coins":3,"place":"hall"}}\n\n[PLAYER]\n{ENGLISH.going_on}'
    assert tail(GAME, position, TailMoment(TranscriptInput(""))) == expected
    # Once the game is over there is no scene any more, whichever it was.
    assert tail(GAME, stand(ending="flown", scene="hall"), TailMoment(TranscriptInput(""))) == expected


def test_scenes_that_may_come_next() -> None:
    near = tail(GAME, stand(), TailMoment(TranscriptInput("I wait")))
    assert "\n\n[NEAR]\n- A hall with a stair.\n\n[PLAYER]" in near
    layout = make_layout({"x": integer(1)})
    scenes = [make_scene(layout, f"s{number}", "x == 1") for number in range(5)]
    texts = Texts("en", {f"scene.s{number}.text.1": "A long passage. " * 50 for number in range(5)})
    game = make_game(layout, scenes=scenes)
    lines = (
        tail(game, begin(game), TailMoment(TranscriptInput("")), texts)
        .split("[NEAR]\n")[1]
        .split("\n\n")[0]
        .split("\n")
    )
    assert len(lines) == NEAR_SCENES_MAX
    assert all(line.endswith("...") and len(line) < 300 for line in lines)


def test_notes_of_the_systems() -> None:
    toll = Toll()
    game = make_game(make_layout(toll.slots({})), systems=[toll])
    told = tail(game, begin(game), TailMoment(TranscriptInput("I wave")), Texts("en"))
    assert "\n\n[NOTES]\n- The keeper is afraid of the water.\n- The bridge has a toll.\n\n" in told


LAYOUT = make_layout(
    {
        "hp": integer(9),
        "owed": secret(integer(5)),
        "gone": boolean(),
        "bag": record(n=integer(), s=secret(string())),
    }
)


def ahead(*triggers: tuple[str, str, str], spent: str = "") -> list[str]:
    made = [make_trigger(LAYOUT, name, when, event=event, once=True) for name, when, event in triggers]
    game = make_game(LAYOUT, triggers=made)
    position = begin(game)
    engine = position.state.document["_engine"]
    assert isinstance(engine, dict)
    document = {**position.state.document, "_engine": {**engine, "once": {spent: True}}}
    told = tail(
        game,
        replace(position, state=replace(position.state, document=document)),
        TailMoment(TranscriptInput("x")),
        Texts("en"),
    )
    return told.split("[AHEAD]\n")[1].split("\n\n")[0].split("\n") if "[AHEAD]" in told else []


def test_what_will_happen_by_itself() -> None:
    assert ahead(("b", "hp < 5", "You stumble."), ("a", "turn > 9", "Night falls.")) == [
        "- turn > 9: Night falls.",
        "- hp < 5: You stumble.",
    ]


def test_nothing_is_told_ahead_that_has_happened_or_holds_or_is_secret_or_says_nothing() -> None:
    hidden = [("a", "hp < 5", "x"), ("b", "hp == 9", "x"), ("c", "owed > 9", "x"), ("d", "hp < 3", "")]
    assert ahead(*hidden, spent="a") == []
    many = [(f"t{number}", f"hp < {number}", "x") for number in range(1, 9)]
    assert len(ahead(*many)) == AHEAD_MAX
    (long,) = ahead(("a", "hp < 5", "word " * 500))
    assert len(long) < 400


def test_effects_stand_for_events_where_there_are_none() -> None:
    effects = (
        Update(Op.SET, "gone", True),
        Update(Op.INC, "owed", 1),
        Update(Op.SET, "bag", {"n": 1, "s": "canary"}),
    )
    trigger = make_trigger(LAYOUT, "a", "hp < 5", *effects)
    game = make_game(LAYOUT, triggers=[trigger])
    told = tail(game, begin(game), TailMoment(TranscriptInput("x")), Texts("en"))
    assert '[AHEAD]\n- hp < 5: set gone true, set bag {"n":1}\n' in told


def state_of(game: Game) -> dict[str, object]:
    return dict(show_state(game, begin(game)))


def test_what_is_secret_is_left_out_at_any_depth() -> None:
    layout = make_layout(
        {
            "open": integer(1),
            "shut": secret(string("canary")),
            "mixed": record(
                a=integer(2), b=secret(string("canary")), c=record(d=secret(integer(7)), e=integer(3))
            ),
            "list": listing(record(n=integer(), s=secret(string())), {"n": 1, "s": "canary"}),
            "names": listing(string(), "x", "y"),
            "keys": opened(record(n=integer(), s=secret(string())), {"k": {"n": 1, "s": "canary"}}),
            "hidden": replace(string("the narrator knows"), hidden=True),
        }
    )
    assert state_of(make_game(layout)) == {
        "open": 1,
        "mixed": {"a": 2, "c": {"e": 3}},
        "list": [{"n": 1}],
        "names": ["x", "y"],
        "keys": {"k": {"n": 1}},
        "hidden": "the narrator knows",
    }


def weighed() -> Game:
    layout = make_layout({name: integer(number) for number, name in enumerate("abcde")})
    cards = (
        Card("a", prompt_weight=PromptWeight.HIDDEN),
        Card("b", prompt_weight=PromptWeight.LOW),
        Card("d", prompt_weight=PromptWeight.HIGH),
    )
    return replace(make_game(layout), cards=cards)


def test_what_weighs_more_stands_first_and_what_the_author_keeps_out_is_left_out() -> None:
    assert list(state_of(weighed())) == ["d", "c", "e", "b"]


def test_what_goes_first_where_there_is_no_room() -> None:
    layout = make_layout({"hp": integer(9), "gold": integer(), "mark": integer()})
    scene = make_scene(layout, "s", "hp == 9")
    game = replace(
        make_game(
            layout,
            scenes=[scene, make_scene(layout, "t", "hp == 9")],
            triggers=[make_trigger(layout, "a", "hp < 5", event="x")],
        ),
        cards=(Card("hp", prompt_weight=PromptWeight.HIGH), Card("mark", prompt_weight=PromptWeight.LOW)),
        systems=(Toll(),),
    )
    game = replace(game, layout=make_layout({**layout.roots, **Toll().slots({})}))
    game = replace(game, initial=game.layout.defaults())
    first = begin(game)
    engine = first.state.document["_engine"]
    assert isinstance(engine, dict)
    document = {**first.state.document, "_engine": {**engine, "scene": "s"}}
    position = replace(first, state=replace(first.state, document=document))
    moment = TailMoment(TranscriptInput("I go", lore=("It rains.",)), results=(1,), table=(("x", "X"),))
    fitted = write_tail(game, Texts("en"), position, moment, 0)
    assert [cut.name for cut in fitted.cuts] == [
        *("state.low", "near", "ahead", "table", "state.medium", "notes", "scene.words", "state.high"),
    ]
    assert fitted.text == (
        "[VERSION]\n0\n\n[SCENE]\n\n[RESULTS]\n[1]\n\n[LORE]\n- It rains.\n\n[PLAYER]\nI go"
    )


def test_a_state_of_which_nothing_may_be_shown() -> None:
    kept_out = tuple(Card(name, prompt_weight=PromptWeight.HIDDEN) for name in "abcde")
    game = replace(weighed(), cards=kept_out)
    assert "[STATE]" not in tail(game, begin(game), TailMoment(TranscriptInput("x")))


def test_a_change_of_what_is_secret_is_not_shown() -> None:
    game = make_game(make_layout({"coins": integer(3), "plot": secret(string("a"))}))
    changes = [
        Change("replace", "/plot", "b", "a", "", "engine"),
        Change("replace", "/coins", 4, 3, "", "engine"),
    ]
    assert show_changes(game, changes) == [{"op": "replace", "path": "/coins", "value": 4}]


def changed(before: Situation, now: Situation, *lore: str, room: int = ROOM) -> list[str]:
    """The parts that have changed, without what introduces them."""
    told = write_changed(GAME, TEXTS, before, now, lore, room)
    first, *parts = told.split("\n\n")
    assert first == (CHANGED if told else "")
    return parts


def test_what_has_changed_replaces_what_was_told() -> None:
    before, now = Situation(stand(scene="hall"), ("[INDEX]\n{}",)), Situation(stand(coins=0, scene="hall"))
    assert changed(before, before) == []
    assert changed(before, now, "It rains.") == [
        '[STATE]\n{"coins":0}',
        "[SCENE]\nA hall with a stair.\n"
        "- climb: Climb the stair\n- beg: Beg\n- jump: Jump into the dark\n- dice: Throw a die",
        "[LORE]\n- It rains.",
    ]
    # An addition is told again if it is another one.
    assert changed(now, before)[1] == "[INDEX]\n{}"


def test_a_part_that_has_become_empty_says_so() -> None:
    before, now = Situation(stand(scene="hall")), Situation(stand(ending="flown", scene="hall"))
    assert changed(before, now) == [f"[SCENE]\n{ENGLISH.none}"]
    assert changed(Situation(stand()), now) == [f"[NEAR]\n{ENGLISH.none}"]


def test_of_the_state_only_members_that_differ_are_told_and_no_secrets() -> None:
    layout = make_layout(
        {
            "hp": integer(9),
            "owed": secret(integer(5)),
            "bag": record(n=integer(), m=integer(4), s=secret(string())),
            "keys": opened(record(n=integer()), {"k": {"n": 1}, "l": {"n": 2}}),
            "names": listing(string(), "x", "y"),
            "done": boolean(),
        }
    )
    game = make_game(layout)
    first = begin(game)
    document: dict[str, Json] = {
        **first.state.document,
        "owed": 6,
        "bag": {"n": 1, "m": 4, "s": "canary"},
        "keys": {"k": {"n": 1}, "new": {"n": 3}},
        "names": ["x"],
    }
    second = replace(first, state=replace(first.state, document=document))
    told = write_changed(game, Texts("en"), Situation(first), Situation(second), (), ROOM)
    assert told.split("[STATE]\n")[1] == ('{"bag":{"n":1},"keys":{"l":null,"new":{"n":3}},"names":["x"]}')


class Counting(Toll):
    """A toll with a long note that follows the state."""

    def notes(self, sight: Sight) -> Sequence[Note]:
        bridge = sight.document["bridge"]
        assert isinstance(bridge, Mapping)
        return (Note(f"{bridge['coins']} coins are left. {'Nobody counts them. ' * 60}"),)


def test_the_notes_are_clipped_where_there_is_no_room_and_never_dropped() -> None:
    system = Counting()
    layout = make_layout(system.slots({}))
    scenes = [make_scene(layout, "s", "bridge.coins == 3")]
    game = make_game(layout, systems=[system], scenes=scenes)
    texts = Texts("en", {"scene.s.text.1": "A passage. " * 30})
    first = begin(game)
    bridge = first.state.document["bridge"]
    assert isinstance(bridge, Mapping)
    document = {**first.state.document, "bridge": {**bridge, "coins": 2}}
    before = Situation(replace(first, state=replace(first.state, document=document)))
    whole, short = (write_changed(game, texts, before, Situation(first), (), room) for room in (ROOM, 100))
    assert "[NEAR]" in whole
    assert "[NEAR]" not in short
    assert "[NOTES]\n- 3 coins are left. Nobody counts them." in short
    assert short.endswith("...")
    assert len(short) < len(whole) / 2
