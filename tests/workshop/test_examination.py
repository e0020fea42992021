"""Examinations: held through a lobby, counted from the record, and the same for the same seed."""

import asyncio
import json
from collections import Counter
from typing import Any

from talewright.play.history.campaign_cost import Cost, count_costs
from talewright.play.history.campaign_history import CampaignArchive, CampaignHistory
from talewright.play.verify.campaign_verification import verify
from talewright.turn.records.flaw_kinds import FlawKind
from talewright.workshop.exam_figures import is_in_language
from talewright.workshop.exam_plot import draw_plot
from talewright.workshop.exam_report import ExamReport, tell_report, write_report
from talewright.workshop.examination import SILENT_TURNS_MAX, ExamResult
from tests.turn.making import plain
from tests.workshop.examining import PROFILE, fail, hold, make_exam_lobby

TURNS = 14


async def read(result: ExamResult, lobby: Any) -> list[CampaignHistory]:
    """The records of what was played, each of them proven first."""
    found = []
    for name in result.campaigns:
        async with CampaignArchive(lobby.store, lobby.shelf).past(name) as past:
            assert (await verify(past.book, secret=b"s" * 32)).violations == ()
            found.append(past.history)
    return found


def test_the_figures_agree_with_the_record() -> None:
    async def run() -> None:
        result, lobby = await hold(TURNS)
        figures = result.figures
        histories = await read(result, lobby)
        told: Counter[str] = Counter()
        asked = mends = 0
        seconds = 0.0
        spent = Cost()
        for history in histories:
            for commit in history.commits.values():
                body = plain(commit.body)
                exchanges = body.get("exchanges", [])
                if exchanges:
                    mended = any("mend" in one for one in exchanges)
                    told[body["told"] + (" mended" if mended else "")] += 1
                    mends += sum("mend" in one for one in exchanges)
            tries = [one for attempts in history.attempts.values() for one in attempts]
            asked += sum(plain(one.body).get("asks", 0) for one in tries)
            seconds += sum(plain(one.body).get("seconds", 0.0) for one in tries)
            untold = [one for one in tries if one.verdict.value == "degraded"]
            told["untold"] += len(untold)
            mends += sum("mend" in one for each in untold for one in plain(each.body)["exchanges"])
            spent += count_costs(history, lambda name: PROFILE).total
        assert figures.at_once == told["model"] > 0
        assert figures.repaired == told["model mended"] > 0
        assert figures.by_scene + figures.untold == told["scenes mended"] + told["untold"] > 0
        assert figures.turns >= TURNS
        assert (figures.repairs, figures.cost) == (mends, spent)
        assert spent.dollars is not None
        assert sum(figures.seconds) == seconds >= asked / 2
        assert figures.cached_share == spent.cached_tokens / (spent.cached_tokens + spent.uncached_tokens)

    asyncio.run(run())


def test_what_went_wrong_is_counted() -> None:
    async def run() -> None:
        figures = (await hold(TURNS))[0].figures
        kinds = {kind for kind, _ in figures.flaws}
        assert kinds == {FlawKind.FORM, FlawKind.REPETITION, FlawKind.REFUSED}
        assert figures.count(FlawKind.REPETITION) == 2
        assert figures.refused == 2
        assert figures.cut == 2
        assert figures.in_language == figures.told - 2
        assert (figures.hidden, figures.unanswered) == (0, 0)

    asyncio.run(run())


def test_the_same_seed_gives_the_same_report_byte_for_byte() -> None:
    async def run(seed: int) -> tuple[str, str, str]:
        result, _ = await hold(TURNS, seed)
        report = ExamReport(seed, TURNS, (result,))
        return json.dumps(write_report(report)), "\n".join(tell_report(report)), draw_plot(report)

    first, second = asyncio.run(run(7)), asyncio.run(run(7))
    assert first == second
    other = asyncio.run(run(8))
    assert other[2] != first[2]


def test_the_player_acts_by_the_seed() -> None:
    async def run(seed: int) -> list[object]:
        result, lobby = await hold(8, seed)
        commits = [commit for each in await read(result, lobby) for commit in each.commits.values()]
        return [commit.body.get("input") for commit in commits]

    assert asyncio.run(run(1)) == asyncio.run(run(1))
    assert len({str(asyncio.run(run(seed))) for seed in range(4)}) > 1


def test_after_a_turn_that_nobody_could_tell_the_player_goes_on_with_the_story() -> None:
    async def run() -> None:
        result, lobby = await hold(TURNS)
        assert result.figures.untold > 0
        for history in await read(result, lobby):
            versions = [commit.version for commit in history.commits.values()]
            assert versions == list(range(len(versions)))

    asyncio.run(run())


def test_a_model_that_never_answers_is_given_up() -> None:
    async def run() -> None:
        result, _ = await hold(TURNS, lobby=make_exam_lobby(fail))
        assert result.given_up
        assert result.figures.turns == SILENT_TURNS_MAX
        assert (result.figures.told, result.figures.cached_share) == (0, 0.0)
        told = "\n".join(tell_report(ExamReport(1, TURNS, (result,))))
        assert "small, ferry: given up, because the model did not answer." in told

    asyncio.run(run())


def test_language_is_told_by_the_script() -> None:
    assert is_in_language("He nods.", "en")
    assert is_in_language("He says 好 and nods to you, slowly.", "en")
    assert not is_in_language("他点了点头。", "en")
    assert is_in_language("他点了点头，叫你 Tom。", "zh-CN")
    assert not is_in_language("He nods. 好。", "zh-CN")
    assert is_in_language("...", "zh-CN")
