"""Trees: branches, marks and forks as a picture, in Unicode and in ASCII."""

from talewright.play.history.campaign_history import CampaignHistory, read_history
from talewright.play.history.turn_tree import ASCII, UNICODE, draw_tree_lines, tree_to_json
from tests.play.history.campaigns import Scribe
from tests.play.history.tiny import begin_tiny, gain, run, take


async def grown() -> tuple[Scribe, CampaignHistory]:
    scribe = await begin_tiny()
    await take(scribe, "walk", gain(1))
    await take(scribe, "look", gain(1))
    two = scribe.head
    document = scribe.position.state.document
    for number in range(4):
        await take(scribe, f"step {number}")
    await scribe.mark("camp")
    await take(scribe, "swim across the very wide and very cold river at night")
    await scribe.fork(two, "other", document)
    await take(scribe, "sing")
    await take(scribe, "dance")
    return scribe, await read_history(scribe.book)


def ids(history: CampaignHistory) -> list[str]:
    return [commit[:8] for commit in history.commits]


def test_tree_is_drawn_with_the_played_branch_straight_down() -> None:
    _, history = run(grown())
    i = ids(history)
    assert list(draw_tree_lines(history, UNICODE)) == [
        f"● 0  {i[0]}",
        "┊ 1 turn",
        f"● 2  {i[2]}  look",
        f"├─● 3  {i[3]}  step 0",
        "│ ┊ 2 turns",
        f"│ ● 6  {i[6]}  (camp)  step 3",
        f"│ ● 7  {i[7]}  [main]  swim across the very wide and very cold…",
        "┊ 1 turn",
        f"◉ 4  {i[9]}  [other]  dance",
    ]


def test_tree_in_ascii_with_every_turn() -> None:
    _, history = run(grown())
    i = ids(history)
    assert list(draw_tree_lines(history, ASCII, every=True)) == [
        f"o 0  {i[0]}",
        f"o 1  {i[1]}  walk",
        f"o 2  {i[2]}  look",
        f"|-o 3  {i[3]}  step 0",
        f"| o 4  {i[4]}  step 1",
        f"| o 5  {i[5]}  step 2",
        f"| o 6  {i[6]}  (camp)  step 3",
        f"| o 7  {i[7]}  [main]  swim across the very wide and very co...",
        f"o 3  {i[8]}  sing",
        f"@ 4  {i[9]}  [other]  dance",
    ]


def test_tree_as_data_has_every_turn() -> None:
    _, history = run(grown())
    data = tree_to_json(history)
    assert list(data) == ["campaign", "branch", "head", "branches", "marks", "turns"]
    assert data["branch"] == "other"
    turns = data["turns"]
    assert isinstance(turns, list)
    assert len(turns) == 10
    assert turns[1] == {
        "id": list(history.commits)[1],
        "parent": next(iter(history.commits)),
        "branch": "main",
        "version": 1,
        "at": turns[1]["at"],
        "said": "walk",
    }


def test_many_forks_from_one_turn_do_not_nest() -> None:
    async def go() -> CampaignHistory:
        scribe = await begin_tiny()
        one = await take(scribe, "walk")
        document = scribe.position.state.document
        for number in range(1_200):
            await scribe.fork(one, f"b{number}", document)
            await take(scribe, "try")
        return await read_history(scribe.book)

    history = run(go())
    lines = list(draw_tree_lines(history, ASCII))
    assert len(lines) == 1_202
    assert lines[-1].startswith("@ 2 ")
    assert all(line.startswith("|-o 2 ") for line in lines[2:-1])
