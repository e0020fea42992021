"""Lobby rows: a game or a campaign in a few short lines, with cost and when it was last played.

Drawing only. Every string from play is sanitized here; the current time is a parameter.
"""

from collections.abc import Iterable
from datetime import datetime

from textual.content import Content

from talewright.common.language_tags import normalize_tag
from talewright.common.word_catalogues import interface_languages, native_name
from talewright.faces.tui.safe_content import safe_line
from talewright.faces.tui.story.markdown_blocks import read_one_line
from talewright.faces.tui.words.lobby_words import LobbyWords
from talewright.play.lobby import CampaignDetails, CampaignInfo, GameInfo

MINUTE_SECONDS = 60
HOUR_SECONDS = 60 * MINUTE_SECONDS
HOURS_MAX = 12
"""Times of the same day, or less than this many hours ago, are given in hours; older ones in days."""

DAYS_MAX = 6
"""Up to how many days ago a time is given in days; then it is a date."""


def tell_time(at: str, now: datetime, words: LobbyWords) -> str:
    """Describe a recorded time relative to now, in the player's time zone; keep it as it is if not a time."""
    try:
        then = datetime.fromisoformat(at)
    except ValueError:
        return safe_line(at)
    if then.tzinfo is None:
        then = then.replace(tzinfo=now.tzinfo)
    then = then.astimezone(now.tzinfo)
    seconds = (now - then).total_seconds()
    days = (now.date() - then.date()).days
    if seconds < 2 * MINUTE_SECONDS:
        return words.just_now if seconds < MINUTE_SECONDS else words.minutes.format(1)
    if seconds < HOUR_SECONDS:
        return words.minutes.format(int(seconds // MINUTE_SECONDS))
    if days == 0 or seconds < HOURS_MAX * HOUR_SECONDS:
        return words.hours.format(int(seconds // HOUR_SECONDS))
    if days == 1:
        return words.yesterday
    if days <= DAYS_MAX:
        return words.days.format(count=days)
    return then.strftime(words.date)


TITLE = "bold"
MUTED = "$text-muted"
LITTLE_DOLLARS = 0.01
"""Costs below this are shown as almost nothing."""


def name_language(code: str) -> str:
    """Return the native name of a language, or its code when the interface does not speak it."""
    # Two languages of one game need different names: `en-GB` is not shown as English.
    tags = {normalize_tag(tag): tag for tag in interface_languages()}
    tag = tags.get(normalize_tag(code))
    return native_name(tag) if tag else safe_line(code)


def draw_game(game: GameInfo, words: LobbyWords, *, spare: bool = False) -> Content:
    """Draw a game: title, summary, length and tone, whether it needs a model, and its languages.

    With `spare`, draw only what matters for choosing: the summary, and whether it cannot be played.
    """
    if spare and game.description:
        needy = f"{words.join}{words.needs_model}" if game.needs_model else ""
        title = Content.assemble((safe_line(game.title), TITLE), (needy, MUTED))
        return Content("\n").join([title, Content(safe_line(game.description))])
    about = [words.length.format(turns=game.turns)] if game.turns else []
    about += [safe_line(game.tone)] if game.tone else []
    needs = words.needs_model if game.needs_model else words.plays_alone
    lines = [Content.styled(safe_line(game.title), TITLE)]
    lines += [Content(safe_line(game.description))] if game.description else []
    lines += [Content.styled(words.join.join(about), MUTED)] if about else []
    lines.append(_join((needs, *(name_language(code) for code in game.languages)), words))
    return Content("\n").join(lines)


def draw_campaign(
    info: CampaignInfo, details: CampaignDetails | None, words: LobbyWords, now: datetime, trouble: str = ""
) -> Content:
    """Draw a campaign: title, name and time; its last line; its model and cost as far as known."""
    first = Content.assemble(
        (safe_line(info.title) or safe_line(info.name), TITLE),
        (f"{words.join}{safe_line(info.name)}{words.join}{tell_time(info.at, now, words)}", MUTED),
    )
    if info.damaged:
        hint = words.damaged_hint.format(campaign=safe_line(info.name))
        second = Content.assemble((f"! {words.damaged}", "bold $text-error"), f"{words.join}{hint}")
        return Content("\n").join([first, second, _tell_details(details, words)])
    if trouble:
        second = Content.styled(f"! {words.no_details}{words.join}{safe_line(trouble)}", "$text-warning")
        return Content("\n").join([first, second, Content("")])
    told = Content("") if details is None else Content(read_one_line(safe_line(details.last)))
    return Content("\n").join([first, told, _tell_details(details, words)])


def tell_cost(details: CampaignDetails, words: LobbyWords) -> str:
    """Describe what a campaign has cost so far; empty when unknown."""
    if not details.dollars:
        return words.free if details.dollars == 0 and details.model else ""
    if details.dollars < LITTLE_DOLLARS:
        return words.little
    return words.cost.format(dollars=f"{details.dollars:.2f}")


def _tell_details(details: CampaignDetails | None, words: LobbyWords) -> Content:
    if details is None:
        return Content.styled(words.looking, MUTED)
    turn = words.turn.format(turn=details.turn) if details.turn else words.begun
    outcomes = {"win": words.won, "lose": words.lost, "": ""}
    outcome = outcomes.get(details.outcome, words.ended)
    model = safe_line(details.model) or words.scenes_tell
    return _join((turn, outcome, model, tell_cost(details, words)), words)


def _join(facts: Iterable[str], words: LobbyWords) -> Content:
    return Content.styled(words.join.join(fact for fact in facts if fact), MUTED)
