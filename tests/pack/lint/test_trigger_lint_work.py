"""Rules that take many steps: told long before a turn is stopped, and with what to do."""

from tests.pack.lint.making import codes, find

GAME = """\
variables:
- {id: a, type: integer, min: 0, max: 9}
- {id: b, type: integer}
- {id: sum, type: integer, derived: a + b}
- {id: bag, type: list, items: {type: integer}, default: [NUMBERS]}
"""
LONG = " and ".join(["a > 0"] * 60)


def game(numbers: int = 1) -> str:
    return GAME.replace("NUMBERS", ", ".join("1" for _ in range(numbers)))


def triggers(count: int, when: str, path: str = "a") -> str:
    return "".join(
        f"- id: t{number}\n  when: '{when}'\n  once: true\n  effects: [{{op: inc, path: {path}, value: 1}}]\n"
        for number in range(count)
    )


def work_of(game: str, files: dict[str, str]) -> list[str]:
    return [line for line in find(game, files) if " much-work: " in line]


def test_triggers_that_all_read_what_all_change_are_told_with_the_costliest() -> None:
    # Each of 40 reads 181 nodes again, and so do all the others: 40 * 40 * 181, and 53 for `sum`.
    assert work_of(game(), {"triggers.yaml": triggers(40, LONG)}) == [
        "triggers.yaml:2:9 much-work: firing all triggers in one turn takes 291,720 steps, 7,293 of them for "
        "`t0`; a turn is stopped after 1,000,000 | Let fewer conditions read what triggers change: give each "
        "group of triggers a variable of its own, or join triggers."
    ]


def test_triggers_that_read_something_else_are_fine() -> None:
    assert work_of(game(), {"triggers.yaml": triggers(40, LONG, "b")}) == []
    assert work_of(game(), {"triggers.yaml": triggers(23, LONG)}) == []


def test_what_is_read_through_a_derived_slot_counts_too() -> None:
    through = LONG.replace("a ", "sum ")
    assert len(work_of(game(), {"triggers.yaml": triggers(40, through, "b")})) == 1


def test_a_search_counts_the_elements_it_looks_at() -> None:
    searching = " and ".join(["not (a in bag)"] * 10)
    assert work_of(game(1), {"triggers.yaml": triggers(30, searching)}) == []
    assert len(work_of(game(400), {"triggers.yaml": triggers(30, searching)})) == 1


def test_patterns_that_take_long_to_prepare_are_told() -> None:
    def lore(count: int, pattern: str) -> str:
        keys = "".join(f"\n  - '{pattern}{number}'" for number in range(count))
        return f"- id: old\n  text: Old words.\n  regex: true\n  keys:{keys}\n"

    slow, fast = "(ba|de){1,15}[a-z]{1,15}x", "ox"
    assert codes(game(), {"lore/old.yaml": lore(30, fast)}).count("lore/old.yaml:5:3 much-work") == 0
    found = work_of(game(), {"lore/old.yaml": lore(30, slow)})
    assert len(found) == 1
    assert " much-work: matching the patterns of the lore takes " in found[0]
    assert found[0].endswith(
        "`old`; a turn is stopped after 1,000,000 | Use plain words as keys, or patterns with smaller counts."
    )
