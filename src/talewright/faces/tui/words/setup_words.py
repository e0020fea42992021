"""Words of choosing and setting up a model.

Words only; placeholders in braces are filled in by the screens. API keys never appear in them.
"""

from dataclasses import dataclass

from talewright.common.word_catalogues import load_words


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupWords:
    """Words of the setup screens."""

    models_title: str
    models_usual: str
    scenes_title: str
    scenes_text: str
    no_models: str
    chosen: str
    all_the_same: str
    """Asks to confirm a model that is not available now."""

    back: str
    next: str
    looking: str
    join: str

    title: str
    step: str
    where: str
    where_text: str
    where_looking: str
    where_none: str
    where_found: str
    local: str
    local_empty: str
    service: str
    service_ready: str
    address: str
    """The last option: any other server."""

    address_label: str
    address_hint: str
    address_asking: str
    key: str
    key_text: str
    key_hint: str
    key_wanted: str
    key_optional: str
    """Shown for a server that may not need a key."""

    model: str
    model_text: str
    model_typed: str
    model_hint: str
    model_wanted: str
    testing: str
    testing_text: str
    test_good: str
    test_bad: str
    test_said: str
    test_silent: str
    test_seconds: str
    test_next: str
    asking: str
    skip: str
    keep: str
    again: str
    other_key: str
    other_model: str
    other_place: str
    keeping: str
    kept: str
    kept_bad: str
    kept_next: str
    done: str

    first_title: str
    first_text: str
    first_play: str
    first_play_text: str
    first_no_games: str
    first_model: str
    first_model_text: str
    first_model_do: str
    first_beginning: str
    wrong: str
    wrong_hint: str


def setup_words(language: str) -> SetupWords:
    """The setup words that best match a language."""
    return load_words(SetupWords, "tui_setup", language)
