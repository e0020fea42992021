"""Condensing: what is done after a turn is safe, and kept as asides for the next one.

It moves no head and fails no turn. Without a storyteller there is nothing to condense with: a window that is
full is then cut by the engine itself, when the next prompt is made.
"""

from talewright.chronicle.records import Aside
from talewright.contract.dialect import Ground
from talewright.contract.dialects import DIALECTS
from talewright.contract.text.guard import OPEN
from talewright.contract.text.plain_text import strip_controls
from talewright.kernel.judging.system_calls import allowed_tools
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.documents import Json
from talewright.llm.requests import Request
from talewright.prompt.memory import SUMMARY_ANSWER_TOKENS_MAX, ask_summary, trim_summary
from talewright.prompt.words.languages import phrases_in
from talewright.turn.asides import ERRAND, SUMMARY, UNANSWERED
from talewright.turn.asking import Asker, Ledger, UntoldError
from talewright.turn.briefing import make_frame
from talewright.turn.committing import write_cost
from talewright.turn.errands import run_errand
from talewright.turn.memory import ask_retention, count_older, find_due, read_summary, recollect
from talewright.turn.recalling import Recalled, reach_back, recall
from talewright.turn.retelling import list_past
from talewright.turn.road import Road, Teller
from talewright.turn.signals import BackgroundDone
from talewright.turn.windows import read_window


async def condense(road: Road, branch: str) -> int:
    """Do what follows a branch's newest turn: errands of the systems, a summary; how many were answered."""
    if road.teller is None:
        return 0
    recalled = await reach_back(road.book, await recall(road, branch))
    return await _run_errands(road, road.teller, recalled) + await _sum_up(road, road.teller, recalled)


async def _run_errands(road: Road, teller: Teller, recalled: Recalled) -> int:
    game = recalled.edition.game
    known = await road.book.asides(frozenset({recalled.head.id}))
    done = {(aside.body.get("system"), aside.body.get("errand")) for aside in known}
    table, turns = WorkingState(game, recalled.position), list_past(recalled.past)
    wanted = [
        (system.name, errand)
        for system in game.systems
        for errand in system.errands(table.sight(system), turns)
        if (system.name, errand.id) not in done
    ]
    made = 0
    for system, errand in wanted[: road.limits.errands_max]:
        ledger = Ledger()
        asker = Asker(road, DIALECTS[game.contract], OPEN, ledger, f"errand {system} {errand.id}")
        answer = await run_errand(asker, teller, errand)
        body: dict[str, Json] = {"kind": UNANSWERED, "system": system, "errand": errand.id}
        if answer is not None:
            body |= {"kind": ERRAND, "answer": answer}
        await _keep(road, recalled, body, ledger)
        made += answer is not None
    return made


async def _sum_up(road: Road, teller: Teller, recalled: Recalled) -> int:
    """Have the oldest turns of the window summed up, where they are due to be cut."""
    edition, head = recalled.edition, recalled.head
    game, texts = edition.game, edition.words(road.language or recalled.body.language)
    window = read_window(recalled.body.window, head.version)
    known = await road.book.asides(frozenset({head.id}))
    tried = any(aside.body.get("errand") == SUMMARY for aside in known)
    waiting = any(aside.body.get("from") == window.first for aside in recalled.asides)
    if tried or waiting:
        return 0
    dialect = DIALECTS[game.contract]
    tools = allowed_tools(WorkingState(game, recalled.position))
    ground = Ground(game, recalled.position, texts.language, tools=tools)
    frame = make_frame(dialect, ground, texts, teller)
    recollection = await recollect(road.book, recalled, window, game, texts)
    wish = ask_retention(game, recalled.position)
    count = find_due(recollection, window, head.version + 1, frame.marks, wish)
    if not count or (wish is not None and wish.due and count_older(recollection, window, wish)):
        # What systems let go they have remembered themselves.
        return 0
    asked = ask_summary(read_summary(recalled.position), recollection.tell(count), phrases_in(texts.language))
    ledger = Ledger()
    asker = Asker(road, dialect, OPEN, ledger, f"summary {window.first}")
    try:
        request = Request(asked, max_output_tokens=SUMMARY_ANSWER_TOKENS_MAX)
        text = await asker.ask_plainly(teller.cheap or teller.main, request, SUMMARY)
    except UntoldError:
        text = ""
    summary = trim_summary(strip_controls(text))
    body: dict[str, Json] = {"kind": UNANSWERED, "errand": SUMMARY}
    if summary:
        upto = window.first + count - 1
        body |= {"kind": SUMMARY, "text": summary, "from": window.first, "upto": upto}
    await _keep(road, recalled, body, ledger)
    return int(bool(summary))


async def _keep(road: Road, recalled: Recalled, body: dict[str, Json], ledger: Ledger) -> None:
    """Keep what came of it, also where that is only what it has cost."""
    cost = write_cost(ledger)
    await road.book.add(Aside(road.new_id(), recalled.head.id, road.now(), {**body, **cost}))
    kind = body["kind"]
    if kind != UNANSWERED:
        road.listener(BackgroundDone(str(kind)))
