"""Wizard pages with questions: where a model runs, its API key (never shown), and which model it is.

They post what was answered; the wizard moves between them. The key field holds a key until it is taken, once.
Only the place page asks the model chooser what is available.
"""

from collections.abc import Sequence
from functools import partial

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from talewright.faces.tui.app_port import run_in_background
from talewright.faces.tui.safe_content import describe_error, safe_line
from talewright.faces.tui.widgets.dialogs import draw_buttons
from talewright.faces.tui.widgets.text_wrap import WrappedText
from talewright.faces.tui.words.setup_words import SetupWords
from talewright.play.model_choices import ModelChooser, ModelSource


class KeyField(Input):
    """An Input whose messages carry no text."""

    class Given(Message):
        """Enter was pressed; the key is still in the field."""

    def __init__(self, placeholder: str, *, id: str) -> None:  # noqa: A002 - the name that Textual gives it
        super().__init__(placeholder=placeholder, password=True, id=id)

    def post_message(self, message: Message) -> bool:
        """Post no message that contains the typed text: messages are written to logs."""
        if isinstance(message, Input.Submitted):
            return super().post_message(self.Given())
        if isinstance(message, Input.Changed | Input.Blurred):
            return True
        return super().post_message(message)

    def take(self) -> str:
        """Return the typed text and clear the field."""
        typed, self.value = self.value.strip(), ""
        return typed

    def action_copy(self) -> None:
        """Do nothing: a key cannot be copied."""

    def action_cut(self) -> None:
        """Delete without copying."""
        self.delete_selection()


MODELS_SHOWN_MAX = 500
"""How many models of one source are listed; any other can be typed."""

ADDRESS_LENGTH_MAX = 500
"""Maximum length of a typed address, in characters."""

MODEL_LENGTH_MAX = 200
"""Maximum length of a typed model name, in characters."""


class WizardPage(VerticalScroll, can_focus=False):
    """A heading with content below it."""

    DEFAULT_CSS = """
    WizardPage {
        height: 1fr;
        padding: 1 2 0 2;
        & > .heading { text-style: bold; color: $primary; }
        & > .text { color: $text-muted; margin-bottom: 1; }
        & > .label { color: $text-muted; margin-top: 1; }
        & > OptionList {
            height: auto; max-height: 12; border: round $border-blurred;
            &:focus { border: round $border; }
        }
    }
    """

    def __init__(self, words: SetupWords, heading: str, *, id: str) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self.words, self._heading = words, heading

    def compose(self) -> ComposeResult:
        yield Static(Content(self._heading), classes="heading")

    def head(self, heading: str) -> None:
        """Replace the heading."""
        self.query_one(".heading", Static).update(Content(heading))


class PlacePage(WizardPage):
    """Where models can run: local servers and services."""

    class Picked(Message):
        """A place was chosen."""

        def __init__(self, source: ModelSource) -> None:
            super().__init__()
            self.source = source

    def __init__(self, words: SetupWords, heading: str, *, id: str) -> None:  # noqa: A002 - as Textual has it
        super().__init__(words, heading, id=id)
        self._sources: tuple[ModelSource, ...] = ()
        self._desk: ModelChooser | None = None

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield WrappedText(Content(self.words.where_text), classes="text")
        yield Static(Content(self.words.where_looking), id="found")
        yield OptionList(id="sources", markup=False)
        yield Static(Content(self.words.address_label), classes="label")
        yield Input(id="address", placeholder=self.words.address_hint, max_length=ADDRESS_LENGTH_MAX)
        yield Static(id="address-told")

    async def look(self, desk: ModelChooser) -> None:
        """Show the services at once, and local servers as they answer."""
        self._desk = desk
        words, told = self.words, self.query_one("#found", Static)
        options = self.query_one("#sources", OptionList)
        try:
            services = await desk.services()
            told.update(Content(words.where_looking))
            self._show(services, 0)
            found = await desk.local()
        except Exception as error:
            told.update(describe_error(error, words.wrong, words.wrong_hint))
            return
        told.update(Content(words.where_found.format(count=len(found)) if found else words.where_none))
        # Keep the position if the player has already moved down the list.
        at = options.highlighted or 0
        self._show((*found, *services), at + len(found) if at else 0)

    def _show(self, sources: Sequence[ModelSource], at: int) -> None:
        self._sources = tuple(sources)
        options = self.query_one("#sources", OptionList)
        own = Option(Content.styled(self.words.address, "bold"))
        options.set_options([*(Option(self._draw(source)) for source in sources), own])
        options.highlighted = at

    def _draw(self, source: ModelSource) -> Content:
        words = self.words
        if source.is_local:
            told = words.local if source.models else words.local_empty
        else:
            told = words.service_ready if source.has_key or not source.key_name else words.service
        return Content.assemble((safe_line(source.title), "bold"), (words.join + told, "$text-muted"))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Post the chosen place; the last entry opens a field for an address."""
        event.stop()
        if event.option_index < len(self._sources):
            self.post_message(self.Picked(self._sources[event.option_index]))
        else:
            self.query_one("#address").focus()

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Ask the server at the address for its models."""
        event.stop()
        run_in_background(self, partial(self._ask_address, event.value), "address")

    async def _ask_address(self, address: str) -> None:
        words, told = self.words, self.query_one("#address-told", Static)
        if self._desk is None:
            return
        told.update(Content(words.address_asking))
        try:
            source = await self._desk.at_address(address)
        except Exception as error:
            told.update(describe_error(error, words.wrong, words.wrong_hint))
        else:
            told.update(Content())
            self.post_message(self.Picked(source))


