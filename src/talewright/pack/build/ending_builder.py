"""The ending builder: endings, their finales, and the passages they need.

Whether an ending can be reached is checked in `lint`.
"""

from collections.abc import Iterable
from itertools import count

from talewright.common.frozen_values import frozen
from talewright.errors import SourcePlace
from talewright.kernel.story.endings import Ending, Outcome, Route
from talewright.pack.build.build_context import BuildContext
from talewright.pack.build.trigger_builder import read_updates
from talewright.pack.faults import FaultCode
from talewright.pack.files.yaml_nodes import ScalarNode
from talewright.pack.schema.game_fields import EndingSource, GameSource, RouteSource
from talewright.pack.schema.game_records import report_duplicate_id

_FIELDS = ("endings", "win_conditions", "lose_conditions")


@frozen
class DeclaredEndings:
    """The endings in game.yaml."""

    endings: tuple[Ending, ...]
    told: dict[str, SourcePlace]
    """Ids that need a passage in endings.md, and where they are declared."""

    known: tuple[str, ...]
    """All ids that may have one."""

    sure: bool
    """Whether `known` is complete; false if an ending has a fault."""


def read_endings(game: GameSource, work: BuildContext) -> DeclaredEndings:
    """Read all endings of a game."""
    endings: list[Ending] = []
    told: dict[str, SourcePlace] = {}
    first: dict[str, EndingSource] = {}
    for source in game.endings:
        if source.id in first:
            report_duplicate_id(source.id, source.node, first[source.id].node, work.fault_list)
            continue
        first[source.id] = source
        if not source.finale:
            told.setdefault(source.id, source.place("id"))
        for route in source.finale:
            told.setdefault(route.ending, route.place("ending"))
        routes = _read_routes(source, work)
        condition = work.condition(source.when)
        if condition is not None:
            endings.append(Ending(source.id, condition, source.kind, routes))
    for kind, conditions in ((Outcome.WIN, game.win_conditions), (Outcome.LOSE, game.lose_conditions)):
        names = _name_conditions(kind, conditions)
        for name, node in names.items():
            if name in first:
                message = f"`{name}` is already the id of one of the `{kind}_conditions`"
                place = first[name].place("id")
                work.fault_list.report(FaultCode.DUPLICATE_ID, place, message, "Give this ending another id.")
            told.setdefault(name, node.place)
            condition = work.condition(node)
            if condition is not None:
                endings.append(Ending(name, condition, kind))
    sure = game.broken.isdisjoint(_FIELDS)
    return DeclaredEndings(tuple(endings), told, tuple({**told, **first}), sure)


def _name_conditions(kind: Outcome, conditions: Iterable[ScalarNode]) -> dict[str, ScalarNode]:
    return {f"{kind}_{number}": node for number, node in enumerate(conditions, 1)}


def _read_routes(ending: EndingSource, work: BuildContext) -> tuple[Route, ...]:
    routes: list[Route] = []
    first: dict[str, RouteSource] = {}
    for number, source in enumerate(ending.finale, 1):
        name = source.id or str(number)
        if name in first:
            report_duplicate_id(name, source.node, first[name].node, work.fault_list)
            continue
        first[name] = source
        prefix = f"finale.{ending.id}.{name}"
        work.catalogue.say_field(prefix, "label", source.label, source.node)
        work.catalogue.say_field(prefix, "hint", source.hint, source.node)
        work.catalogue.say_all(f"{prefix}.also", source.also, source.place("also"))
        updates = read_updates(source.updates, prefix, count(1), work)
        routes.append(Route(name, source.ending, source.kind or ending.kind, source.risk, updates))
    return tuple(routes)
