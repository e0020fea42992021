"""Dice that a game master has seen: abandoning a turn neither rolls them again nor uses them up."""

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from talewright.chronicle.records import Aside, AttemptVerdict, Commit
from talewright.chronicle.store import RecordLines
from talewright.common import work_meter
from talewright.common.work_meter import WORK_MAX, limit_work
from talewright.kernel.chance import derive_face
from talewright.kernel.judging.moves import MODEL, PLAYER, Call
from talewright.play.verify.campaign_verification import verify
from talewright.turn.game_editions import OpenedEditions
from talewright.turn.game_master.master_turn import give_up
from talewright.turn.game_master.open_turn_lease import LEASE_SECONDS_MAX, LeaseError
from talewright.turn.inputs.player_inputs import Choose, Opening, Say
from talewright.turn.records.commit_body import read_body
from talewright.turn.records.turn_replay import replay_turn
from talewright.turn.steps.judging import Judge
from talewright.turn.turn_outcomes import Committed
from talewright.turn.turn_progress import (
    NamedDraws,
    SeenBefore,
    SeenDraws,
    TurnProgress,
    make_purpose,
    purpose_of_call,
)
from tests.turn.differences import find_differences
from tests.turn.game_master.cheats import (
    EASY,
    HARD,
    OTHER,
    SEVERAL,
    Cheat,
    cheating,
    check,
    lay_cheat,
    play_looks,
    roll,
)
from tests.turn.game_master.test_master_turn import at
from tests.turn.making import bridge, ferry, lay_bench
from tests.turn.mastering import begin_master


@pytest.mark.parametrize("fresh", [False, True])
def test_an_abandoned_check_gets_the_same_dice_again(fresh: bool) -> None:
    async def attack(cheat: Cheat) -> None:
        seen = await cheat.look(*SEVERAL)
        assert [await cheat.look(*reversed(SEVERAL)) for _ in range(5)] == [seen[::-1]] * 5
        assert await cheat.use(*SEVERAL) == seen

    cheating(attack, fresh=fresh)


@pytest.mark.parametrize("fresh", [False, True])
def test_another_check_first_neither_takes_the_dice_nor_knows_them(fresh: bool) -> None:
    async def attack(cheat: Cheat) -> None:
        seen = await cheat.look(*SEVERAL)
        other, *same = await cheat.use(OTHER, *SEVERAL)
        assert same == seen
        commit = await cheat.bench.head()
        names = [draw.name for draw in read_body(commit.body).draws]
        assert len(set(names)) == 4
        secret = await cheat.bench.book.secret()
        assert [[derive_face(secret, name, 20)] for name in names] == [other, *same]

    cheating(attack, fresh=fresh)


@pytest.mark.slow
def test_a_look_at_one_check_says_nothing_about_another() -> None:
    """Over many turns, a check that was not looked at has its own dice."""

    async def attack(cheat: Cheat) -> None:
        pairs = []
        for _ in range(8):
            (seen,) = await cheat.look(HARD)
            pairs.append((seen, *await cheat.use(OTHER, HARD)))
        assert all(seen == same for seen, _, same in pairs)
        assert sum(seen == other for seen, other, _ in pairs) < 4
        assert len({seen[0] for seen, _, _ in pairs}) > 3

    cheating(attack)


def test_other_terms_are_refused_and_show_nothing() -> None:
    async def attack(cheat: Cheat) -> None:
        seen = await cheat.look(*SEVERAL)
        for terms in ({"difficulty": 1}, {"difficulty": 14}, {"difficulty": 16}, {"advantage": True}):
            turn = await cheat.begin()
            answer = await roll(turn, "skill_check", **{**HARD, **terms})
            assert answer.keys() == {"error"}
            assert '{"difficulty": 15}' in answer["error"]
            # Neither is it seen by asking for it in vain.
            await give_up(cheat.bench.road, turn.opened.handle)
        turn = await cheat.begin()
        assert (await roll(turn, "skill_check", **EASY)).keys() == {"error"}
        await turn.finish("Nothing is easy.")
        assert await cheat.use(*SEVERAL) == seen

    cheating(attack)


