"""Languages: texts laid over the base, what is missing, what belongs to nothing."""

import pytest

from talewright.errors import SourcePlace
from talewright.pack.files.yaml_nodes import MapNode
from talewright.pack.texts.text_catalogue import TextCatalogue
from tests.pack.making import check_fault, compile_game, read, told
from tests.plugs.toll import Toll

GAME = """languages: [en, zh-CN]
variables:
  - {id: rope, label: Rope, type: integer, min: 0, max: 9}
  - {id: place, label: Place, type: enum, enum_values: [rim, mill], labels: {rim: The rim, mill: The mill}}
"""
LABELS = """title: 井
variable.rope: 绳
variable.place: 地方
value.place.rim: 井沿
value.place.mill: 磨坊
"""
SCENES = """- id: rim
  when: rope < 9
  text: [{when: rope < 3, text: Short.}, {text: Long.}]
  choices:
    - id: down
      label: Down
      also: [descend]
      hint: Dark.
      text: You climb.
      updates: [{op: dec, path: rope, value: 1, reason: worn}]
      check: {roll: 2d6, at_least: 7, success: {text: Good.}, failure: {text: Bad.}}
    - label: Wait
    - label: Leave
    - label: Swing
      check:
        roll: d6
        results:
          - {at_least: 6, outcome: success, word: Yes., text: You land.}
          - {at_least: 3, outcome: failure, word: No., text: You hang.}
          - {outcome: failure, text: You fall.}
"""
SCENE_TEXTS = """rim:
  text: [短, 长]
  choices:
    down: {label: 下, also: [爬], hint: 暗, text: 你爬, success: 好, failure: 坏, reasons: [旧]}
    2: {label: 等}
    "3": {label: 走}
    4: {label: 荡, results: [落地了, 吊着, 掉下去], words: [是, 否]}
"""
TRIGGERS = """- id: t
  when: rope < 2
  events: [{type: i, message: Frays.}]
  effects: [{op: inc, path: rope, value: 1}]
"""
TEXTS = {
    "texts/zh-CN/world.md": "枯井。\n",
    "texts/zh-CN/labels.yaml": LABELS,
    "scenes/a.yaml": SCENES,
    "texts/zh-CN/scenes/a.yaml": SCENE_TEXTS,
    "triggers.yaml": TRIGGERS,
    "texts/zh-CN/triggers.yaml": "t: {events: [散了。]}\n",
    "npcs.yaml": "- {id: han, name: Han, also: [H], description: Old., goals: [rest]}\n",
    "texts/zh-CN/npcs.yaml": "han: {name: 韩, also: [婆婆], description: 老, goals: [歇]}\n",
    "items.yaml": "- {id: key, name: Key, description: Rusty.}\n",
    "texts/zh-CN/items.yaml": "key: {name: 钥匙, description: 锈}\n",
    "lore/a.yaml": "- {id: mill, keys: [mill], text: Burned.}\n",
    "texts/zh-CN/lore/a.yaml": "mill: {keys: [磨坊], text: 烧了}\n",
}


def test_every_language_has_all_its_words() -> None:
    compiled = compile_game(GAME, TEXTS)
    assert compiled.faults == ()
    assert list(compiled.texts) == ["en", "zh-CN"]
    base, other = compiled.texts["en"], compiled.texts["zh-CN"]
    assert (base.language, other.language) == ("en", "zh-CN")
    assert base.entries.keys() == other.entries.keys()
    assert base.lists.keys() == other.lists.keys()
    assert [key for key in base.entries if base.entries[key] == other.entries[key]] == []
    assert other.entries["scene.rim.text.2"] == "长"
    assert other.entries["scene.rim.down.reason.1"] == "旧"
    assert other.entries["scene.rim.2.label"] == "等"
    assert [other.entries[f"scene.rim.4.result.{number}"] for number in (1, 2, 3)] == [
        "落地了",
        "吊着",
        "掉下去",
    ]
    assert [other.entries[f"scene.rim.4.word.{number}"] for number in (1, 2)] == ["是", "否"]
    assert other.entries["value.place.mill"] == "磨坊"
    assert other.entries["world"] == "枯井。"
    assert other.lists["lore.mill.keys"] == ("磨坊",)


