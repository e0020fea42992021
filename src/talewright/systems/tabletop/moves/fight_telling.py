"""Fight telling: what happens in a fight, in sentences that address the player.

The dice decide which of several wordings is used, so that the same turn always has the same words.
"""

from talewright.systems.tabletop.character_sheets import CharacterSheet, SheetAttack
from talewright.systems.tabletop.moves.tabletop_draft import TabletopDraft
from talewright.systems.tabletop.words.phrases import BlowWordings, PersonWordings


def tell_of(draft: TabletopDraft, kind: str, wordings: PersonWordings, name: str, **facts: object) -> None:
    """Report something about a character."""
    wording = wordings.player if is_player(draft, name) else wordings.others
    draft.tell(kind, wording.format(name=draft.show_name(name), **facts))


def tell_blow(
    draft: TabletopDraft,
    kind: str,
    wordings: BlowWordings,
    attacker: CharacterSheet,
    target: CharacterSheet,
    attack: SheetAttack,
    *,
    damage: int = 0,
) -> None:
    """Report an attack that was rolled."""
    if is_player(draft, attacker.name):
        known = wordings.by_player
    else:
        known = wordings.on_player if is_player(draft, target.name) else wordings.of_others
    wording = known[draft.rolled[-1].total % len(known)]
    text = wording.format(
        attacker=draft.show_name(attacker.name),
        target=draft.show_name(target.name),
        attack=draft.labels.thing(attack.name) or draft.words.unarmed,
        damage=damage,
    )
    draft.tell(kind, text)


def is_player(draft: TabletopDraft, name: str) -> bool:
    """Whether this is the player's character."""
    return draft.character is not None and draft.character.name == name
