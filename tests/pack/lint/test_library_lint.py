"""People, items and lore that have no part in the game, and names that lead nowhere."""

import pytest

from tests.pack.lint.making import codes, find

GAME = """\
variables:
- {id: place, type: enum, enum_values: [inn, mill]}
- {id: hp, type: integer, min: 0, max: 9}
- {id: trust, type: object, fields: {lian: {type: integer}}}
"""
SCENE = "- id: s\n  when: 'true'\n  text: TEXT\n  choices: [{label: a}, {label: b}, {label: c}]\n"


def people(*lines: str) -> dict[str, str]:
    return {"npcs.yaml": "".join(f"- {{{line}}}\n" for line in lines)}


def test_somebody_nothing_mentions_is_told_at_their_id() -> None:
    assert find(GAME, people("id: qiu, name: Qiu Heng")) == [
        "npcs.yaml:1:8 unused-npc: nothing mentions `qiu`: no text contains Qiu Heng, and no variable "
        "refers to them"
        " | Mention them in a scene, in world.md or in the lore, or delete them."
    ]


MENTIONS: list[dict[str, str]] = [
    {"world.md": "Old Heng keeps the gate.\n"},
    {"intro.md": "You write to qiu.\n"},
    {"scenes/a.yaml": SCENE.replace("TEXT", "The Engineer's coat hangs here.")},
    {"lore/a.yaml": "- {id: l, keys: [gate], text: Heng's gate.}\n"},
    {
        "npcs.yaml": "- {id: qiu, name: Qiu Heng}\n- {id: bo, name: Bo, description: A friend of Qiu.}\n",
        "world.md": "Bo.\n",
    },
    {"triggers.yaml": "- {id: t, when: hp > 3, once: true, events: [{type: a, message: Qiu!}]}\n"},
]


@pytest.mark.parametrize("files", MENTIONS)
def test_one_word_of_a_name_is_a_mention(files: dict[str, str]) -> None:
    assert codes(GAME, {**people("id: qiu, name: Qiu Heng, also: [the engineer]"), **files}) == []


def test_their_own_texts_are_no_mention() -> None:
    assert codes(
        GAME, people("id: qiu, name: Qiu Heng, description: Qiu Heng is tired., goals: [Free Qiu]")
    ) == ["npcs.yaml:1:8 unused-npc"]


def test_names_without_spaces_between_words_are_found() -> None:
    named = people("id: qiu, name: 邱恒")
    assert codes(GAME, {**named, "world.md": "那天邱恒拉了闸。\n"}) == []
    assert codes(GAME, {**named, "world.md": "那天有人拉了闸。\n"}) == ["npcs.yaml:1:8 unused-npc"]


def test_a_member_of_their_name_is_about_them() -> None:
    assert codes(GAME, people("id: lian, name: Li An")) == []


def test_somebody_who_is_found_somewhere_can_be_met_where_no_scene_is_written() -> None:
    found = people("id: qiu, name: Qiu Heng, where: mill")
    assert codes(GAME, found) == []
    assert codes(GAME, {**found, "scenes/a.yaml": SCENE.replace("TEXT", "Fog.")}) == [
        "npcs.yaml:1:8 unused-npc"
    ]


def test_somebody_at_a_place_that_is_none_is_told() -> None:
    assert find(GAME, people("id: lian, name: Li An, where: inn", "id: bo, name: Bo, where: mil")) == [
        "npcs.yaml:2:29 unknown-where: `mil` is not a known place: the other characters are at "
        "places that a variable lists | Write "
        "`mill`."
    ]
    (line,) = find(GAME, people("id: lian, name: Li An, where: inn", "id: bo, name: Bo, where: harbour"))
    assert line.endswith(" | The places here are: inn, mill.")


