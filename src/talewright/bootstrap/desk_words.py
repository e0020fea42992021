"""The words of the model desk, in English and Chinese.

Words only; nothing is looked up here.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DeskWords:
    """What the desk says."""

    here: str
    """Of a model on the player's own machine, with `{title}`."""

    there: str
    """Of a model at a service, with `{title}`."""

    address: str
    """Of a model at an address of the player's own, with `{place}`."""

    free: str
    turn: str
    """What a turn costs, with `{money}`."""

    no_key: str
    """With `{key}`."""

    no_key_hint: str
    kept: str
    """With `{name}` and `{file}`."""

    key_kept: str
    """With `{key}`."""

    key_held: str
    """Where there is no keyring: with `{key}` and `{trouble}`."""

    environment: str
    """Where the environment decides, with `{name}` and `{model}`."""

    environment_hint: str


ENGLISH = DeskWords(
    here="on this machine ({title})",
    there="at {title}",
    address="at {place}",
    free="free",
    turn="about {money} a turn",
    no_key="its key {key} is missing",
    no_key_hint="Set it up again and give its key, or put the key into the environment.",
    kept="{name} tells your games from now on ({file}).",
    key_kept="Its key is kept in the keyring as {key}.",
    key_held=(
        "Its key could not be kept ({trouble}). It is used until you leave; "
        "for the next time put it into the environment as {key}."
    ),
    environment="the variable {name} says that {model} tells, and it counts more than what is chosen here",
    environment_hint="Unset it and start again to choose here.",
)

CHINESE = DeskWords(
    here="在这台机器上（{title}）",
    there="在 {title}",
    address="在 {place}",
    free="免费",
    turn="每回合约 {money}",
    no_key="缺少密钥 {key}",
    no_key_hint="请重新设置并输入密钥，或者把密钥放进环境变量。",
    kept="从现在起由 {name} 讲述（{file}）。",
    key_kept="密钥已存入系统钥匙串，名字是 {key}。",
    key_held="密钥没能存下来（{trouble}）。退出之前可以一直用；下次请先把它放进环境变量 {key}。",
    environment="环境变量 {name} 指定由 {model} 讲述，它比这里的选择优先",
    environment_hint="取消这个变量，重新启动，就能在这里选了。",
)


def desk_words(language: str) -> DeskWords:
    """The words of a language; English for those we do not speak."""
    return CHINESE if language.partition("-")[0].lower() == "zh" else ENGLISH