def changed(file: str, old: str, new: str) -> dict[str, str]:
    assert TEXTS[file].count(old) == 1
    return {**TEXTS, file: TEXTS[file].replace(old, new)}


def marked(file: str, old: str, new: str, place_file: str, mark: str) -> dict[str, str]:
    """Change one file, and put the mark into another."""
    texts = changed(file, old, new)
    assert texts[place_file].count(mark.replace("»", "")) == 1
    return {**texts, place_file: texts[place_file].replace(mark.replace("»", ""), mark)}


LABEL_FILE = "texts/zh-CN/labels.yaml"
SCENE_FILE = "texts/zh-CN/scenes/a.yaml"

BELONGING_TO_NOTHING = {
    "a misspelt variable": (LABEL_FILE, "variable.rope", "»variable.rop", "Write `variable.rope`."),
    "a misspelt value": (LABEL_FILE, "value.place.rim", "»value.place.rin", "Write `value.place.rim`."),
    "a misspelt kind": (LABEL_FILE, "variable.rope", "»variabel.rope", "Write `variable.rope`."),
    "another variable": (
        LABEL_FILE,
        "title: 井\n",
        "title: 井\n»variable.bucket: 桶\n",
        "Delete it; game.yaml has nothing with this name.",
    ),
    "a misspelt scene": (SCENE_FILE, "rim:", "»rin:", "Write `rim`."),
    "a misspelt choice": (SCENE_FILE, "down:", "»dwon:", "Write `down`."),
    "one wording more": (SCENE_FILE, "[短, 长]", "[短, 长, »更长]", "Delete it."),
    "one reason more": (SCENE_FILE, "[旧]", "[旧, »新]", "Delete it."),
    "one result more": (SCENE_FILE, "掉下去]", "掉下去, »没了]", "Delete it."),
    "one word more": (SCENE_FILE, "[是, 否]", "[是, 否, »再来]", "Delete it."),
    "one event more": ("texts/zh-CN/triggers.yaml", "[散了。]", "[散了。, »断了。]", "Delete it."),
    "another trigger": (
        "texts/zh-CN/triggers.yaml",
        "t: ",
        "»other: {events: [一]}\nt: ",
        "The names here are: t.",
    ),
    "a misspelt character": ("texts/zh-CN/npcs.yaml", "han:", "»hna:", "Write `han`."),
}


@pytest.mark.parametrize(
    ("file", "old", "new", "fix"), BELONGING_TO_NOTHING.values(), ids=BELONGING_TO_NOTHING
)
def test_words_for_nothing_are_told_and_what_was_meant_is_not_missing(
    file: str, old: str, new: str, fix: str
) -> None:
    check_fault(f"unknown-text: {fix}", GAME, changed(file, old, new))


MISSING = {
    "the last result": (
        SCENE_FILE,
        ", 掉下去",
        "",
        "scenes/a.yaml",
        "»You fall.",
        "Add it to texts/zh-CN/scenes/a.yaml.",
    ),
    "a hint": (
        SCENE_FILE,
        "hint: 暗, ",
        "",
        "scenes/a.yaml",
        "»Dark.",
        "Add it to texts/zh-CN/scenes/a.yaml.",
    ),
    "a choice": (
        SCENE_FILE,
        "    down: {label: 下, also: [爬], hint: 暗, text: 你爬, success: 好, failure: 坏, reasons: [旧]}\n",
        "",
        "scenes/a.yaml",
        "»Down",
        "Add it to texts/zh-CN/scenes/a.yaml.",
    ),
    "a choice of one word": (
        SCENE_FILE,
        "    2: {label: 等}\n",
        "",
        "scenes/a.yaml",
        "»Wait",
        "Add it to texts/zh-CN/scenes/a.yaml.",
    ),
    "a wording": (
        SCENE_FILE,
        "[短, 长]",
        "[短]",
        "scenes/a.yaml",
        "»Long.",
        "Add it to texts/zh-CN/scenes/a.yaml.",
    ),
    "a list": (
        "texts/zh-CN/npcs.yaml",
        ", goals: [歇]",
        "",
        "npcs.yaml",
        "»[rest]",
        "Add it to texts/zh-CN/npcs.yaml.",
    ),
    "a whole scene": (
        SCENE_FILE,
        SCENE_TEXTS,
        "",
        "scenes/a.yaml",
        "»- id: rim",
        "Add texts/zh-CN/scenes/a.yaml.",
    ),
}