def test_other_words_are_the_same_check() -> None:
    async def attack(cheat: Cheat) -> None:
        dice = {"tool": "roll_dice", "expression": "3d20", "context": "the frost"}
        (seen,) = await cheat.look(dice)
        for words in ({"context": "the ice"}, {"context": ""}, {"visible": True}, {"expression": " 3D20 "}):
            assert await cheat.look({**dice, **words}) == [seen]
        await cheat.use(OTHER)
        assert await cheat.use({**dice, "context": "the weather"}) == [seen]

    cheating(attack)


@pytest.mark.parametrize(
    ("first", "others"),
    [
        (HARD, ({"visible": False},)),
        ({**HARD, "visible": False}, ({"visible": True},)),
        (
            {"tool": "roll_dice", "expression": "1d20"},
            ({"expression": "2d20kh1"}, {"expression": "1d20+7"}, {"visible": False}),
        ),
        ({"tool": "roll_dice", "expression": "1d20", "visible": False}, ({"visible": True},)),
    ],
)
def test_a_roll_counts_as_it_was_seen(first: dict[str, Any], others: tuple[dict[str, Any], ...]) -> None:
    """A bad roll is not used up where the player does not see it, and not as one of several dice."""

    async def attack(cheat: Cheat) -> None:
        seen = await cheat.look(first)
        turn = await cheat.begin()
        for other in others:
            arguments = {**first, **other}
            answer = await roll(turn, str(arguments.pop("tool", "skill_check")), **arguments)
            assert answer.keys() == {"error"}, other
        await turn.finish("As it was.")
        assert await cheat.use(first) == seen

    cheating(attack)


DICE = [{"tool": "roll_dice", "expression": one} for one in ("1d20", "1d20+3", "2d20kh1", "2d6", "1d20+1d4")]
TERMS = [{**HARD, **terms} for terms in ({}, {"difficulty": 5}, {"advantage": True}, {"visible": False})]


@pytest.mark.parametrize("checks", [DICE, DICE[::-1], TERMS, TERMS[::-1]])
def test_nobody_chooses_among_several_dice_for_one_check(checks: list[dict[str, Any]]) -> None:
    """A check that was seen on several terms is made in the order in which it was seen."""

    async def attack(cheat: Cheat) -> None:
        seen = await cheat.look(*checks)
        for number, right in enumerate(checks):
            turn = await cheat.begin()
            for wrong in checks[:number] + checks[number + 1 :]:
                arguments = dict(wrong)
                answer = await roll(turn, str(arguments.pop("tool", "skill_check")), **arguments)
                assert answer.keys() == {"error"}, (right, wrong)
            assert await check(turn, **right) == seen[number]
            await turn.finish("So it goes.")

    cheating(attack)


def test_dice_with_other_sides_wait_for_those_that_were_seen() -> None:
    async def attack(cheat: Cheat) -> None:
        d20, d6 = ({"tool": "roll_dice", "expression": dice} for dice in ("1d20", "2d6"))
        seen = await cheat.look(d20)
        turn = await cheat.begin()
        assert (await roll(turn, "roll_dice", expression="2d6")).keys() == {"error"}
        assert [await check(turn, **d20)] == seen
        await check(turn, **d6)
        await turn.finish("First the one, then the other.")

    cheating(attack)


def test_damage_that_was_seen_is_not_moved_to_another_attack() -> None:
    """An attack that missed, and hits when it is made again, has its own damage."""
    looking, purpose = NamedDraws(b"secret", 3), make_purpose("attack", {})
    for dice in ((20,), (20, 8)):
        fate = looking.open(lambda: purpose)
        for sides in dice:
            fate.draw(sides)
        looking.keep(fate)
    looks = looking.looks
    again = NamedDraws(b"secret", 3, seen=SeenBefore(looks, frozenset(one.stream for one in looks)))
    for _ in range(3):
        fate = again.open(lambda: purpose)
        fate.draw(20)
        fate.draw(8)
        assert not again.find_conflict(fate)
        again.keep(fate)
    check = purpose.check
    assert [draw.name for draw in again.draws] == [
        f"3:{check}:{number}:d{sides}:0" for number in range(3) for sides in (20, 8)
    ]


