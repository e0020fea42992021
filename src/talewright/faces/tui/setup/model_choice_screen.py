"""Model choice screen: choose the model of a campaign from a list.

It returns the chosen name; the calling screen applies it.
"""

from collections.abc import Iterable

from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from talewright.faces.tui.app_port import host_of, run_in_background, services_of
from talewright.faces.tui.key_bindings import MODEL_CHOICE_KEYS, bind
from talewright.faces.tui.safe_content import describe_error, safe_line
from talewright.faces.tui.setup.setup_wizard import SetupScreen
from talewright.faces.tui.widgets.dialogs import Dialog
from talewright.faces.tui.widgets.key_bar import KeyBar
from talewright.faces.tui.words.setup_words import SetupWords, setup_words
from talewright.play.model_choices import NO_MODEL, ModelChoice

CHOSEN, OTHER = "● ", "○ "
INDENT = "  "


def draw_choice(choice: ModelChoice, chosen: bool, words: SetupWords) -> Content:
    """Draw a model: name, where it runs, price, and any problem with it."""
    first = Content.assemble(
        (CHOSEN if chosen else OTHER, "$primary" if chosen else ""),
        (safe_line(choice.title), "bold"),
        (f"{words.join}{words.chosen}" if chosen else "", "$primary"),
    )
    facts = (choice.name if choice.name not in (choice.title, NO_MODEL) else "", choice.place, choice.price)
    told = words.join.join(safe_line(fact) for fact in facts if fact)
    lines = [first, Content.styled(INDENT + told, "$text-muted")]
    if choice.trouble:
        lines.append(Content.styled(f"{INDENT}! {safe_line(choice.trouble)}", "$text-warning"))
        if choice.hint:
            lines.append(Content(f"{INDENT}  {safe_line(choice.hint)}"))
    return Content("\n").join(lines)


class ModelScreen(Dialog[str]):
    """Choose the model of a campaign, or without one the default. Dismisses with a name or NO_MODEL."""

    BINDINGS = bind(MODEL_CHOICE_KEYS)
    DEFAULT_CSS = """
    ModelScreen #models { border: none; padding: 0; background: transparent; height: auto; max-height: 16; }
    """

    def __init__(self, campaign: str = "", game: str = "") -> None:
        super().__init__(Content())
        self._campaign, self._game = campaign, game
        self._choices: tuple[ModelChoice, ...] = ()
        self._doubted = ""
        """An unavailable model that was chosen once; choosing it again confirms."""

    @property
    def _words(self) -> SetupWords:
        return setup_words(host_of(self).language)

    def body(self) -> Iterable[Widget]:
        """The list of models."""
        words = self._words
        title = words.models_title.format(campaign=safe_line(self._campaign))
        self._heading = Content(title if self._campaign else words.models_usual)
        return Static(Content(words.looking), id="looking"), OptionList(id="models", markup=False), KeyBar()

    def on_mount(self) -> None:
        """Fill the list after the first paint."""
        self.query_one(KeyBar).show(MODEL_CHOICE_KEYS, host_of(self).language)
        self.query_one("#models").focus()
        self._look()

    def _look(self) -> None:
        run_in_background(self, self._load, "models")

    async def _load(self) -> None:
        words, desk = self._words, services_of(self).models
        try:
            choices = await desk.choices()
            chosen = await desk.chosen(self._campaign, self._game)
        except Exception as error:
            choices, chosen = (), NO_MODEL
            self.tell_trouble(describe_error(error, words.wrong, words.wrong_hint))
        scenes = ModelChoice(NO_MODEL, words.scenes_title, words.scenes_text)
        self._choices = (*choices, scenes)
        names = [choice.name for choice in self._choices]
        self.query_one("#looking", Static).display = not choices
        self.query_one("#looking", Static).update(Content(words.no_models))
        models = self.query_one("#models", OptionList)
        models.set_options(
            Option(draw_choice(choice, choice.name == chosen, words)) for choice in self._choices
        )
        models.highlighted = names.index(chosen) if chosen in names else 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose the model; an unavailable one must be chosen twice."""
        choice = self._choices[event.option_index]
        if choice.trouble and self._doubted != choice.name:
            self._doubted = choice.name
            told = self._words.all_the_same.format(trouble=safe_line(choice.trouble))
            self.tell_trouble(Content.styled(f"! {told}", "$text-warning"))
        else:
            self.dismiss(choice.name)

    def action_enter(self) -> None:
        """Do what Enter does on the list, for clicks on the key bar."""
        self.query_one("#models", OptionList).action_select()

    def action_back(self) -> None:
        """Close without a choice."""
        self.dismiss(None)

    def action_set_up(self) -> None:
        """Set up another model, then reload the list."""
        self.app.push_screen(SetupScreen(), lambda kept: self._look() if kept else None)
