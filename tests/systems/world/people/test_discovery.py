"""Discovery: whole names and aliases, in any script."""

import pytest

from talewright.systems.world.authored.authored_world import AuthoredPerson
from talewright.systems.world.people.discovery import find_named, names_in
from tests.systems.world.making import Play

PEOPLE = (
    AuthoredPerson("ann", "Ann", ("the thief", "安娜")),
    AuthoredPerson("ann_marie", "Ann Marie"),
    AuthoredPerson("li", "李明", ("李",)),
    AuthoredPerson("li_ming_ze", "李明泽"),
    AuthoredPerson("rose", "Rose"),
    AuthoredPerson("oleg", "Олег"),
    AuthoredPerson("ram", "राम"),
    AuthoredPerson("som", "สมชาย"),
    AuthoredPerson("emile", "Émile"),
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ann had planned it.", ["ann"]),
        ("It was planned, unannounced, by Annabel.", []),
        ("“Ann’s knife,” she said.", ["ann"]),
        ("ANN_X and Anne", []),
        ("Ann Marie laughed.", ["ann_marie"]),
        ("Ann, Marie and Rose", ["ann", "rose"]),
        ("a rose by the wall", []),
        ("It was the thief!", ["ann"]),
        ("门后站着安娜。", ["ann"]),
        ("李明走了进来。", ["li"]),
        ("李明泽走了进来。", ["li_ming_ze"]),
        ("桃李满天下", []),
        ("Вошёл Олег.", ["oleg"]),
        ("Олега не было.", []),
        ("राम आया", ["ram"]),
        ("रामायण पढ़ो", []),
        ("คุณสมชายมาแล้ว", ["som"]),
        ("E\u0301mile waits.", ["emile"]),
        ("", []),
    ],
)
def test_names_are_found_whole(text: str, found: list[str]) -> None:
    assert names_in(text, PEOPLE) == found


def test_somebody_is_called_by_name_alias_or_id() -> None:
    assert find_named("ann marie", PEOPLE) is PEOPLE[1]
    assert find_named("  The  Thief ", PEOPLE) is PEOPLE[0]
    assert find_named("li", PEOPLE) is PEOPLE[2]
    assert find_named("Nobody", PEOPLE) is None
    twins = (AuthoredPerson("a", "Tom"), AuthoredPerson("b", "Tom"))
    assert find_named("Tom", twins) is None


def test_whoever_the_narration_names_is_discovered() -> None:
    play = Play()
    play.end_turn("It was all planned. Somebody breathes below.")
    assert "ann" not in play.own["met"]
    play.end_turn("“Come out, Ann!” calls Grim.")
    assert "ann" in play.own["met"]