def test_a_refused_call_fixes_the_terms_within_its_turn() -> None:
    """Its reason may say what was drawn."""
    fortune = NamedDraws(b"secret", 3)
    for terms, conflict in ((1, False), (2, True), (1, False)):
        fate = fortune.open(partial(make_purpose, "climb", {"difficulty": terms}))
        fate.draw(20)
        assert bool(fortune.find_conflict(fate)) is conflict
    fortune.keep(fate)
    after = fortune.open(partial(make_purpose, "climb", {"difficulty": 2}))
    after.draw(20)
    assert not fortune.find_conflict(after)


async def meet_goblin(cheat: Cheat) -> None:
    turn = await cheat.begin()
    attacks = [{"name": name, "bonus": 4, "damage": "1d8+2"} for name in ("Billhook", "Knife")]
    await roll(turn, "set_character", attacks=attacks)
    await roll(turn, "create_npc", name="Gruk", templateName="Road Goblin", reason="he comes")
    await turn.finish("There is Gruk.")


async def look_at(cheat: Cheat, tool: str, **arguments: Any) -> Any:
    """Begin a turn, see the result of a call and abandon it."""
    turn = await cheat.begin()
    answer = await roll(turn, tool, **arguments)
    await give_up(cheat.bench.road, turn.opened.handle)
    return answer


def test_an_attack_is_the_same_whatever_the_attacker_is_called() -> None:
    async def attack(cheat: Cheat) -> None:
        await meet_goblin(cheat)
        seen = await look_at(cheat, "attack", target="Gruk")
        assert "result" in seen
        for name in ("Ansa", "player", "PLAYER", " ansa ", "An\u202esa"):
            assert await look_at(cheat, "attack", target="Gruk", attacker=name) == seen, name
        for same in ({"attack": "Billhook"}, {"attack": "BILLHOOK "}, {"advantage": False}):
            assert await look_at(cheat, "attack", target="Gruk", **same) == seen, same
        both = {"advantage": True, "disadvantage": True}
        assert await look_at(cheat, "attack", target="Gruk", **both) == seen
        for other in ({"attack": "Knife"}, {"advantage": True}):
            assert (await look_at(cheat, "attack", target="Gruk", **other)).keys() == {"error"}, other
        # Neither does another name make another character.
        turn = await cheat.begin()
        await roll(turn, "set_character", name="Berta", reason="a name of her own")
        again = await roll(turn, "attack", target="Gruk", attacker="Berta")
        await turn.finish("Berta strikes.")
        assert again.keys() == {"result"}
        assert (await cheat.bench.head()).body["seen"]["waiting"] == []  # type: ignore[call-overload,index]

    cheating(attack)


def test_an_attacker_has_dice_of_their_own() -> None:
    async def attack(cheat: Cheat) -> None:
        await meet_goblin(cheat)
        seen = await look_at(cheat, "attack", target="Gruk")
        theirs = await look_at(cheat, "attack", attacker="Gruk", target="Ansa")
        for name in ("gruk", " GRUK", "Gr\u202euk"):
            assert await look_at(cheat, "attack", attacker=name, target="player") == theirs, name
        turn = await cheat.begin()
        await roll(turn, "attack", attacker="Gruk", target="Ansa")
        await turn.finish("Gruk strikes.")
        again = await look_at(cheat, "attack", target="Gruk")
        # The ids of rolls count up.
        assert again["result"]["message"] == seen["result"]["message"]

    cheating(attack)


def test_a_check_is_the_same_whoever_is_spelled_how() -> None:
    async def attack(cheat: Cheat) -> None:
        await meet_goblin(cheat)
        for arguments in (HARD, {**HARD, "npcName": "Gruk"}):
            (seen,) = await cheat.look(arguments)
            spelled: list[dict[str, Any]] = [
                {"attribute": "STR"},
                {"visible": True},
                {"advantage": True, "disadvantage": True},
                {"npcName": "gr\u202eUK" if "npcName" in arguments else " "},
            ]
            for same in spelled:
                assert await cheat.look({**arguments, **same}) == [seen], same

    cheating(attack)


