"""Field synonyms: the names that other tools use for our fields.

Only used to suggest the right name. A foreign name is never accepted as a field.
"""

from collections.abc import Collection

_FOREIGN = {
    "at_least": "dc difficulty difficulty_class target threshold need needs against",
    "choices": "options links answers responses buttons replies exits",
    "default": "initial initial_value start start_value starting value",
    "derived": "formula expression computed calculated calc",
    "description": "persona personality bio about text body content",
    "effects": "updates update actions action changes change do then consequences set",
    "enum_values": "enum options choices allowed one_of",
    "ending": "goto go_to target leads_to next",
    "events": "messages message tell says log notify",
    "failure": "fail on_fail on_failure lose else otherwise",
    "game_id": "id slug name",
    "hint": "tooltip help",
    "id": "name key slug passage",
    "initial_state": "initial start start_state starting_state state defaults",
    "keys": "keywords keyword triggers trigger words",
    "kind": "outcome result type",
    "label": "title name caption text display_name prompt",
    "languages": "locales langs translations",
    "max": "maximum highest upper most",
    "message": "text body content",
    "min": "minimum lowest lower least",
    "next": "goto go_to divert jump link target to scene next_scene leads_to destination passage",
    "once": "one_time only_once single",
    "op": "operation operator action type do",
    "path": "var variable target key field slot name",
    "priority": "weight order importance",
    "reason": "why because comment note",
    "risk": "danger",
    "roll": "dice die",
    "success": "pass on_success win then",
    "systems": "plugins modules mechanics",
    "text": "body content prose description passage story narration message say",
    "title": "name label",
    "type": "kind datatype",
    "updates": "effects effect actions action changes change set do then consequences",
    "value": "amount by to delta val",
    "variables": "vars stats state properties attributes",
    "when": "condition conditions cond if requires require required show_if visible_if only_if enabled_if",
}
"""For each field, the names that other tools use."""


def find_meant_field(word: str, missing: Collection[str], free: Collection[str]) -> str:
    """The field that a foreign name probably means: a missing one first, then any unused one; or empty."""
    plain = word.casefold().replace("-", "_").replace(" ", "_")
    meant = [field for field, words in _FOREIGN.items() if plain in words.split()]
    return next((field for names in (missing, free) for field in meant if field in names), "")
