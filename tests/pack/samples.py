"""Samples: one file of each kind that uses every field its form has.

They are held against their forms and schemas by themselves; together they are no game.
"""

from talewright.pack.schema.file_schemas import FileRole

SLOT = """
type: object
label: Watch
default: {bell: 2}
min: 0
max: 9.5
enum_values: [rim, mill]
max_length: 20
fields: {bell: {type: integer, carry: {into: glass, at: 8}}, glass: {type: integer}}
items: {type: string}
max_items: 7
open: true
values: {type: number}
nullable: false
max_step: 2
derived: rope + 1
carry: {into: bell, at: 60}
hidden: false
secret: true
labels: {bell: Bells, rim: The rim}
card: {visible: true, order: 10, format: bar, description: Time on board., prompt_weight: high}
rules: {clamp: false, readonly: true, update_policy: any}
tags: [clock]
"""

GAME = f"""
game_id: well
title: The Well
version: "1.2"
language: en
languages: [en, zh-CN]
tone: quiet
content_rating: PG
length_turns: 12
invitation: {{sentence: You are at the top of a well., button: Go down}}
cover:
  motif: forest
  sky: "#2b4a5f"
  light: "#ffcf70"
  ground: "#101b29"
  light_theme: {{paper: "#faf8f6", raised: "#f1edf0", ink: "#231f2c", quiet: "#625b6e", accent: "#7d4a0c"}}
  dark_theme: {{paper: "#16141c", raised: "#201d29", ink: "#e8e3e9", quiet: "#a49cae", accent: "#f0cf86"}}
  dials: {{moon: {{value: rope, from: 1, to: 2}}}}
  place: rope
llm: {{recommended_model: any, temperature: 0.7, max_output_tokens: 900}}
contract: cards
plan: one_ask
systems: [toll]
memory:
  {{summary_every_turns: 8, keep_turns: 6, window_tokens: 16000, cut_to_tokens: 8000, window_share: 0.6}}
chance: {{fate: fixed, dice: [d6, dF]}}
model_may_end: false
decisions: relayed
status_bar:
  items:
    - var_id: rope
      style: meter
      label: Rope
      show_delta: true
      critical_threshold: 2
      critical_when: below
variables:
  - id: watch{SLOT.replace(chr(10), chr(10) + "    ")}
initial_state: {{rope: 4}}
win_conditions: ["rope >= 9"]
lose_conditions: [true]
count_endings: false
endings:
  - id: drawn
    when: rope > 8
    kind: win
    finale:
      - id: up
        label: Pull
        also: [haul]
        hint: It is heavy.
        risk: high
        ending: full_bucket
        kind: lose
        updates: [{{op: toggle, path: lit}}, {{op: set, path: rope, value: 1, reason: cut}}]
prompt_rules: {{style_notes: [Short.], boundaries: [No gore.]}}
"""

TRIGGERS = """
triggers:
  - id: frays
    when: rope < 3
    effects: [{op: inc, path: rope, value: 1, reason: mended}]
    events: [{type: info, message: It holds.}]
    once: true
    priority: 5
"""

SCENES = """
- id: rim
  when: rope < 9
  priority: 3
  once: true
  text:
    - {when: rope < 3, text: A short rope.}
    - {text: A rope.}
  choices:
    - id: down
      label: Down
      also: [descend]
      hint: Dark.
      risk: medium
      when: rope > 1
      text: You climb.
      updates: [{op: dec, path: rope, value: 1, reason: worn}]
      check:
        roll: 2d6+1
        at_least: 8
        success: {text: Well done., updates: [], next: shaft}
        failure: {text: You slip.}
      next: rim
    - label: Pay
      check: {try: pay, with: {coins: 2}, success: {text: Paid.}, partial: {text: Late.}, failure: {}}
- id: shaft
  text: The shaft.
  choices:
    - label: Wait
      check:
        roll: d6
        results:
          - {at_least: 6, outcome: success, word: Yes., text: You stand., updates: [], next: shaft}
          - {outcome: failure}
"""

NPCS = """
- id: han
  name: Han
  also: [Mother Han]
  description: Old.
  voice: Dry.
  secret: She knows.
  where: mill
  goals: [rest]
"""

ITEMS = "- {id: rope, name: Rope, description: Worn., tags: [tool], stack: true}\n"

LORE = """
- id: mill
  text: It burned.
  keys: [mill]
  secondary_keys: [fire]
  logic: any_and_all
  whole_words: true
  regex: false
  case_sensitive: false
  constant: false
  when: rope > 2
  reveal_when: rope > 3
  priority: 10
  sticky: 2
  cooldown: 3
  group: buildings
  weight: 50
  recurse: true
  budget: 100
"""

LABELS = "title: 井\nrules.style_notes: [短。]\nvariable.rope: 绳\n"

SCENE_TEXTS = """
rim:
  text: [短绳, 绳]
  choices:
    down: {label: 下, also: [爬], hint: 暗, text: 你爬, success: 好, failure: 滑, partial: 险, reasons: [旧]}
    2: {label: 等}
shaft: {choices: {1: {label: 歇, results: [站稳了], words: [是。]}}}
"""

SAMPLES = {
    FileRole.GAME: GAME,
    FileRole.TRIGGERS: TRIGGERS,
    FileRole.NPCS: NPCS,
    FileRole.ITEMS: ITEMS,
    FileRole.SCENES: SCENES,
    FileRole.LORE: LORE,
    FileRole.LABELS: LABELS,
    FileRole.TRIGGER_TEXTS: "frays: {events: [还行], reasons: [补好]}\n",
    FileRole.NPC_TEXTS: (
        "han: {name: 韩, also: [婆婆], description: 老, voice: 干, secret: 知, goals: [歇]}\n"
    ),
    FileRole.ITEM_TEXTS: "rope: {name: 绳, description: 旧}\n",
    FileRole.SCENE_TEXTS: SCENE_TEXTS,
    FileRole.LORE_TEXTS: "mill: {text: 烧了, keys: [磨坊], secondary_keys: [火]}\n",
}