def test_actions_of_a_fight_are_checks_of_their_own() -> None:
    """Defending does not use up the dice of an attack."""

    async def attack(cheat: Cheat) -> None:
        turn = await cheat.begin()
        enemies = [{"template": "Road Goblin", "count": 2}]
        await roll(turn, "start_fight", enemies=enemies, surprise="enemies")
        await turn.finish("Goblins!")
        strike = {"action": "attack", "target": "Road Goblin 1"}
        seen = await look_at(cheat, "take_turn", **strike)
        assert "result" in seen
        await look_at(cheat, "take_turn", action="defend")
        assert await look_at(cheat, "take_turn", **strike, attack="Billhook", difficulty=3) == seen
        stunt = {"action": "stunt", "skill": "Athletics", "difficulty": 15, "damage": "2d6"}
        assert "result" in await look_at(cheat, "take_turn", **stunt)
        for other in ({"difficulty": 1}, {"skill": "Survival"}, {"advantage": True}, {"damage": "9d6"}):
            assert (await look_at(cheat, "take_turn", **{**stunt, **other})).keys() == {"error"}, other

    cheating(attack)


def test_used_dice_are_not_given_again() -> None:
    async def attack(cheat: Cheat) -> None:
        streams = []
        for _ in range(3):
            await cheat.look(HARD)
            await cheat.use(HARD)
            streams += [draw.name for draw in read_body((await cheat.bench.head()).body).draws]
        assert len(set(streams)) == 3
        assert (await cheat.bench.head()).body["seen"] == {"through": 3, "waiting": []}
        # Now any terms are allowed.
        assert len(await cheat.use(EASY)) == 1

    cheating(attack)


@pytest.mark.parametrize("fresh", [False, True])
def test_a_turn_without_the_check_does_not_use_them_up(fresh: bool) -> None:
    async def attack(cheat: Cheat) -> None:
        seen = await cheat.look(*SEVERAL)
        for _ in range(4):
            await cheat.use(OTHER)
        assert await cheat.use(*SEVERAL) == seen

    cheating(attack, fresh=fresh)


def test_a_turn_that_is_not_the_masters_does_not_use_them_up() -> None:
    async def attack(cheat: Cheat) -> None:
        seen = await cheat.look(*SEVERAL)
        bench = cheat.bench.told_by("The mule coughs.", "The mule coughs again.")
        assert isinstance(await bench.take(Say("I wait."), "told-1"), Committed)
        assert await cheat.use(OTHER) != []
        assert isinstance(await bench.take(Say("I wait."), "told-2"), Committed)
        assert await cheat.use(*SEVERAL) == seen

    cheating(attack)


@pytest.mark.parametrize("fresh", [False, True])
def test_a_turn_that_is_left_open_counts_as_seen(fresh: bool) -> None:
    async def attack(cheat: Cheat) -> None:
        turn = await cheat.begin()
        seen = [await check(turn, **arguments) for arguments in SEVERAL]
        with pytest.raises(LeaseError):
            await cheat.begin()
        later = at(LEASE_SECONDS_MAX + 1)
        # The process is killed; another one knows nothing but the store.
        numbers = iter(range(10**6, 2 * 10**6))
        cheat.bench = cheat.bench.with_road(
            opened=OpenedEditions(), now=lambda: later, new_id=lambda: f"{next(numbers):032x}"
        )
        assert (await cheat.use(OTHER, *SEVERAL))[1:] == seen

    cheating(attack, fresh=fresh)


def test_the_same_operation_begun_again_after_its_time() -> None:
    async def attack(cheat: Cheat) -> None:
        turn = await cheat.begin()
        seen = [await check(turn, **arguments) for arguments in SEVERAL]
        later = at(LEASE_SECONDS_MAX + 1)
        cheat.bench = cheat.bench.with_road(now=lambda: later)
        cheat.operations.pop()
        assert await cheat.use(*SEVERAL) == seen
        assert len([one for one in await cheat.bench.records() if isinstance(one, Aside)]) == 1
        attempts = await cheat.bench.attempts(cheat.operations[-1])
        assert [one.verdict for one in attempts] == [AttemptVerdict.INTERRUPTED, AttemptVerdict.COMMITTED]

    cheating(attack)


