"""The card builder: cards, the status bar, and the labels that players see for variables and values.

The faces decide how a card is drawn.
"""

from talewright.kernel.slots.slot_types import NUMERIC, Slot, SlotKind, describe_slot
from talewright.kernel.state.state_paths import Path, dotted
from talewright.kernel.story.cards import Card, CardFormat, PromptWeight, StatusItem, StatusStyle
from talewright.pack.build.build_context import BuildContext
from talewright.pack.faults import FaultCode
from talewright.pack.files.yaml_nodes import MapNode
from talewright.pack.schema.game_fields import GameSource, StatusItemSource
from talewright.pack.schema.variable_fields import SlotSource, VariableSource

_FORMATS = {SlotKind.LIST: CardFormat.LIST, SlotKind.OBJECT: CardFormat.KEYVALUE}
_TRUTHS = ("true", "false")


def read_cards(game: GameSource, work: BuildContext) -> tuple[Card, ...]:
    """Read the cards of all variables, and add their labels to the catalogue."""
    cards: list[Card] = []
    for variable in game.variables:
        slot = work.ground.layout.roots.get(variable.id)
        if slot is not None and variable.id not in work.ground.unsure:
            _read_labels(variable, slot, (variable.id,), work)
            cards.append(_read_card(variable, slot))
    return tuple(cards)


def read_status_bar(game: GameSource, work: BuildContext) -> tuple[StatusItem, ...]:
    """Read the status bar."""
    items: dict[str, StatusItem] = {}
    for source in game.status_bar.items if game.status_bar else ():
        found = work.place_slot(source, "var_id", source.var_id)
        if found is None:
            continue
        path, slot = found
        name = dotted(path)
        if name in items:
            message = f"`{name}` is in the status bar twice"
            work.fault_list.report(
                FaultCode.DUPLICATE_ID, source.place("var_id"), message, "Delete one of the two."
            )
            continue
        _check_status(source, slot, work)
        work.catalogue.say(f"status.{name}", source.label, source.place("label"))
        items[name] = StatusItem(
            name, source.style, source.show_delta, source.critical_threshold, source.critical_when
        )
    return tuple(items.values())


def _read_card(variable: VariableSource, slot: Slot) -> Card:
    bounded = slot.kind in NUMERIC and slot.lowest is not None and slot.highest is not None
    usual = _FORMATS.get(slot.kind, CardFormat.BAR if bounded else CardFormat.PLAIN)
    card = variable.card
    if card is None:
        return Card(variable.id, True, 0, usual, PromptWeight.MEDIUM, variable.tags)
    return Card(
        variable.id, card.visible, card.order, card.format or usual, card.prompt_weight, variable.tags
    )


def _read_labels(source: SlotSource, slot: Slot, path: Path, work: BuildContext) -> None:
    name = dotted(path)
    say = work.catalogue.say
    say(f"variable.{name}", source.label, source.place("label"))
    if source.card is not None:
        say(f"variable.{name}.description", source.card.description, source.card.place("description"))
    known = _labelled(slot)
    kind = "variable" if slot.kind is SlotKind.OBJECT else "value"
    labels = source.node.entries.get("labels")
    for value, label in source.labels.items() if isinstance(labels, MapNode) else ():
        assert isinstance(labels, MapNode)
        if known is None or value in known:
            say(f"{kind}.{name}.{value}", label, labels.value_place(value))
        else:
            message = f"`{name}` has no `{value}` to label"
            suggestion = work.fault_list.suggest(value, known)
            work.fault_list.report(FaultCode.UNKNOWN_TEXT, labels.key_place(value), message, suggestion)
    for key, member in source.fields.items():
        _read_labels(member, slot.fields[key], (*path, key), work)


def _labelled(slot: Slot) -> tuple[str, ...] | None:
    """The values or members that may have a label; None if any may."""
    match slot.kind:
        case SlotKind.ENUM:
            return slot.enum_values
        case SlotKind.BOOLEAN:
            return _TRUTHS
        case SlotKind.OBJECT:
            return tuple(slot.fields) if slot.values is None else None
        case SlotKind.LIST if slot.element is not None:
            return _labelled(slot.element) if slot.element.kind is SlotKind.ENUM else None
        case _:
            return None


def _check_status(source: StatusItemSource, slot: Slot, work: BuildContext) -> None:
    bounds = {"min": slot.lowest, "max": slot.highest}
    lacking = [name for name, bound in bounds.items() if bound is None or slot.kind not in NUMERIC]
    if source.style is StatusStyle.METER and lacking:
        lacks = " and ".join(f"`{name}`" for name in lacking)
        message = f"a meter needs a number with `min` and `max`; `{source.var_id}` has no {lacks}"
        suggestion = "Write `style: text`."
        if slot.kind in NUMERIC:
            suggestion = f"Give the variable {lacks}, or write `style: text`."
        work.fault_list.report(FaultCode.METER_WITHOUT_RANGE, source.place("style"), message, suggestion)
    if source.critical_threshold is not None and slot.kind not in NUMERIC:
        message = f"`critical_threshold` is for numbers; `{source.var_id}` is {describe_slot(slot)}"
        place = source.node.key_place("critical_threshold")
        work.fault_list.report(FaultCode.FIELD_NOT_FOR_TYPE, place, message, "Delete it.")
