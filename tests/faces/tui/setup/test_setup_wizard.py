"""The guided way to a model, walked with keys; and a key that shows up nowhere."""

import asyncio
import logging
from collections.abc import Callable, Iterator

import pytest
from textual.message import Message
from textual.pilot import Pilot
from textual.widgets import Button, Input, OptionList

from talewright.errors import TalewrightError
from talewright.faces.tui.setup.setup_wizard import SetupScreen
from talewright.faces.tui.setup.wizard_pages import KeyField
from talewright.faces.tui.words.setup_words import setup_words
from talewright.play.model_choices import ModelCandidate, ModelSource, TrialView
from tests.faces.tui.fakes import FakeDesk, FakeHouse
from tests.faces.tui.lobby.stage import LANGUAGES, SIZES, HallStage, keys, press, settle, visit

KEY = "sk-very-secret-0123456789"
BAD = TrialView(False, f"Incorrect key: {KEY}", f"Copy {KEY} whole.", 0.2)


def type_in(word: str) -> Iterator[str]:
    return ({"-": "minus"}.get(sign, sign) for sign in word)


def done(app: HallStage, name: str) -> list[object]:
    return [call[1] for call in app.house.desk.calls if call[0] == name]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_first_page(size: tuple[int, int], language: str) -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        words = {
            "en": ("on this machine, free", "Step 1 of 4"),
            "zh-CN": ("在本机，免费", "第 1 步，共 4 步"),
        }
        for each in ("Ollama", "OpenAI", *words[language]):
            assert each in app.seen

    visit(SetupScreen, scene, size=size, language=language)


def test_model_on_this_machine() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "down", "enter")
        assert done(app, "test") == [ModelCandidate("ollama", "qwen3")]
        for words in ("✓ It answers.", "“Hello.”", "0.4 s · free"):
            assert words in app.seen
        assert done(app, "keep") == []
        await press(pilot, "enter")
        assert done(app, "keep") == [ModelCandidate("ollama", "qwen3")]
        assert "qwen3 tells from now on." in app.seen
        await press(pilot, "enter")
        assert app.answers == [True]

    visit(SetupScreen, scene)


def test_service_with_a_key_and_a_typed_model() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "down", "enter", "enter")
        assert "OpenAI needs a key." in app.seen
        await press(pilot, *type_in("abc-def"), "enter")
        assert "abc" not in app.seen
        await press(pilot, "tab", *"big", "enter")
        assert done(app, "test") == [ModelCandidate("openai", "big", "abc-def")]
        await press(pilot, "enter")
        assert done(app, "keep") == [ModelCandidate("openai", "big", "abc-def")]

    visit(SetupScreen, scene)


def test_key_that_is_here_already_is_not_asked_for() -> None:
    desk = FakeDesk(found=(), offered=(ModelSource("s", "Serve", False, ("m",), "K", has_key=True),))

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "key already available" in app.seen
        assert "No server found on this machine." in app.seen
        await press(pilot, "enter", "enter")
        assert done(app, "test") == [ModelCandidate("s", "m")]

    visit(SetupScreen, scene, house=FakeHouse(desk=desk))


def test_failure_says_what_to_do_next() -> None:
    desk = FakeDesk(trial=TrialView(False, "The service refused the key.", "Look whether it is whole."))

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "down", "enter", *"key", "enter", "enter")
        for words in ("✗ It did not work.", "refused the key", "Look whether", "Nothing is saved yet."):
            assert words in app.seen
        await press(pilot, "enter")
        assert len(done(app, "test")) == 2
        await press(pilot, "tab", "enter")
        assert "Your key for OpenAI" in app.seen
        desk.trial = TrialView(True, "")
        await press(pilot, *"new", "enter", "enter")
        assert done(app, "test")[-1] == ModelCandidate("openai", "gpt-mini", "new")
        assert "The reply was empty but well-formed." in app.seen
        await press(pilot, "tab", "tab", "enter")
        assert "Where does the model run?" in app.seen
        assert done(app, "keep") == []

    visit(SetupScreen, scene, house=FakeHouse(desk=desk))