def test_a_check_made_while_the_turn_is_being_abandoned() -> None:
    async def attack(cheat: Cheat) -> None:
        turn = await cheat.begin()
        early = await check(turn, **OTHER)
        lease = await cheat.bench.book.open_turn("main")
        assert lease is not None
        late = [await check(turn, **arguments) for arguments in SEVERAL]
        newer = await cheat.bench.book.open_turn("main")
        assert newer is not None
        # The abandoning call had read the turn before these checks.
        reads = iter([lease])
        book = cheat.bench.book

        class Slow:
            def __getattr__(self, name: str) -> Any:
                return getattr(book, name)

            async def open_turn(self, branch: str) -> Any:
                return next(reads, newer) if branch else await book.open_turn(branch)

        await give_up(replace(cheat.bench.road, book=Slow()), turn.opened.handle)
        later = at(LEASE_SECONDS_MAX + 1)
        cheat.bench = cheat.bench.with_road(now=lambda: later)
        await cheat.use()
        assert await cheat.use(OTHER, *SEVERAL) == [early, *late]

    cheating(attack)


def test_dice_of_the_players_choice_are_seen_too() -> None:
    """They fall when the turn begins; another turn in between does not change them."""

    async def attack(cheat: Cheat) -> None:
        road = (bench := await lay_bench(ferry())).road
        await (await begin_master(road, "main", Opening(), "opening")).finish("Rain.")
        turn = await begin_master(road, "main", Choose("haggle"), "first")
        (seen,) = turn.opened.results
        await give_up(road, turn.opened.handle)
        await (await begin_master(road, "main", Choose("wait"), "wait")).finish("More rain.")
        for operation in ("second", "third"):
            turn = await begin_master(road, "main", Choose("haggle"), operation)
            assert turn.opened.results == (seen,)
            await give_up(road, turn.opened.handle)
        cheat.bench = bench

    cheating(attack)


def test_the_player_may_use_them_on_other_terms() -> None:
    """Only the game master has seen them."""

    async def attack(cheat: Cheat) -> None:
        recalled, call = await cheat.bench.recall(), Call("skill_check", HARD)
        game = recalled.edition.game
        purpose = purpose_of_call(game, recalled.position, call)
        seen = SeenDraws(replace(purpose, terms="harder", what={"terms": {}}), f"3:{purpose.check}:0")
        before = SeenBefore((seen,), frozenset({seen.stream}))
        for cause, refused in ((MODEL, True), (PLAYER, False)):
            working = TurnProgress(game, recalled.position, NamedDraws(b"", 3, seen=before))
            judged = await Judge(working).judge((call,), cause)
            assert bool(judged.mends) is refused
            assert working.fortune.waiting == ((seen,) if refused else ())

    cheating(attack)


def test_the_record_shows_every_look_and_what_it_was_for() -> None:
    async def attack(cheat: Cheat) -> None:
        for _ in range(3):
            await cheat.look(*SEVERAL)
        for operation in cheat.operations:
            (attempt,) = await cheat.bench.attempts(operation)
            assert attempt.verdict is AttemptVerdict.CANCELLED
            body: Any = attempt.body
            assert [exchange["calls"][0]["name"] for exchange in body["exchanges"]] == ["skill_check"] * 3
            assert all("individualRolls" in exchange["results"][0]["text"] for exchange in body["exchanges"])
        # What waits is listed once.
        (aside,) = (one for one in await cheat.bench.records() if isinstance(one, Aside))
        checks: Any = aside.body["checks"]
        assert checks[0]["for"] == {
            "check": ["skill_check", {"skill": "athletics"}],
            "terms": {"difficulty": 15},
        }
        assert len(checks) == len(SEVERAL)
        assert not any(isinstance(one, Aside) for one in (await cheat.bench.recall()).asides)

    cheating(attack)


def test_turns_with_seen_dice_are_played_again_as_they_were() -> None:
    async def attack(cheat: Cheat) -> None:
        await cheat.look(*SEVERAL)
        await cheat.use(OTHER)
        await cheat.use(HARD)
        for version in (0, 1):
            commit = (await cheat.bench.book.back((await cheat.bench.head()).id, 2))[version]
            assert find_differences(commit, await replay_turn(cheat.bench.road, commit)) == ()

    cheating(attack)


def test_a_campaign_with_all_of_it() -> None:
    async def run() -> None:
        cheat = await play_looks()
        book = cheat.bench.book
        found = await verify(book, editions=cheat.bench.library, secret=await book.secret())
        assert found.violations == ()
        assert [turn.verdict.why for turn in found.turns if turn.verdict.why] == []
        assert (await cheat.bench.head()).body["seen"]["through"] == 3  # type: ignore[call-overload,index]

    asyncio.run(run())


