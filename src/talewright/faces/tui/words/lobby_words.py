"""Words of the lobby.

Words only; placeholders in braces are filled in by the screens.
"""

from dataclasses import dataclass

from talewright.common.word_catalogues import CountedWords, load_words


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyWords:
    """Words of the lobby."""

    title: str
    subtitle: str
    opening: str
    """While the services are loaded."""

    games: str
    campaigns: str
    no_games: str
    no_campaigns: str
    join: str
    """Separates the facts of a line."""

    needs_model: str
    plays_alone: str
    """Shown for a game that can be played without a model."""

    length: str
    turn: str
    begun: str
    """Shown for a campaign with no turn yet."""

    looking: str
    """Shown until the details are loaded."""

    scenes_tell: str
    free: str
    """The cost of a campaign without a model."""

    cost: str
    little: str
    """A cost that would round to zero."""

    won: str
    lost: str
    ended: str
    damaged: str
    damaged_hint: str
    no_details: str
    """Shown for a campaign whose details cannot be read; the reason follows."""

    just_now: str
    minutes: CountedWords
    hours: CountedWords
    yesterday: str
    days: str
    date: str
    """Format of older dates, for `strftime`."""

    beginning: str
    going_on: str
    first_turn: str
    """While the first turn runs."""

    stopped: str
    pick_campaign: str
    pick_game: str
    new_title: str
    new_language: str
    new_name: str
    new_name_hint: str
    new_teller: str
    new_scenes: str
    new_no_model: str
    begin: str
    cancel: str
    import_title: str
    import_path: str
    import_hint: str
    import_name: str
    import_do: str
    imported: str
    export_title: str
    export_form: str
    export_path: str
    export_do: str
    export_save: str
    export_markdown: str
    export_html: str
    export_epub: str
    export_hint: str
    exported: str
    path_wanted: str
    delete_title: str
    delete_text: str
    delete_do: str
    deleted: str
    model_chosen: str
    model_none: str
    wrong: str
    wrong_hint: str


def lobby_words(language: str) -> LobbyWords:
    """The lobby words that best match a language."""
    return load_words(LobbyWords, "tui_lobby", language)
