"""The routes beside playing: looking back, files, the record, models, tokens, and game masters."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from talewright.play.lobby import ExportForm
from tests.faces.http.serving import app_client, make_lobby

GAME = "mist_harbor"


@asynccontextmanager
async def begun(folder: Path, role: str = "player") -> AsyncIterator[tuple[httpx.AsyncClient, str]]:
    """A client, and the address of a campaign after its opening."""
    async with app_client(make_lobby(str(folder))) as client:
        sent = {"game": GAME, "language": "en", "name": "one"}
        answered = await client.post("/api/campaigns", params={"role": role}, json=sent)
        assert answered.status_code == 201
        place = answered.headers["location"]
        if role == "player":
            opening = answered.headers["talewright-opening"]
            await client.get(f"{place}/operations/{opening}", params={"wait": 10})
        yield client, place


async def take(client: httpx.AsyncClient, place: str, number: int = 0) -> dict[str, Any]:
    """Take a turn with a choice; the view after it."""
    view = (await client.get(f"{place}/view")).json()
    turn = {"kind": "choose", "choice": view["choices"][number]["id"]}
    told = await client.post(f"{place}/turns", params={"wait": 10}, json=turn)
    assert told.json()["kind"] == "committed"
    after: dict[str, Any] = (await client.get(f"{place}/view")).json()
    return after


def test_looking_back(tmp_path: Path) -> None:
    async def main() -> None:
        async with begun(tmp_path) as (client, place):
            view = await take(client, place)
            turns = (await client.get(f"{place}/turns", params={"count": 5})).json()
            assert [one["version"] for one in turns] == [1, 2]
            before = (await client.get(f"{place}/turns", params={"before": view["head"]})).json()
            assert before == turns[:1]
            tree = (await client.get(f"{place}/tree", params={"every": True})).json()
            assert [row["commit"] for row in tree if row["here"]] == [view["head"]]
            why = (await client.get(f"{place}/variables/gold/why")).json()
            trail = (await client.get(f"{place}/variables/gold/trail")).json()
            assert trail["causes"] == why
            assert (await client.get(f"{place}/variables/nothing/trail")).json() is None
            one, other = turns[0]["commit"], turns[1]["commit"]
            compared = (await client.get(f"{place}/compare", params={"one": one, "other": other})).json()
            assert (compared["parted"], len(compared["other"])) == (1, 1)
            shown = (await client.get(f"{place}/commits/{other}")).json()
            whole = (await client.get(f"{place}/commits/{other}", params={"role": "author"})).json()
            assert shown["parts"][0]["name"] == "said"
            assert whole["parts"][0]["name"] == "sections"
            unknown = await client.get(f"{place}/commits/0000")
            assert (unknown.status_code, unknown.json()["code"]) == (404, "turn_unknown")

    asyncio.run(main())


def test_files_go_out_and_come_in(tmp_path: Path) -> None:
    async def main() -> None:
        async with begun(tmp_path) as (client, place):
            for form in ExportForm:
                written = await client.get(f"{place}/export", params={"form": form.value})
                assert written.status_code == 200
                assert f'filename="one.{form.value}"' in written.headers["content-disposition"]
            whole = await client.get(f"{place}/export", params={"form": "jsonl"})
            brought = await client.post(
                "/api/campaigns/import", params={"name": "two"}, content=whole.content
            )
            assert (brought.status_code, brought.json()) == (201, {"campaign": "two"})
            assert (await client.get("/api/campaigns/two/view")).json()["version"] == 1
            broken = await client.post("/api/campaigns/import", content=b"{}")
            assert (broken.status_code, broken.json()["code"]) == (422, "save_unreadable")
            removed = await client.delete("/api/campaigns/two")
            assert removed.json()["moved_to"]
            assert (await client.get("/api/campaigns/two/view")).status_code == 404
            page = (await client.get("/api/campaigns", params={"page": 2, "size": 1})).json()
            assert page == {"items": [], "page": 2, "size": 1, "total": 1}
            assert (await client.post("/api/games/scenario", content=b"{}")).status_code == 404

    asyncio.run(main())


def test_the_record_is_counted_and_verified(tmp_path: Path) -> None:
    async def main() -> None:
        async with begun(tmp_path) as (client, place):
            cost = (await client.get(f"{place}/cost")).json()
            assert (cost["turns_by_scenes"], cost["total"]["dollars"]) == (1, 0.0)
            receipt = (await client.get(f"{place}/receipts")).json()["receipt"]
            await take(client, place)
            report = (await client.post(f"{place}/verify", json={"receipt": receipt})).json()
            assert report["good"]
            assert report["receipt"]
            assert (await client.post(f"{place}/verify")).json()["receipt"] is None
            unfit = await client.post(f"{place}/verify", json={"receipt": "no"})
            assert (unfit.status_code, unfit.json()["code"]) == (422, "receipt_unusable")

    asyncio.run(main())


def test_a_trial_is_started_read_and_kept(tmp_path: Path) -> None:
    async def run() -> None:
        async with app_client(make_lobby(str(tmp_path))) as client:
            candidate = {"source": "home", "model": "m", "key": "k-12345"}
            begun = await client.post("/api/models/trials", json=candidate)
            assert begun.status_code == 201
            path = begun.headers["Location"]
            while (read := (await client.get(path)).json())["phase"] != "answered":
                await asyncio.sleep(0)
            assert read["answer"]["text"] == "The lamp is lit."
            assert "k-12345" not in str(read)
            assert (await client.post(f"{path}/skip")).json()["phase"] == "answered"
            assert (await client.delete(path)).json()["phase"] == "answered"
            kept = (await client.post(f"{path}/keep")).json()
            assert (kept["phase"], kept["told"]) == ("kept", "It is the default model now.")
            for answer in (
                await client.get("/api/models/trials/x"),
                await client.post("/api/models/trials/x/skip"),
                await client.post("/api/models/trials/x/keep"),
                await client.delete("/api/models/trials/x"),
            ):
                assert answer.status_code == 404

    asyncio.run(run())


def test_models_are_listed_chosen_and_kept(tmp_path: Path) -> None:
    async def main() -> None:
        async with begun(tmp_path) as (client, _):
            listed = (await client.get("/api/models")).json()
            assert [one["name"] for one in listed] == ["home", "away"]
            chosen = await client.put("/api/models/chosen", json={"name": "home", "campaign": "one"})
            assert chosen.json() == {"name": "home", "campaign": "one"}
            asked = await client.get("/api/models/chosen", params={"campaign": "one"})
            assert asked.json()["name"] == "home"
            assert (await client.get("/api/models/chosen")).json()["name"] == "none"
            assert (await client.put("/api/models/chosen", json={"name": "no"})).status_code == 400
            assert len((await client.get("/api/models/local")).json()) == 1
            assert (await client.get("/api/models/services")).json() == []
            candidate = {"source": "home", "model": "home-8b", "key": "CNRY-key"}
            tested = await client.post("/api/models/test", json=candidate)
            assert tested.json()["good"]
            kept = await client.post("/api/models/keep", json=candidate)
            assert "CNRY" not in kept.text + tested.text

    asyncio.run(main())


def test_narrower_tokens_have_one_role_in_one_campaign(tmp_path: Path) -> None:
    async def main() -> None:
        async with begun(tmp_path) as (client, place):
            await client.post("/api/campaigns", json={"game": GAME, "name": "other"})
            sent = {"campaign": "one", "role": "player"}
            token = (await client.post("/api/tokens", json=sent)).json()["token"]
            for unfit in ({**sent, "role": "operator"}, {**sent, "campaign": ""}):
                assert (await client.post("/api/tokens", json=unfit)).status_code == 422
            missing = await client.post("/api/tokens", json={**sent, "campaign": "none"})
            assert missing.status_code == 404
            client.headers["Authorization"] = f"Bearer {token}"
            # Asking for another role changes nothing.
            view = await client.get(f"{place}/view", params={"role": "author"})
            assert view.json()["viewer"] == "player"
            assert (await client.get("/api/campaigns")).json()["total"] == 1
            refused = [
                await client.get("/api/campaigns/other/view"),
                await client.get("/api/campaigns/none/view"),
                await client.get(f"{place}/master/brief", params={"role": "master"}),
                await client.get(f"{place}/cost"),
                await client.get(f"{place}/export", params={"form": "json"}),
                await client.post("/api/tokens", json=sent),
                await client.delete(place),
                await client.get("/api/models"),
            ]
            assert {one.status_code for one in refused} == {404}
            assert len({one.content for one in refused}) == 1
            assert all(one["place"] == "" for one in (await client.get("/api/games")).json())

    asyncio.run(main())


def test_a_game_master_tells_a_turn(tmp_path: Path) -> None:
    async def main() -> None:
        async with begun(tmp_path, "master") as (client, place):
            client.params = client.params.set("role", "master")
            for said, operation in (("", "open-1"), ("I listen at the door.", "turn-1")):
                opened = await client.post(
                    f"{place}/master/turns", json={"kind": "say", "text": said, "operation_id": operation}
                )
                assert opened.status_code == 201, opened.text
                again = await client.post(
                    f"{place}/master/turns", json={"kind": "say", "text": said, "operation_id": operation}
                )
                handle = opened.json()["handle"]
                assert again.json()["handle"] == handle
                updates = {"updates": [{"op": "inc", "path": "gold", "value": 1, "reason": "found"}]}
                call = {"name": "propose_updates", "arguments": updates}
                judged = await client.post(f"{place}/master/calls", json={"turn": handle, "calls": [call]})
                assert not judged.json()["results"][0]["refused"], judged.text
                told = await client.post(
                    f"{place}/master/finish", json={"turn": handle, "narration": "The fog speaks."}
                )
                assert told.json()["result"]["kind"] == "committed", told.text
            brief = (await client.get(f"{place}/master/brief")).json()
            assert brief["version"] == 2
            opened = await client.post(f"{place}/master/turns", json={"text": "And now?"})
            handle = {"turn": opened.json()["handle"]}
            assert (await client.post(f"{place}/master/abandon", json=handle)).status_code == 204
            lost = await client.post(f"{place}/master/calls", json={"turn": "no", "calls": []})
            assert (lost.status_code, lost.json()["code"]) == (409, "lease_lost")
            unasked = await client.post(f"{place}/master/summary", json={"text": "All is well."})
            assert (unasked.status_code, unasked.json()["code"]) == (409, "not_wanted")
            assert (await client.get(f"/api/games/{GAME}/tools")).json()
            assert isinstance((await client.get("/api/games/goblin_road/rules")).json(), list)

    asyncio.run(main())
