"""A slow server behind a real session: no silence longer than two seconds, from the wire to the page."""

import asyncio
import io
import re
from dataclasses import replace

from talewright.faces.plain.command_loop import PlainFace
from talewright.faces.plain.wait_printer import LOOK_SECONDS, WaitTimer
from talewright.llm.known_models import find_profile
from talewright.play.presentation.wait_progress import PROGRESS_AFTER_SECONDS
from talewright.providers.openai_wire.openai_provider import OpenAICompatible
from talewright.turn.turn_context import Teller
from talewright_testkit.fake_provider.fake_clock import HandClock
from talewright_testkit.fake_provider.fake_server import serve
from talewright_testkit.fake_provider.reply_script import ReplyPace
from talewright_testkit.fake_provider.wires.vendor_dialects import LLAMA_CPP
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.faces.plain.tables import Table
from tests.play.making import make_lobby
from tests.play.scenes import room
from tests.play.tellers import cards

GAP_SECONDS = 7.0
"""How long the server needs for each batch of the prompt, and for each piece of the answer."""

PROFILE = replace(
    find_profile("m.gguf", service="llama_cpp"), read_tokens_per_second=20.0, write_tokens_per_second=4.0
)


class Paper(io.StringIO):
    """A page that remembers when it was written on."""

    def __init__(self, clock: HandClock) -> None:
        super().__init__()
        self._clock = clock
        self.times: list[float] = []

    def write(self, text: str) -> int:
        if text.strip():
            self.times.append(self._clock.now())
        return super().write(text)


def test_whoever_waits_for_a_slow_server_reads_what_it_does() -> None:
    async def main() -> None:
        clock, hands = HandClock(), HandClock()
        dialect = replace(LLAMA_CPP, progress_tokens=400)
        pace = ReplyPace(piece_characters=60, gap_seconds=GAP_SECONDS)
        script = ["nonsense", cards("The fog lifts slowly, and the harbour is empty.")]
        async with serve(Wire.OPENAI, script, dialect=dialect, pace=pace, clock=hands) as server:
            provider = OpenAICompatible("m", f"{server.url}/v1", profile=PROFILE)
            session = await make_lobby(room(), teller=Teller(provider)).begin("test")
            desk = Table("1", terminal=True)
            paper = Paper(clock)
            desk.sheet._out = desk.out = paper
            face = PlainFace(session, desk, WaitTimer(clock.now, clock.sleep))
            playing = asyncio.create_task(face.play())
            await clock.until_someone_sleeps()
            begun = clock.now()
            waited = 0.0
            while not playing.done():
                # The server's time passes with the player's; what it sends has to cross a real socket.
                clock.advance(LOOK_SECONDS)
                waited += LOOK_SECONDS
                if waited >= GAP_SECONDS:
                    waited = 0.0
                    hands.advance(GAP_SECONDS)
                for _ in range(50):
                    await asyncio.sleep(0)
            await playing
            await session.close()
            await provider.close()
        told = paper.getvalue()
        first = next(at for at in paper.times if at > begun)
        assert first - begun <= PROGRESS_AFTER_SECONDS
        assert re.search(r"Reading \(\d+% read\): \d+ s so far", told)
        assert re.search(r"Asking again: the reply was not in the right form", told)
        assert re.search(r"Writing the story: \d+ s so far, ", told)
        assert "…empty." in told

    asyncio.run(main())