@pytest.mark.parametrize(("file", "old", "new", "at", "mark", "fix"), MISSING.values(), ids=MISSING)
def test_a_missing_text_is_told_where_the_game_has_it(
    file: str, old: str, new: str, at: str, mark: str, fix: str
) -> None:
    check_fault(f"missing-text: {fix}", GAME, marked(file, old, new, at, mark))


def test_a_missing_label_is_told_at_the_label() -> None:
    check_fault(
        f"missing-text: Add `variable.rope:` to {LABEL_FILE}.",
        GAME.replace("Rope", "»Rope"),
        changed(LABEL_FILE, "variable.rope: 绳\n", ""),
    )


def test_a_thing_without_any_words_is_told_once() -> None:
    more = SCENES + SCENES.replace("rim", "mill").replace("rope <", "rope >")
    compiled = compile_game(GAME, {**TEXTS, "scenes/a.yaml": more})
    (fault,) = compiled.faults
    assert fault.message == "`scene.mill` has no text in `zh-CN`"
    assert fault.suggestion == "Add `mill:` to texts/zh-CN/scenes/a.yaml."


def test_a_file_without_any_words_is_told_once() -> None:
    compiled = compile_game(GAME, {name: text for name, text in TEXTS.items() if name != LABEL_FILE})
    assert told(compiled) == [f"game.yaml:1:1 missing-text: Add {LABEL_FILE}."]


def test_a_language_without_any_words_is_told_once() -> None:
    files = {name: text for name, text in TEXTS.items() if not name.startswith("texts/")}
    check_fault(
        "missing-text: Add the folder texts/zh-CN, or delete the language here.",
        GAME.replace("zh-CN", "»zh-CN"),
        files,
    )


def test_missing_words_are_filled_from_the_base() -> None:
    compiled = compile_game(GAME, changed(LABEL_FILE, "variable.rope: 绳\n", ""))
    assert compiled.game is not None
    assert compiled.texts["zh-CN"].entries["variable.rope"] == "Rope"


def test_a_folder_of_another_language_is_told() -> None:
    files = {name.replace("zh-CN", "fr"): text for name, text in TEXTS.items()}
    compiled = compile_game(GAME.replace(", zh-CN", ""), files)
    assert told(compiled) == ["texts/fr:1:1 undeclared-language: Add `fr` to `languages` in game.yaml."]


def test_a_misnamed_folder_is_told_once() -> None:
    files = {name.replace("zh-CN", "zh_CN"): text for name, text in TEXTS.items()}
    compiled = compile_game(GAME, files)
    assert told(compiled) == ["texts/zh_CN:1:1 undeclared-language: Rename the folder to texts/zh-CN."]


def test_a_language_twice_is_told() -> None:
    game = GAME.replace("zh-CN]", "zh-CN, »en]")
    check_fault("duplicate-id: Delete one of the two.", game, TEXTS)


def test_the_base_language_is_always_on_offer_and_may_have_its_own_overlay() -> None:
    game = GAME.replace("[en, zh-CN]", "[zh-CN]")
    compiled = compile_game(game, {**TEXTS, "texts/en/labels.yaml": "title: The Old Well\n"})
    assert [fault.code for fault in compiled.faults] == ["overridden-text"], "it plays, but is hardly meant"
    assert compiled.game is not None
    assert compiled.game.languages == ("en", "zh-CN")
    assert compiled.texts["en"].entries["title"] == "The Old Well"


