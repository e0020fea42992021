"""The office: hires by the settings as they are now, holds keys nobody can keep, and closes all it opened."""

import asyncio
import os
from pathlib import Path

import pytest

from talewright.bootstrap.keyrings import TemporaryKeyring
from talewright.bootstrap.provider_factory import ProviderFactory
from talewright.bootstrap.settings_reload import ReloadingProviderFactory
from talewright.config.api_keys import ApiKey
from talewright.config.environment import EnvironmentVariables
from talewright.config.loaded_settings import load_settings
from talewright.config.model_settings import ModelPreference
from talewright.errors import TalewrightError
from talewright.turn.turn_limits import TurnLimits
from tests.config.test_api_keys import Drawer

HOME = '[models.home]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "x-1"\n'
KEYED = '[models.mini]\nservice = "openai"\nmodel = "gpt-5-mini"\n'


class Desk:
    """A settings file and an office that follows it."""

    def __init__(self, folder: Path, wish: str = "") -> None:
        self.file = folder / "settings.toml"
        self.drawer = Drawer()
        self.opened: list[ProviderFactory] = []
        self.wish = ModelPreference(model=wish)
        self.reloading_factory = ReloadingProviderFactory(self.open)
        self.written = 0

    def open(self) -> ProviderFactory:
        loaded = load_settings(
            {"TALEWRIGHT_HOME": str(self.file.parent)}, self.file.parent, EnvironmentVariables()
        )
        self.opened.append(ProviderFactory(loaded, self.drawer, self.wish))
        return self.opened[-1]

    def write(self, text: str) -> None:
        self.file.write_text(text, "utf-8")
        # A clock may be too coarse to tell two writes apart.
        self.written += 1
        os.utime(self.file, ns=(self.written, self.written))


def test_the_settings_are_read_again_when_they_have_changed(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    reloading_factory = desk.reloading_factory
    assert reloading_factory.hire("game", "one") is None
    assert reloading_factory.tell_who("game", "one") == ""
    desk.write(f'model = "home"\n{HOME}')
    assert reloading_factory.hire("game", "one") is not None
    assert reloading_factory.tell_who("game", "one") == "x-1"
    desk.write(f'model = "home"\n{HOME}[campaigns.one]\nmodel = "none"\n')
    assert (reloading_factory.tell_who("game", "one"), reloading_factory.tell_who("game", "two")) == (
        "",
        "x-1",
    )
    assert len(desk.opened) == 3
    assert reloading_factory.open() is reloading_factory.open()


def test_a_wish_counts_until_something_is_chosen(tmp_path: Path) -> None:
    desk = Desk(tmp_path, wish="home")
    desk.write(HOME)
    assert desk.reloading_factory.tell_who("", "") == "x-1"
    desk.reloading_factory.follow_settings()
    assert desk.reloading_factory.tell_who("", "") == ""


def test_settings_that_do_not_fit_are_told_to_whoever_wants_to_play(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.write("nonsense = 3\n")
    assert desk.reloading_factory.tell_who("game", "one") == ""
    assert desk.reloading_factory.limits == TurnLimits()
    assert desk.reloading_factory.look_up("gpt-5-mini").name == "gpt-5-mini"
    with pytest.raises(TalewrightError, match="nonsense is not a known field"):
        desk.reloading_factory.hire("game", "one")
    desk.write(f"{HOME}context_tokens = 5000\n[timeouts]\nturn_seconds = 7.0\n")
    assert desk.reloading_factory.limits.turn_seconds_max == 7.0
    assert desk.reloading_factory.look_up("x-1").context_tokens == 5_000


def test_a_key_that_cannot_be_kept_is_held(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.write(f'model = "mini"\n{KEYED}')
    with pytest.raises(TalewrightError, match="needs the key OPENAI_API_KEY"):
        desk.reloading_factory.hire("", "")
    desk.reloading_factory.hold_key("OPENAI_API_KEY", ApiKey("sk-held"))
    assert desk.reloading_factory.hire("", "") is not None
    assert desk.drawer.keys == {}
    desk.write(f'model = "mini"\n{KEYED}# changed\n')
    assert desk.reloading_factory.hire("", "") is not None


def test_held_keys_come_first_until_one_is_kept() -> None:
    drawer = Drawer(A="kept")
    keys = TemporaryKeyring(drawer)
    assert (keys.get("A"), keys.get("B"), keys.trouble) == (ApiKey("kept"), None, "")
    keys.hold("A", ApiKey("held"))
    assert keys.get("A") == ApiKey("held")
    keys.put("A", ApiKey("new"))
    assert (keys.get("A"), drawer.keys) == (ApiKey("new"), {"A": "new"})


def test_all_that_was_opened_is_closed(tmp_path: Path) -> None:
    async def main() -> None:
        desk = Desk(tmp_path)
        desk.write(f'model = "home"\n{HOME}')
        desk.reloading_factory.hire("", "a")
        desk.write(f'model = "home"\n{HOME}# changed\n')
        desk.reloading_factory.hire("", "a")
        assert all(factory._doors for factory in desk.opened)
        await desk.reloading_factory.close()
        assert not any(factory._doors for factory in desk.opened)
        await desk.reloading_factory.close()

    asyncio.run(main())