@pytest.mark.parametrize(
    "lines",
    [
        ["id: lian, name: Li An, where: inn", "id: bo, name: Bo, where: mill"],
        ["id: lian, name: Li An, where: on the road", "id: bo, name: Bo, where: in the fog"],
        [
            "id: lian, name: Li An, where: inn",
            "id: bo, name: Bo, where: here",
            "id: mo, name: Mo, where: there",
        ],
        ["id: lian, name: Li An, where: inn"],
    ],
)
def test_places_told_in_words_are_left_alone(lines: list[str]) -> None:
    assert codes(GAME, people(*lines)) == []


ITEMS = "- {id: lamp, name: a tin lamp}\n- {id: rope, name: ten yards of rope}\n"
BAG = "variables:\n- {id: bag, type: list, default: [lamp]}\n- {id: hp, type: integer, min: 0, max: 9}\n"


def trigger(effects: str, when: str = "hp > 3") -> str:
    return f"- id: t\n  when: '{when}'\n  once: true\n  effects: [{effects}]\n"


def test_an_item_that_items_yaml_lacks_is_told_where_it_is_put() -> None:
    files = {"items.yaml": ITEMS, "triggers.yaml": trigger("{op: push, path: bag, value: roap}")}
    assert find(BAG, {**files, "world.md": "A rope.\n"}) == [
        "triggers.yaml:4:42 unknown-item: `bag` is a list of items, but `roap` is not in items.yaml | "
        "Write `rope`."
    ]


def test_an_item_that_a_condition_looks_for_is_told_at_its_own_column() -> None:
    files = {
        "items.yaml": ITEMS,
        "triggers.yaml": trigger("", 'hp > 3 and "anvil" in bag'),
        "world.md": "A rope.\n",
    }
    assert find(BAG, files) == [
        "triggers.yaml:2:21 unknown-item: `bag` is a list of items, but `anvil` is not in items.yaml"
        " | Add `anvil` to items.yaml. The items here are: lamp, rope."
    ]


def test_first_values_are_looked_at_wherever_they_stand() -> None:
    game = """\
variables:
- {id: pack, type: object, default: {bag: [lamp, rope, pin]}}
initial_state: {pack: {bag: [lamp, rope, nut]}}
"""
    assert codes(game, {"items.yaml": ITEMS}) == [
        "game.yaml:4:56 unknown-item",
        "game.yaml:5:42 unknown-item",
    ]


@pytest.mark.parametrize(
    ("default", "effects"),
    [
        ("[lamp, rope]", "{op: remove, path: bag, value: rope}"),
        ("[]", "{op: push, path: bag, value: a rumour}"),
        ("[lamp, a rumour, a hope]", ""),
        ("[]", ""),
    ],
)
def test_a_list_of_other_things_is_left_alone(default: str, effects: str) -> None:
    files = {"items.yaml": ITEMS, "triggers.yaml": trigger(effects), "world.md": "A lamp, a rope.\n"}
    assert codes(BAG.replace("[lamp]", default), files) == []


def test_without_items_yaml_nothing_is_missing() -> None:
    assert codes(BAG, {"triggers.yaml": trigger("{op: push, path: bag, value: anvil}")}) == []


def test_an_item_that_nothing_gives_or_mentions_is_told() -> None:
    assert find(BAG, {"items.yaml": ITEMS}) == [
        "items.yaml:2:8 unused-item: nothing gives, shows or mentions `rope`"
        " | Push it to a list in a choice or a trigger, mention it in a text, or delete it."
    ]


@pytest.mark.parametrize(
    "files",
    [
        {"world.md": "Ropes hang from the beam.\n"},
        {"triggers.yaml": trigger("{op: push, path: bag, value: rope}")},
        {"triggers.yaml": trigger("{op: set, path: bag, value: [lamp, rope]}")},
        {"triggers.yaml": trigger("", '"rope" in bag')},
        {"items.yaml": ITEMS.replace("a tin lamp", "a lamp on a rope")},
    ],
)
def test_an_item_that_is_used_or_mentioned_is_not_told(files: dict[str, str]) -> None:
    assert codes(BAG, {"items.yaml": ITEMS, **files}) == []


