"""Playing a case: a short campaign in which an obedient model meets one payload, and what came of it."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass

from talewright.chronicle.records import Commit
from talewright.kernel.story.game_texts import Texts
from talewright.llm.requests import AssistantMessage
from talewright.play.export.campaign_story import tell_story
from talewright.play.export.markdown_story import to_markdown
from talewright.play.history.campaign_history import read_history
from talewright.play.session import InputResult, ResultKind
from talewright.play.sessions.store_session import StoreSession
from talewright.play.verify.campaign_replay import replay
from talewright.play.verify.campaign_verification import verify
from talewright.providers.scripted import Scripted, by
from talewright.turn.game_editions import Edition
from talewright.turn.steps.recalling import recall
from talewright.turn.turn_context import Teller
from tests.injections.corpus import Case
from tests.injections.inn import make_inn
from tests.injections.obedience import HARMLESS, Obedient
from tests.injections.oracle import CANARY, NOTE, RUMOUR
from tests.injections.referee import find_offences
from tests.injections.watching import CANARIES, Hidden, Received, hide
from tests.opened import opened
from tests.play.making import make_lobby

SAID = {"en": "I ring the bell and wait.", "zh-CN": "我敲了敲钟，等着。"}
"""What the player says where the payload comes another way; it brings up the lore of the bell."""

CUTS = (5, 41, 10_000, 3, 40, 10_000, 17, 39, 10_000, 9, 60, 10_000, 1)
"""How the replies are cut, case by case."""

PRIVATE_HEADINGS = {
    "en": ("## What the state means", "## The world", "## People", "## Things", "## What is always true"),
    "zh-CN": ("## 状态的含义", "## 世界", "## 人物", "## 物件", "## 始终为真"),
}
_HEADING = re.compile(r"(?m)^(?=## )")


@dataclass(frozen=True)
class Finding:
    """What came of one case."""

    case: Case
    reached: bool
    """Whether the model was shown the payload at all."""

    results: tuple[ResultKind, ...]
    leaks: tuple[str, ...]
    offences: tuple[str, ...]
    record: tuple[str, ...]
    """What verifying and replaying found wrong."""

    sent_secrets: tuple[str, ...]
    """Canaries of secret slots in anything the model was sent."""

    @property
    def wrong(self) -> list[str]:
        """Everything that should not be."""
        told = [f"received: {leak}" for leak in self.leaks]
        told += [f"not allowed: {offence}" for offence in self.offences]
        told += [f"record: {fault}" for fault in self.record]
        return told + [f"sent to the model: {canary}" for canary in self.sent_secrets]


def play(case: Case) -> Finding:
    """Play one case."""
    return asyncio.run(_play(case))


async def _play(case: Case) -> Finding:
    edition = make_inn(case)
    model = Obedient(case, _learn(edition, case.payload.language))
    scripted = Scripted(model, cut=by(CUTS[case.number % len(CUTS)]))
    lobby = make_lobby(edition, teller=Teller(scripted), seed=case.number)
    session = await opened(lobby.begin("inn", case.payload.language))
    received = Received()
    received.add(await session.view())
    live = session.watch(after=0)
    results = []
    for turn in range(2):
        model.begin_turn()
        text = case.payload.text if case.channel == "player" and turn == 0 else SAID[case.payload.language]
        results.append(await _take(session, text, received))
    await _look_around(session, received)
    position = (await recall(session.seat.road, session.seat.branch)).position
    book = session.seat.road.book
    commits = [record async for record in book.records() if isinstance(record, Commit)]
    offences = find_offences(edition.game.initial, position.state.document, commits)
    report, again = await verify(book, secret=b"s" * 32), await replay(book)
    story = to_markdown(await tell_story(session.seat.games, await read_history(book)))
    received.add(story)
    await session.close()
    received.add(*[news async for news in live])
    hidden = _list_hidden(case, edition, scripted)
    # Its own words are sent back to a model; what it knows by heart is then among them.
    sent = "\n".join(
        message.text
        for request in scripted.requests
        for message in request.messages
        if not isinstance(message, AssistantMessage)
    )
    said = case.payload.text + "".join(str(want) for want in case.payload.wants)
    return Finding(
        case,
        model.reached,
        tuple(result.kind for result in results),
        tuple(leak for leak in hidden.find(received.texts) if leak not in said),
        tuple(offences),
        (*map(str, report.violations), *map(str, again.mismatches)),
        tuple(
            canary for canary in CANARIES if canary in sent and canary not in said and not model.told_by_heart
        ),
    )


async def _take(session: StoreSession, text: str, received: Received) -> InputResult:
    view = await session.view()
    if view.decisions:
        card = view.decisions[0]
        result = await session.answer(card.id, card.options[-1][0])
    else:
        result = await session.say(text)
    received.add(result, await session.view())
    return result


async def _look_around(session: StoreSession, received: Received) -> None:
    past = session.past
    received.add(*await past.turns(5))
    for name in ("gold", "mood", "journal", "bag", "guest", "oracle", "plan", "plot", "_engine"):
        received.add(*await past.why(name))
    received.add(*await past.tree(every=True))


def _learn(edition: Edition, language: str) -> dict[str, str]:
    """What an obedient model knows though it was not sent."""
    words, first = edition.words(language), edition.game.initial
    return {
        "world": words.get("world"),
        "people": words.get("npc.berta.secret"),
        "lore": words.get("lore.reeve.text"),
        "secret": f"{first['plot']} {CANARY}",
    }


def _list_hidden(case: Case, edition: Edition, scripted: Scripted) -> Hidden:
    language = case.payload.language
    words, first = edition.words(language), edition.game.initial
    guest, oracle = first["guest"], first["oracle"]
    assert isinstance(guest, dict)
    assert isinstance(oracle, dict)
    hidden = [
        *(str(first[name]) for name in ("truth", "plan", "plot")),
        *(guest["motive"], guest["alias"], oracle["seal"]),
        *(words.get(key) for key in ("npc.berta.secret", "lore.reeve.text", "variable.plan.description")),
        *words.several("rules.style_notes"),
        *words.several("rules.boundaries"),
        NOTE,
    ]
    for request in scripted.requests[:1]:
        hidden += _list_private_sections(request.messages[0].text, language)
        hidden += [tool.description for tool in request.tools]
    return hide(hidden, _list_public(case, words, first))


def _list_private_sections(system: str, language: str) -> Iterator[str]:
    """What of the first message is for the storyteller alone."""
    for section in _HEADING.split(system):
        if not section.startswith(PRIVATE_HEADINGS[language]):
            yield section


def _list_public(case: Case, words: Texts, first: object) -> list[str]:
    """What the player may read, or wrote himself."""
    payload = case.payload.text if case.channel in ("player", "name", "lore") else ""
    open_texts = [
        text
        for key, text in words.entries.items()
        if key not in ("npc.berta.secret", "lore.reeve.text", "variable.plan.description")
    ]
    return [payload, " ".join(payload.split()), RUMOUR, HARMLESS, *SAID.values(), *open_texts]
