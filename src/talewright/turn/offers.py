"""Offers: the choices that lie on the table, in the player's language, and who carries each out.

What a choice does is the scene's, the finale's or the storyteller's business.
"""

from collections.abc import Sequence

from talewright.contract.answers import Offer
from talewright.kernel.game import Game
from talewright.kernel.state.state import Position
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scene_rules import current_scene, is_over, offered, open_finale
from talewright.turn.bodies import MODEL, SCENES, Offered
from talewright.turn.matching import Candidate

FINALE = "finale"


def lay_out(game: Game, texts: Texts, position: Position, suggested: Sequence[Offer]) -> tuple[Offered, ...]:
    """The choices after a turn: a finale's routes, else what the teller suggests, else the scene's own."""
    if is_over(position):
        return ()
    finale = open_finale(game, position)
    if finale is not None:
        return tuple(
            _offer(texts, f"finale.{finale.id}.{route.id}", route.id, route.risk.value, FINALE)
            for route in finale.finale
        )
    of_scene = _of_scene(game, texts, position)
    if not suggested:
        return of_scene
    known = {choice.id: choice for choice in of_scene}
    # A teller that offers a scene's choice by its id offers that choice, in the author's words.
    return tuple(
        known.get(offer.id) or Offered(offer.id, offer.label, offer.hint, offer.risk.value, MODEL)
        for offer in suggested
    )


def name_all(game: Game, texts: Texts, position: Position) -> tuple[Candidate, ...]:
    """Everything the authored choices may be called by."""
    finale = open_finale(game, position)
    if finale is not None:
        return tuple(_candidate(texts, f"finale.{finale.id}.{route.id}", route.id) for route in finale.finale)
    scene = current_scene(game, position)
    if scene is None:
        return ()
    return tuple(
        _candidate(texts, f"scene.{scene.id}.{choice.id}", choice.id) for choice in offered(scene, position)
    )


def _of_scene(game: Game, texts: Texts, position: Position) -> tuple[Offered, ...]:
    scene = current_scene(game, position)
    if scene is None:
        return ()
    return tuple(
        _offer(texts, f"scene.{scene.id}.{choice.id}", choice.id, choice.risk.value, SCENES)
        for choice in offered(scene, position)
    )


def _offer(texts: Texts, key: str, name: str, risk: str, source: str) -> Offered:
    return Offered(name, texts.get(f"{key}.label"), texts.find(f"{key}.hint"), risk, source)


def _candidate(texts: Texts, key: str, name: str) -> Candidate:
    return Candidate(name, (texts.get(f"{key}.label"), *texts.several(f"{key}.also")))
