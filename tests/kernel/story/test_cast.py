"""What people, things and lore are where the author says nothing."""

from talewright.kernel.story.cast import GameItem, Lore, LoreLogic, Person


def test_words_of_the_author() -> None:
    assert [word.value for word in LoreLogic] == ["any_and_any", "any_and_all", "any_and_none"]


def test_defaults() -> None:
    assert Person("lian") == Person("lian", where="")
    assert GameItem("rope") == GameItem("rope", tags=(), stack=False)
    assert Lore("fog") == Lore(
        "fog",
        logic=LoreLogic.ANY_AND_ANY,
        whole_words=True,
        regex=False,
        case_sensitive=False,
        constant=False,
        when=None,
        reveal_when=None,
        priority=100,
        sticky=0,
        cooldown=0,
        group="",
        weight=100,
        recurse=False,
        budget=0,
    )
