"""Setup wizard: set up a model in four short steps, with one real question to test it.

Nothing is saved before the question is answered. The key goes to the model chooser and nowhere else.
"""

from dataclasses import replace
from functools import partial

from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, ContentSwitcher, Input, OptionList, Static

from talewright.faces.tui.app_port import host_of, run_in_background, services_of
from talewright.faces.tui.key_bindings import SETUP_BACK, SETUP_KEYS, SETUP_NEXT, bind
from talewright.faces.tui.setup.wizard_pages import KeyField, KeyPage, ModelPage, PlacePage
from talewright.faces.tui.setup.wizard_trial_page import KeptPage, TrialPage
from talewright.faces.tui.widgets.key_bar import KeyBar
from talewright.faces.tui.words.setup_words import setup_words
from talewright.play.model_choices import ModelCandidate, ModelSource

STEPS = {"where": 1, "key": 2, "model": 3, "trial": 4, "kept": 4}
"""The step number of each page."""

STEP_COUNT = 4
NOWHERE = ModelSource("", "", is_local=True)


class SetupScreen(Screen[bool]):
    """Set up a model; dismisses with whether one was saved."""

    BINDINGS = bind(SETUP_KEYS)
    DEFAULT_CSS = """
    SetupScreen {
        & > #head { height: 1; padding: 0 2; }
        & > ContentSwitcher { height: 1fr; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._source = NOWHERE
        self._candidate = ModelCandidate("", "")

    def compose(self) -> ComposeResult:
        words = setup_words(host_of(self).language)
        yield Static(id="head")
        with ContentSwitcher(initial="where"):
            yield PlacePage(words, words.where, id="where")
            yield KeyPage(words, "", id="key")
            yield ModelPage(words, words.model, id="model")
            yield TrialPage(words, words.testing, id="trial")
            yield KeptPage(words, words.kept, id="kept")
        yield KeyBar()

    def on_mount(self) -> None:
        """Look for models at once."""
        self._turn_to("where")
        self.query_one("#sources").focus()
        self.action_look()

    def _turn_to(self, page: str) -> None:
        words, step = setup_words(host_of(self).language), STEPS[page]
        self.query_one(ContentSwitcher).current = page
        self.query_one(KeyBar).show(
            SETUP_KEYS if page == "where" else (SETUP_NEXT, SETUP_BACK), host_of(self).language
        )
        dots = " ".join("●" if each <= step else "○" for each in range(1, STEP_COUNT + 1))
        title, told = (words.title, "bold $primary"), (words.step.format(step=step), "$text-muted")
        self.query_one("#head", Static).update(Content.assemble(title, f"  {dots}  ", told))

    def action_look(self) -> None:
        """Look for models on this machine, and list the known services."""
        if self.query_one(ContentSwitcher).current == "where":
            job = partial(self.query_one(PlacePage).look, services_of(self).models)
            run_in_background(self, job, "setup")

    def action_back(self) -> None:
        """Go one page back; close the wizard from the first and the last page."""
        match self.query_one(ContentSwitcher).current:
            case "trial":
                self.workers.cancel_group(self, "setup")
                self._ask_model()
            case "model" if self._source.key_name and not self._source.has_key:
                self._ask_key()
            case "where" | "kept" as page:
                self.dismiss(page == "kept")
            case _:
                self._turn_to("where")
                self.query_one("#sources").focus()

    def action_enter(self) -> None:
        """Do what Enter does at the cursor, for clicks on the key bar."""
        match self.focused:
            case OptionList() as options:
                options.action_select()
            case Button() as button:
                button.press()
            case Input() as line:
                self.call_later(line.action_submit)
            case _:
                pass

    def on_place_page_picked(self, event: PlacePage.Picked) -> None:
        """Ask for a key if one is needed and missing, else for the model."""
        self._source = event.source
        self._candidate = ModelCandidate(event.source.name, "", base_url=event.source.base_url)
        if event.source.key_name and not event.source.has_key:
            self._ask_key()
        else:
            self._ask_model()

    def on_key_page_given(self) -> None:
        """Take the key out of the field, then ask for the model."""
        self._candidate = replace(self._candidate, key=self.query_one(KeyField).take())
        self._ask_model()

    def _ask_key(self) -> None:
        self._turn_to("key")
        self.query_one(KeyPage).show(self._source)

    def _ask_model(self) -> None:
        self._turn_to("model")
        self.query_one(ModelPage).show(self._source)

    def on_model_page_named(self, event: ModelPage.Named) -> None:
        """Ask the model one question."""
        self._candidate = replace(self._candidate, model=event.model)
        self._try()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Handle the buttons shown after the question."""
        match event.button.id:
            case "keep":
                run_in_background(self, self._keep, "setup")
            case "skip":
                services_of(self).models.skip_question()
            case "again":
                self._try()
            case "other-key":
                self._ask_key()
            case "other-model":
                self._ask_model()
            case "other-place":
                self._turn_to("where")
                self.query_one("#sources").focus()
            case _:
                self.dismiss(True)

    def _try(self) -> None:
        self._turn_to("trial")
        has_key = bool(self._source.key_name)
        job = partial(self.query_one(TrialPage).ask, services_of(self).models, self._candidate, has_key)
        run_in_background(self, job, "setup")

    async def _keep(self) -> None:
        has_key = bool(self._source.key_name)
        told = await self.query_one(TrialPage).keep(services_of(self).models, self._candidate, has_key)
        if told:
            # The key is stored now; drop this copy.
            self._candidate = replace(self._candidate, key="")
            self._turn_to("kept")
            self.query_one(KeptPage).show(told)
