"""Files of campaigns, as bytes: a save game there and back, and the name of what is brought in."""

import pytest

from talewright.play.export.campaign_files import name_after, spell_save
from talewright.play.export.save_game import SaveGameError, parse_save


def test_a_save_game_comes_back_from_its_bytes() -> None:
    data = spell_save({"save_version": 1, "game_id": "fog", "state": {"port": "雾港"}})
    assert data.endswith('雾港"\n  }\n}\n'.encode())
    save = parse_save(data)
    assert (save.game_id, save.state) == ("fog", {"port": "雾港"})
    with pytest.raises(SaveGameError):
        parse_save(b"no")


@pytest.mark.parametrize(
    ("file", "name"), [("Mist Harbor.json", "mist_harbor"), ("雾港.json", "imported"), ("a" * 99, "a" * 64)]
)
def test_a_campaign_is_named_after_its_file(file: str, name: str) -> None:
    assert name_after(file) == name
