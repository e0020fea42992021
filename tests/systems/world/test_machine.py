"""The machine: any moves in any order in any world, and what is true after each of them.

A failing run prints its seed and the moves that bring it about again.
"""

import random
from typing import Any

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from talewright.kernel.slots.value_validation import find_misfit
from talewright.systems.world.authored.world_files import PLAYER, RELATION_MAX
from talewright.systems.world.people.knowledge import knowledge_of
from talewright.systems.world.people.whereabouts import find_person, list_present
from talewright.systems.world.slots import INFERRED, SOURCES, TOLD, WITNESSED
from tests.systems.world.making import WORLD, Play
from tests.systems.world.random_worlds import answer_life, carry_out, make_deeds, make_files, make_world_game


class Campaign(RuleBasedStateMachine):
    """A campaign in a generated world, in which anything is tried."""

    @initialize(seed=st.integers(0, 2**32))
    def start(self, seed: int) -> None:
        print(f"seed {seed}")
        self.files = make_files(random.Random(seed))
        self.play = Play(make_world_game(self.files), seed=seed.to_bytes(5, "big"))
        self.ticks = [0]
        self.known: dict[str, dict[str, Any]] = {}

    @rule(seed=st.integers(0, 2**32))
    def act(self, seed: int) -> None:
        (deed,) = make_deeds(random.Random(seed), self.files, 1)
        before = self.play.position.state.digest
        if not carry_out(self.play, deed):
            assert self.play.position.state.digest == before
        self.ticks.append(self.play.state.tick)

    @rule(seed=st.integers(0, 2**32))
    def live_elsewhere(self, seed: int) -> None:
        """A model makes up what happens elsewhere; the player learns nothing by that."""

        def player_side() -> list[Any]:
            own = self.play.own
            return [own["knowledge"].get(PLAYER), *(own[name] for name in ("events", "seen", "met", "at"))]

        before = player_side()
        answer_life(self.play, random.Random(seed))
        assert player_side() == before

    @rule(choice=st.integers(0, 11))
    def choose(self, choice: int) -> None:
        """An offered move is always granted."""
        offers = WORLD.choices(self.play.sight)
        call = offers[choice % len(offers)].call
        self.play.do(call.tool, None, **dict[str, Any](call.arguments))
        assert WORLD.tell([call], self.play.sight)
        self.play.end_turn()
        self.ticks.append(self.play.state.tick)

    @invariant()
    def time_never_goes_back(self) -> None:
        assert self.ticks == sorted(self.ticks)
        own = self.play.own
        assert own["lived"] <= own["tick"]
        assert own["simulated"] <= own["tick"]
        assert all(tick <= own["tick"] for tick in own["left"].values())
        assert own["time_tick"] <= own["tick"]

    @invariant()
    def everybody_is_in_one_place(self) -> None:
        state = self.play.state
        for tick in (state.tick, state.tick + 100):
            present = [one.id for place in state.places for one in list_present(state, place, tick)]
            assert sorted(present) == sorted(state.people)
        assert state.at in state.places
        assert all(find_person(state, one, state.tick) in state.places for one in state.people.values())

    @invariant()
    def nobody_knows_a_fact_without_a_way_it_came(self) -> None:
        state = self.play.state
        for person in (*state.people, PLAYER):
            for entry in knowledge_of(state, person).values():
                assert state.fact(entry.fact) is not None
                assert entry.source in SOURCES
                assert 0 <= entry.at <= state.tick
                if entry.source == TOLD:
                    assert entry.by in state.people or entry.by == PLAYER
                    assert entry.by != person
                    source = knowledge_of(state, entry.by)[entry.fact]
                    assert source.at <= entry.at
                elif entry.source == WITNESSED:
                    assert entry.by == ""
                else:
                    assert entry.source == INFERRED

    @invariant()
    def knowledge_is_never_lost_or_rewritten(self) -> None:
        state = self.play.state
        for person, before in self.known.items():
            now = knowledge_of(state, person)
            assert all(now[fact] == entry for fact, entry in before.items())
        self.known = {person: knowledge_of(state, person) for person in (*state.people, PLAYER)}

    @invariant()
    def relationships_are_within_bounds(self) -> None:
        state = self.play.state
        for one in state.people:
            for other in state.people:
                assert -RELATION_MAX <= state.relation(one, other) <= RELATION_MAX

    @invariant()
    def the_state_fits_its_slots(self) -> None:
        assert find_misfit(self.play.game.layout, self.play.position.state.document) == ""

    @invariant()
    def there_is_always_something_to_do(self) -> None:
        assert WORLD.choices(self.play.sight)


Campaign.TestCase.settings = settings(
    max_examples=40, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
)
TestCampaign = Campaign.TestCase