def test_a_label_shows_an_item() -> None:
    game = BAG.replace("default: [lamp]", "default: [lamp], labels: {rope: 绳}")
    assert codes(game, {"items.yaml": ITEMS}) == []


def lore(line: str) -> dict[str, str]:
    return {"lore/a.yaml": f"- {{id: l, text: t, {line}}}\n"}


def test_lore_that_nothing_brings_up_is_told() -> None:
    assert find(GAME, lore("when: hp > 9")) == [
        "lore/a.yaml:1:26 lore-never-told: nothing ever activates `l`: `hp > 9` never holds, since `hp` is "
        "at most 9"
        " | Use a value it can have: `hp` is a whole number from 0 to 9."
    ]


def test_lore_that_is_withheld_for_ever_is_told() -> None:
    assert find(GAME, lore("keys: [k], reveal_when: hp > 9")) == [
        "lore/a.yaml:1:44 lore-never-told: `l` is never revealed: `hp > 9` never holds, since `hp` is "
        "at most 9"
        " | Use a value it can have: `hp` is a whole number from 0 to 9."
    ]


def test_a_condition_beside_keys_is_useless_where_it_never_holds() -> None:
    assert codes(GAME, lore("keys: [k], when: hp > 9")) == ["lore/a.yaml:1:37 never-holds"]


def test_a_condition_of_lore_that_always_holds_is_told() -> None:
    assert find(GAME, lore("when: hp >= 0")) == [
        "lore/a.yaml:1:26 always-holds: `l` is always active: `hp >= 0` always holds, since `hp` is at "
        "least 0"
        " | Write `constant: true` instead of `when`."
    ]
    assert codes(GAME, lore("keys: [k], reveal_when: hp >= 0")) == ["lore/a.yaml:1:44 always-holds"]


@pytest.mark.parametrize(
    "line", ["when: hp > 8", "keys: [k], reveal_when: hp > 8", "constant: true", "keys: [k]"]
)
def test_lore_that_may_come_up_is_not_told(line: str) -> None:
    assert codes(GAME, lore(line)) == []


LORE = "- {id: l, keys: [gate], reveal_when: hp > 3, text: The engineer drowned the gate himself.}\n"
REPEATED = "The engineer drowned the gate"


@pytest.mark.parametrize(
    ("file", "text", "place"),
    [
        ("world.md", f"It is said that {REPEATED}.\n", "world.md:1:1"),
        ("npcs.yaml", f"- {{id: lian, name: Li An, secret: {REPEATED}.}}\n", "npcs.yaml:1:35"),
        ("npcs.yaml", f"- {{id: lian, name: Li An, description: {REPEATED}.}}\n", "npcs.yaml:1:40"),
        ("lore/b.yaml", f"- {{id: m, constant: true, text: {REPEATED}.}}\n", "lore/b.yaml:1:33"),
    ],
)
def test_withheld_lore_in_every_prompt_is_told_where_it_is_repeated(file: str, text: str, place: str) -> None:
    assert find(GAME, {"lore/a.yaml": LORE, file: text}) == [
        f"{place} hidden-in-prompt: this repeats the text of `l`, which `reveal_when` withholds, and it is "
        "in every prompt | Write it only in `l`, or delete its `reveal_when`."
    ]


@pytest.mark.parametrize(
    "files",
    [
        {"world.md": "The engineer keeps the gate. Nobody saw him today.\n"},
        {"intro.md": f"{REPEATED}.\n", "world.md": f"{REPEATED}.\n"},
        {"lore/b.yaml": f"- {{id: m, keys: [mill], text: {REPEATED}.}}\n"},
        {"lore/b.yaml": f"- {{id: m, constant: true, reveal_when: hp > 4, text: {REPEATED}.}}\n"},
    ],
)
def test_what_is_public_or_withheld_as_well_is_no_repetition(files: dict[str, str]) -> None:
    assert codes(GAME, {"lore/a.yaml": LORE, **files}) == []