@pytest.mark.slow
@pytest.mark.parametrize("most", [0, 40, 200, 1_000])
def test_turns_judged_in_a_thread_have_the_same_dice(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> list[bytes]:
        cheat = await play_looks()
        # What is refused was not seen, in a thread or not.
        await cheat.look(HARD)
        turn = await cheat.begin()
        assert (await roll(turn, "skill_check", **{**HARD, "difficulty": 1})).keys() == {"error"}
        await give_up(cheat.bench.road, turn.opened.handle)
        book = cheat.bench.book
        assert isinstance(book, RecordLines)
        return [line async for line in book.lines()]

    expected = asyncio.run(play())
    monkeypatch.setattr(work_meter, "LOOP_WORK_MAX", most)
    assert asyncio.run(play()) == expected


def test_a_check_that_is_judged_again_in_a_thread_was_seen_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is interrupted after every possible step, before and after its dice fell."""

    async def attack(cheat: Cheat) -> None:
        recalled, call = await cheat.bench.recall(), Call("skill_check", HARD)
        game = recalled.edition.game
        seen = SeenDraws(
            replace(purpose_of_call(game, recalled.position, call), terms="harder", what={"terms": {}}),
            "2:before:0",
        )
        for before, looks in ((SeenBefore(), 1), (SeenBefore((seen,), frozenset({seen.stream})), 0)):
            steps = most = 0
            while most <= steps:
                monkeypatch.setattr(work_meter, "LOOP_WORK_MAX", most)
                working = TurnProgress(game, recalled.position, NamedDraws(b"", 3, seen=before))
                with limit_work(WORK_MAX) as meter:
                    judged = await Judge(working).judge((call,), MODEL)
                assert meter.left_loop is (most < meter.steps)
                assert (len(working.fortune.looks), bool(judged.mends)) == (looks, not looks)
                assert len(working.fortune.draws) == looks
                steps, most = meter.steps, most + 1
            assert steps > 0

    cheating(attack)


def test_a_turn_of_an_older_engine_has_dice_without_names() -> None:
    """It cannot use what was seen: at that time nothing was recorded of it."""

    async def attack(cheat: Cheat) -> None:
        await cheat.look(OTHER)
        await cheat.use(HARD)
        commit = await cheat.bench.head()
        again = await replay_turn(cheat.bench.road, replace(commit, body={**commit.body, "engine": 3}))
        assert isinstance(again, Commit)
        assert [(draw.sides, draw.name) for draw in read_body(again.body).draws] == [(20, "")]
        assert again.body["seen"] == {"through": 1, "waiting": []}

    cheating(attack)


def test_work_that_is_done_again_has_the_same_dice() -> None:
    fortune = NamedDraws(b"secret", 3)

    def work() -> tuple[str, ...]:
        for _ in range(2):
            fate = fortune.open()
            fate.draw(20)
            fortune.keep(fate)
        return tuple(draw.name for draw in fortune.draws)

    restart = fortune.restart_point()
    first = work()
    restart()
    assert fortune.draws == ()
    assert work() == first


def test_a_judgement_that_is_discarded_was_not_seen() -> None:
    fortune = NamedDraws(b"secret", 3)
    fate = fortune.open(lambda: make_purpose(["skill_check", {"skill": "climb"}]))
    fate.draw(20)
    assert len(fortune.looks) == 1
    fortune.discard(fate)
    assert not fortune.looks


def test_a_check_is_named_whatever_its_call_means() -> None:
    async def check_names() -> None:
        cheat = await lay_cheat()
        recalled = await cheat.bench.recall()
        game, position = recalled.edition.game, recalled.position
        assert purpose_of_call(game, position, Call("nothing", {"a": 1})) == make_purpose(["nothing", {}], {})
        # A call that will be refused is named by what it says.
        nobody = purpose_of_call(game, position, Call("attack", {"attacker": "Nobody At All"}))
        assert nobody.what == {"check": ["attack", {"attacker": "nobody at all"}], "terms": {}}
        asked = await lay_bench(bridge(), opened=True)
        other = await asked.recall()
        named = purpose_of_call(other.edition.game, other.position, Call("ask_keeper", {}))
        assert named == make_purpose(["ask_keeper", {}], {})

    asyncio.run(check_names())