FORMS = {
    "a list for a text": (LABEL_FILE, "title: 井", "»title: [井]", "wrong-type: Write a text."),
    "nothing": (LABEL_FILE, "title: 井", "title:»", "wrong-type: Write a text."),
    "nested labels": (LABEL_FILE, "variable.rope: 绳", "variable:\n  »rope: 绳", "wrong-type: Write a text."),
    "a list of scenes": (
        SCENE_FILE,
        SCENE_TEXTS,
        "»- id: rim\n",
        "wrong-type: Write a mapping of names to scenes.",
    ),
    "a field": (SCENE_FILE, "{label: 等}", "{»lable: 等}", "unknown-field: Write `label`."),
    "a key": (SCENE_FILE, "rim:", "»the rim:", "bad-name: Use ASCII letters, digits and _."),
}


@pytest.mark.parametrize(("file", "old", "new", "fault"), FORMS.values(), ids=FORMS)
def test_a_mistake_in_the_form_of_texts_is_told_alone(file: str, old: str, new: str, fault: str) -> None:
    check_fault(fault, GAME, changed(file, old, new))


def test_words_given_twice_are_told() -> None:
    compiled = compile_game(GAME, {**TEXTS, "texts/zh-CN/scenes/b.yaml": SCENE_TEXTS})
    assert told(compiled) == ["texts/zh-CN/scenes/b.yaml:1:1 duplicate-id: Delete one of the two."]


def test_words_may_stand_in_another_file_than_the_game_has() -> None:
    files = {name: text for name, text in TEXTS.items() if name != SCENE_FILE}
    assert told(compile_game(GAME, {**files, "texts/zh-CN/scenes/all.yaml": SCENE_TEXTS})) == []


def test_values_that_only_play_brings_forth_may_be_labelled() -> None:
    game = (
        GAME
        + "  - {id: bag, type: list}\n  - {id: shelf, type: object, open: true, values: {type: integer}}\n"
    )
    labels = LABELS + "value.bag.key: 钥匙\nvariable.shelf.salt: 盐\nstatus.rope: 绳\n"
    labels += "value.shelf.salt.colour.white: 白\n"
    bar = "status_bar: {items: [{var_id: rope}]}\n"
    assert told(compile_game(bar + game, {**TEXTS, LABEL_FILE: labels})) == []


def test_a_system_s_slots_may_be_labelled() -> None:
    labels = LABELS + "variable.bridge.coins: 铜钱\n"
    compiled = compile_game("systems: [toll]\n" + GAME, {**TEXTS, LABEL_FILE: labels}, {"toll": Toll()})
    assert compiled.faults == ()


def test_errors_elsewhere_keep_the_languages_quiet() -> None:
    compiled = compile_game(GAME + "  - {id: x, type: what}\n", {"texts/zh-CN/labels.yaml": "nothing: 无\n"})
    assert [fault.code for fault in compiled.faults] == ["not-one-of"]


def test_the_catalogue_keeps_texts_with_their_places() -> None:
    catalogue = TextCatalogue()
    node = read("{label: Down, hint: ''}")
    assert isinstance(node, MapNode)
    assert catalogue.say("a", "A", SourcePlace("f", 2, 3)) == "a"
    assert catalogue.say("b", "", SourcePlace("f")) == ""
    assert catalogue.say_field("scene.x", "label", "Down", node) == "scene.x.label"
    assert catalogue.say_field("scene.x", "hint", "", node) == ""
    catalogue.say_all("c", ["1", "2"], SourcePlace("f"))
    catalogue.say_all("d", [], SourcePlace("f"))
    assert catalogue.entries == {"a": "A", "scene.x.label": "Down"}
    assert catalogue.lists == {"c": ("1", "2")}
    assert {key: str(place) for key, place in catalogue.places.items()} == {
        "a": "f:2:3",
        "scene.x.label": "f.yaml:1:9",
        "c": "f:1:1",
    }
    texts = catalogue.texts("en")
    assert (texts.language, texts.entries, texts.lists) == ("en", catalogue.entries, catalogue.lists)
