"""Phrases: what the odds system says to narrators and players, in every supported language.

Names of skills and difficulties come from the game; everything else is here.
"""

from talewright.common.frozen_values import frozen
from talewright.common.language_tags import pick_words

LANGUAGE = "en"
"""The default language."""


@frozen
class OddsPhrases:
    """All phrases in one language."""

    title: str
    last: str
    """The title of the last attempt."""

    skills: str
    steps: str
    rule: str
    stands: str
    """For the narrator: what was attempted in this very turn."""

    earlier: str
    """For the narrator: what was attempted last."""

    attempt: str
    drawn: str
    drawn_for_player: str
    """The same with percentages; a number below the chance is a success."""

    blocked: str
    stakes: str
    heading: str
    corrected: str
    between: str
    """Separates two corrections."""

    outcomes: tuple[str, str, str]
    """Success, fail, blocked."""


ENGLISH = OddsPhrases(
    title="Odds",
    last="Last attempt",
    skills="Skills: {skills}.",
    steps="Difficulties: {steps}.",
    rule=(
        "Where something may go wrong, name skill, difficulty and stakes and call attempt before telling it. "
        "The engine draws rand; it is a success where rand < p, with "
        "p = clamp(0.5 + skill/50 - difficulty, 0.05, 0.95). Never decide an outcome yourself."
    ),
    stands="In this turn: {attempt} This stands; tell it so. mechanics: {mechanics}",
    earlier="Last attempt: {attempt}",
    attempt="{skill} {value} against {difficulty}: {drawn}{stakes}",
    drawn="p {p}, rand {rand}, {outcome}.",
    drawn_for_player="{chance}% chance, {percent} drawn, {outcome}.",
    blocked="{outcome}, nothing was drawn.",
    stakes=" At stake: {stakes}.",
    heading="{skill} against {difficulty}: {outcome}",
    corrected="{name} was told as {said} and is {true}",
    between="; ",
    outcomes=("success", "fail", "blocked"),
)

CHINESE = OddsPhrases(
    title="胜算",
    last="上一次尝试",
    skills="技能：{skills}。",
    steps="难度：{steps}。",
    rule=(
        "凡是可能不成的事，先说明技能、难度和赌注，调用 attempt，然后再讲述。随机数 rand 由引擎抽取，"
        "rand < p 即成功，p = clamp(0.5 + 技能/50 - 难度, 0.05, 0.95)。绝不可自行决定结果。"
    ),
    stands="本回合：{attempt}此结果已定，照此讲述。mechanics: {mechanics}",
    earlier="上一次尝试：{attempt}",
    attempt="{skill} {value} 对 {difficulty}：{drawn}{stakes}",
    drawn="胜算 {p}，抽得 {rand}，{outcome}。",
    drawn_for_player="成功率 {chance}%，抽到 {percent}，{outcome}。",
    blocked="{outcome}，没有抽数。",
    stakes="赌注：{stakes}。",
    heading="{skill} 对 {difficulty}：{outcome}",
    corrected="{name} 说成了 {said}，实为 {true}",
    between="；",
    outcomes=("成功", "失败", "行不通"),
)


def odds_phrases_in(language: str) -> OddsPhrases:
    """The phrases of a language; English if it is not supported."""
    return pick_words(language, {LANGUAGE: ENGLISH, "zh-CN": CHINESE})