class KeyPage(WizardPage):
    """Asks for the key of a service. Its message carries no key: the screen takes it out of the field."""

    class Given(Message):
        """The field contains a key."""

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield WrappedText(Content(self.words.key_text), id="key-text", classes="text")
        yield KeyField(self.words.key_hint, id="key")
        yield Static(id="key-told")
        yield draw_buttons(("next", self.words.next, True))

    def show(self, source: ModelSource) -> None:
        """Ask for the key of a source."""
        self._title, self._needed = safe_line(source.title), source.needs_key
        texts = [self.words.key_text] if source.needs_key else [self.words.key_optional, self.words.key_text]
        self.query_one("#key-text", WrappedText).update(Content("\n".join(texts)))
        self.head(self.words.key.format(title=self._title))
        self.query_one("#key-told", Static).update(Content())
        self.query_one(KeyField).focus()

    def on_key_field_given(self) -> None:
        """Accept the key on Enter."""
        if self.query_one(KeyField).value.strip() or not self._needed:
            self.post_message(self.Given())
        else:
            told = self.words.key_wanted.format(title=self._title)
            self.query_one("#key-told", Static).update(Content.styled(f"! {told}", "$text-warning"))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Accept the key on a click."""
        event.stop()
        self.on_key_field_given()


class ModelPage(WizardPage):
    """Asks for the model: one of a list, or a typed name."""

    class Named(Message):
        """A model was chosen or typed."""

        def __init__(self, model: str) -> None:
            super().__init__()
            self.model = model

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield WrappedText(Content(self.words.model_text), classes="text")
        yield OptionList(id="models", markup=False)
        yield Static(Content(self.words.model_typed), classes="label")
        yield Input(id="typed", max_length=MODEL_LENGTH_MAX)
        yield Static(id="model-told")

    def show(self, source: ModelSource) -> None:
        """Offer the models of a source."""
        self._names = source.models[:MODELS_SHOWN_MAX]
        models, typed = self.query_one("#models", OptionList), self.query_one("#typed", Input)
        models.set_options(Option(Content(safe_line(name))) for name in self._names)
        models.display = bool(self._names)
        models.highlighted = 0 if self._names else None
        typed.value = ""
        typed.placeholder = self.words.model_hint.format(title=safe_line(source.title))
        self.query_one("#model-told", Static).update(Content())
        (models if self._names else typed).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Post the chosen model."""
        event.stop()
        self.post_message(self.Named(self._names[event.option_index]))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Post the typed model."""
        event.stop()
        name = event.value.strip()
        if name:
            self.post_message(self.Named(name))
        else:
            told = Content.styled(f"! {self.words.model_wanted}", "$text-warning")
            self.query_one("#model-told", Static).update(told)