def test_back_goes_page_by_page() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "down", "enter", *"key", "enter", "enter")
        for words in ("Which model?", "Your key for OpenAI", "Where does the model run?"):
            await press(pilot, "escape")
            assert words in app.seen
        await press(pilot, "escape")
        assert app.answers == [False]

    visit(SetupScreen, scene)


def test_question_that_takes_long_can_be_left() -> None:
    class Endless(FakeDesk):
        async def test(self, candidate: ModelCandidate) -> TrialView:
            await asyncio.Event().wait()
            raise AssertionError

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "enter")
        assert "Asking llama3.2 a short question…" in app.seen
        await press(pilot, "escape")
        assert "Which model?" in app.seen

    visit(SetupScreen, scene, house=FakeHouse(desk=Endless()))


def test_services_are_there_before_the_machine_has_answered() -> None:
    gate = asyncio.Event()

    class Slow(FakeDesk):
        async def local(self) -> tuple[ModelSource, ...]:
            await gate.wait()
            return self.found

    desk = Slow(
        offered=(ModelSource("a", "Aaa", False, ("m",), "K"), ModelSource("b", "Bbb", False, ("m",), "K"))
    )

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "Searching this machine…" in app.seen
        await press(pilot, "down")
        gate.set()
        await settle(pilot)
        assert "Found on this machine: 1." in app.seen
        assert app.screen.query_one("#sources", OptionList).highlighted == 2
        await press(pilot, "r")
        assert app.screen.query_one("#sources", OptionList).highlighted == 0

    visit(SetupScreen, scene, house=FakeHouse(desk=desk))


def test_looking_that_fails_says_so() -> None:
    class Broken(FakeDesk):
        async def services(self) -> tuple[ModelSource, ...]:
            raise TalewrightError("the settings cannot be read")

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "! the settings cannot be read" in app.seen

    visit(SetupScreen, scene, house=FakeHouse(desk=Broken()))


@pytest.mark.parametrize(("language", "skip"), [("en", "Skip this question"), ("zh-CN", "跳过这个问题")])
def test_server_is_asked_what_it_can_do(language: str, skip: str) -> None:
    class Asking(FakeDesk):
        skipped = 0

        async def find_abilities(
            self, candidate: ModelCandidate, progress: Callable[[str, int, int], None]
        ) -> str:
            self.asked = asyncio.Event()
            for number in (1, 2):
                progress(f"question {number}", number, 2)
                await self.asked.wait()
                self.asked.clear()
            return "It reads 30 tokens a second."

        def skip_question(self) -> None:
            self.skipped += 1
            self.asked.set()

    desk = Asking()

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        # A button that has just been pressed takes no other press for a moment.
        app.screen.query_one("#skip", Button).active_effect_duration = 0
        await press(pilot, "enter", "down", "enter")
        for number in (1, 2):
            assert f"question {number}" in app.seen
            assert skip in app.seen
            assert done(app, "keep") == []
            await press(pilot, "enter")
            assert desk.skipped == number
        assert "It reads 30 tokens a second." in app.seen
        assert skip not in app.seen
        await press(pilot, "enter")
        assert done(app, "keep") == [ModelCandidate("ollama", "qwen3")]

    visit(SetupScreen, scene, house=FakeHouse(desk=desk), language=language)


def test_what_goes_wrong_while_asking_does_not_matter() -> None:
    class Failing(FakeDesk):
        async def find_abilities(
            self, candidate: ModelCandidate, progress: Callable[[str, int, int], None]
        ) -> str:
            progress("question 1", 1, 2)
            raise TalewrightError("the server has gone", "Start it again.")

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "down", "enter")
        assert "the server has gone" in app.seen
        await press(pilot, "enter")
        assert done(app, "keep") == [ModelCandidate("ollama", "qwen3")]

    visit(SetupScreen, scene, house=FakeHouse(desk=Failing()))


