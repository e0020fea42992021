"""Campaign dialogs: start a new campaign, import one, export one.

Each returns what the player filled in. Import and export run while the dialog is open, so that a wrong path
can be corrected.
"""

import os
from collections.abc import Awaitable, Callable, Iterable
from functools import partial

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Input, RadioButton, RadioSet, Static

from talewright.common.frozen_values import frozen
from talewright.common.language_tags import pick_language
from talewright.faces.tui.app_port import run_in_background
from talewright.faces.tui.lobby.lobby_rows import name_language
from talewright.faces.tui.safe_content import describe_error, safe_line
from talewright.faces.tui.widgets.dialogs import NAME_LENGTH_MAX, Dialog, draw_buttons
from talewright.faces.tui.words.lobby_words import LobbyWords
from talewright.play.lobby import ExportForm, GameInfo

QUOTES = "\"' "
"""Characters that a shell or file manager puts around a pasted path."""


class SignedRadioButton(RadioButton):
    """A radio button whose state shows in its symbol, not only in its colour."""

    BUTTON_LEFT = BUTTON_RIGHT = ""
    DEFAULT_CSS = """
    SignedRadioButton {
        & > .toggle--button { color: $text-muted !important; background: transparent !important; }
        &.-on > .toggle--button { color: $primary !important; }
    }
    """

    def render(self) -> Content:
        """A filled symbol when selected."""
        self.BUTTON_INNER = "●" if self.value else "○"
        return super().render()


@frozen
class NewCampaignForm:
    """How to start a campaign."""

    game: str
    language: str
    name: str = ""


def pick_game_language(languages: tuple[str, ...], wished: str) -> str:
    """Return the language of a game closest to the requested one, or the game's first language."""
    return pick_language(wished, languages, "".join(languages[:1]))


class NewDialog(Dialog[NewCampaignForm]):
    """Start a campaign: choose its language and name."""

    def __init__(self, game: GameInfo, language: str, teller: Content, words: LobbyWords) -> None:
        super().__init__(Content(words.new_title.format(title=safe_line(game.title))))
        self._game, self._language, self._teller, self._words = game, language, teller, words

    def body(self) -> Iterable[Widget]:
        """Languages, if there are several, and an optional name."""
        words, game = self._words, self._game
        yield Static(self._teller)
        if len(game.languages) > 1:
            yield Static(Content(words.new_language), classes="label")
            wished = pick_game_language(game.languages, self._language)
            yield RadioSet(
                *(SignedRadioButton(Content(name_language(code)), code == wished) for code in game.languages),
                id="language",
                compact=True,
            )
        yield Static(Content(words.new_name), classes="label")
        yield Input(placeholder=words.new_name_hint, id="name", max_length=NAME_LENGTH_MAX)
        yield draw_buttons(("cancel", words.cancel, False), ("begin", words.begin, True))

    def on_mount(self) -> None:
        """Focus the button, so that Enter starts the campaign at once."""
        self.query_one("#begin").focus()

    def on_input_submitted(self) -> None:
        """Start the campaign on Enter in the field as well."""
        self._begin()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Start the campaign, or cancel."""
        if event.button.id == "begin":
            self._begin()
        else:
            self.dismiss(None)

    def _begin(self) -> None:
        languages = self._game.languages
        chosen = [radio.pressed_index for radio in self.query(RadioSet)]
        language = languages[chosen[0]] if chosen and chosen[0] >= 0 else "".join(languages[:1])
        self.dismiss(NewCampaignForm(self._game.id, language, self.query_one("#name", Input).value.strip()))


class FileDialog(Dialog[str]):
    """A dialog that asks for a path; errors are shown in the dialog."""

    def __init__(self, title: Content, words: LobbyWords) -> None:
        super().__init__(title)
        self._words = words
        self._busy = False

    def on_mount(self) -> None:
        """Focus the field."""
        self.query_one("#path").focus()

    def on_input_submitted(self) -> None:
        """Run on Enter."""
        self._do()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Run, or cancel."""
        if event.button.id == "do":
            self._do()
        else:
            self.dismiss(None)

    async def act(self, path: str) -> str:
        """Do the work; return the message that the lobby then shows."""
        raise NotImplementedError

    def _do(self) -> None:
        path = self.query_one("#path", Input).value.strip().strip(QUOTES)
        if not path:
            self.tell_trouble(Content(self._words.path_wanted))
        elif not self._busy:
            self._busy = True
            run_in_background(self, partial(self._try, os.path.expanduser(path)), "looking")

    async def _try(self, path: str) -> None:
        try:
            told = await self.act(path)
        except Exception as error:
            self.tell_trouble(describe_error(error, self._words.wrong, self._words.wrong_hint))
        else:
            self.dismiss(told)
        finally:
            self._busy = False


class ImportDialog(FileDialog):
    """Import a save; dismisses with the name of the campaign."""

    def __init__(self, bring_in: Callable[[str, str], Awaitable[str]], words: LobbyWords) -> None:
        super().__init__(Content(words.import_title), words)
        self._bring_in = bring_in

    def body(self) -> Iterable[Widget]:
        """A path and a name."""
        words = self._words
        return (
            Static(Content(words.import_path)),
            Input(placeholder=words.import_hint, id="path"),
            Static(Content(words.import_name), classes="label"),
            Input(placeholder=words.new_name_hint, id="name", max_length=NAME_LENGTH_MAX),
            draw_buttons(("cancel", words.cancel, False), ("do", words.import_do, True)),
        )

    async def act(self, path: str) -> str:
        """Import the save; return the name of the campaign."""
        return await self._bring_in(path, self.query_one("#name", Input).value.strip())


class ExportDialog(FileDialog):
    """Export a campaign to a new file; dismisses with its path."""

    def __init__(
        self, campaign: str, write_out: Callable[[ExportForm, str], Awaitable[None]], words: LobbyWords
    ) -> None:
        super().__init__(Content(words.export_title.format(campaign=safe_line(campaign))), words)
        self._campaign, self._write_out = campaign, write_out
        self._forms = (
            (ExportForm.MARKDOWN, words.export_markdown),
            (ExportForm.HTML, words.export_html),
            (ExportForm.EPUB, words.export_epub),
            (ExportForm.SAVE, words.export_save),
        )

    def body(self) -> Iterable[Widget]:
        """A format and a path."""
        words = self._words
        return (
            Static(Content(words.export_form)),
            RadioSet(
                *(SignedRadioButton(Content(name), at == 0) for at, (_, name) in enumerate(self._forms)),
                id="form",
                compact=True,
            ),
            Static(Content(words.export_path), classes="label"),
            Input(self._suggest(ExportForm.MARKDOWN), placeholder=words.export_hint, id="path"),
            draw_buttons(("cancel", words.cancel, False), ("do", words.export_do, True)),
        )

    def on_radio_set_changed(self, event: RadioSet.Changed) -> None:
        """Change the path with the format, until the player types another."""
        path = self.query_one("#path", Input)
        if path.value in {self._suggest(form) for form, _ in self._forms}:
            path.value = self._suggest(self._forms[event.index][0])

    async def act(self, path: str) -> str:
        """Export the campaign; return the path."""
        at = self.query_one("#form", RadioSet).pressed_index
        await self._write_out(self._forms[max(at, 0)][0], path)
        return path

    def _suggest(self, form: ExportForm) -> str:
        return f"~/{safe_line(self._campaign)}.{form.value}"
