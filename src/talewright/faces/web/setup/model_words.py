"""Words of the pages about models.

API keys never appear in them.
"""

from dataclasses import dataclass

from talewright.common.word_catalogues import load_words


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPageWords:
    """Words of the model pages; placeholders are the same in every language."""

    title: str
    for_campaign: str
    by_default: str
    about: str
    scenes: str
    scenes_about: str
    as_default: str
    """The choice of a campaign that has none of its own."""

    none_set_up: str
    use_default: str
    use_here: str
    add: str
    local: str
    local_none: str
    local_empty: str
    look_again: str
    services: str
    services_about: str
    has_key: str
    own_server: str
    own_server_about: str
    address: str
    find: str
    key: str
    key_about: str
    key_stored: str
    key_optional: str
    model: str
    other_model: str
    try_it: str
    trying: str
    asking: str
    probing: str
    refreshes: str
    """On a page without scripts."""

    good: str
    bad: str
    silent: str
    seconds: str
    estimate: str
    """Beside a price."""

    abilities: str
    stopped: str
    skip: str
    stop: str
    keep: str
    keep_about: str
    again: str
    another: str
    kept: str
    back: str


def model_words(language: str) -> ModelPageWords:
    """The words that best match a language."""
    return load_words(ModelPageWords, "web_models", language)