@pytest.mark.parametrize("where", ["test", "keep"])
def test_key_shows_up_nowhere(where: str, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[str] = []

    class Leaky(FakeDesk):
        async def test(self, candidate: ModelCandidate) -> TrialView:
            await super().test(candidate)
            return BAD if where == "test" else self.trial

        async def keep(self, candidate: ModelCandidate) -> str:
            raise TalewrightError(f"the keyring refused {candidate.key}", f"Put {candidate.key} elsewhere.")

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "down", "enter")
        field = app.screen.query_one(KeyField)
        field.value = KEY
        assert KEY not in app.seen
        heard.append(repr(field))
        await press(pilot, "enter", "enter", "enter")
        assert "✗" in app.seen
        heard.extend([app.seen, app.export_screenshot(), repr(app.screen), repr(vars(app.screen))])
        heard.extend(repr(node) for node in app.screen.walk_children())
        heard.extend(repr(worker) for worker in app.workers)

    with caplog.at_level(logging.DEBUG):
        app = visit(SetupScreen, scene, house=FakeHouse(desk=Leaky()))
    assert done(app, "test")[0] == ModelCandidate("openai", "gpt-mini", KEY)
    assert not any(KEY in text for text in (*heard, caplog.text))


def test_field_sends_nothing_along_and_copies_nothing() -> None:
    heard: list[Message] = []

    class Listening(SetupScreen):
        def on_input_changed(self, event: Input.Changed) -> None:
            heard.append(event)

        def on_input_submitted(self, event: Input.Submitted) -> None:
            heard.append(event)

        def on_input_blurred(self, event: Input.Blurred) -> None:
            heard.append(event)

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "down", "enter", *"abc", "tab", "shift+tab")
        field = app.screen.query_one(KeyField)
        field.select_all()
        await press(pilot, "ctrl+c", "ctrl+x")
        assert app.clipboard == ""
        assert field.value == ""
        await press(pilot, *"abc", "enter")
        assert field.value == ""

    visit(Listening, scene)
    assert not [event for event in heard if isinstance(getattr(event, "input", None), KeyField)]


@pytest.mark.parametrize(("key", "shown"), [("secret", "a … b"), ("secre", "a secret b"), ("", "a secret b")])
def test_key_is_hidden_in_a_text(key: str, shown: str) -> None:
    assert ModelCandidate("s", "m", key).hide_key("a secret b") == shown


def test_everything_by_mouse() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await pilot.click("#sources", offset=(3, 1))
        await settle(pilot)
        await pilot.click("#models", offset=(3, 1))
        await settle(pilot)
        await pilot.click("#keep")
        await settle(pilot)
        await pilot.click("#done")
        await settle(pilot)
        assert app.answers == [True]

    visit(SetupScreen, scene)


def test_bar_goes_on_like_enter() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        for _ in range(4):
            await pilot.click("KeyBar", offset=(2, 0))
            await settle(pilot)
        assert app.answers == [True]

    visit(SetupScreen, scene)


def test_model_name_is_wanted() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "tab", "enter")
        assert "Pick a model, or type its name." in app.seen

    visit(SetupScreen, scene)


def test_keys_of_the_first_page_are_no_letters_in_a_field() -> None:
    app = visit(SetupScreen, keys("down", "enter", "r", "enter", "enter"))
    assert done(app, "test") == [ModelCandidate("openai", "gpt-mini", "r")]


ADDRESS = "http://my.host:8080/v1"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_any_other_server_by_its_address(size: tuple[int, int], language: str) -> None:
    words = setup_words(language)

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert words.address in app.seen
        await press(pilot, "end", "enter")
        field = app.screen.query_one("#address", Input)
        assert field.has_focus
        assert app.screen.region.contains_region(field.region)
        field.value = "nonsense"
        await press(pilot, "enter")
        assert "! this is not the address of a server" in app.seen
        field.value = ADDRESS
        await press(pilot, "enter")
        assert words.key.format(title="my.host") in app.seen
        assert words.key_optional in app.seen
        # It may do without a key.
        await press(pilot, "enter", "enter")
        assert done(app, "test") == [ModelCandidate("", "mine", base_url=ADDRESS)]
        await press(pilot, "enter")
        assert done(app, "keep") == [ModelCandidate("", "mine", base_url=ADDRESS)]

    visit(SetupScreen, scene, size=size, language=language)
