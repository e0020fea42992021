"""Turns over the API: begun once, taken once, answered for by any process, and never stopped by a client."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.faces.http import turn_operations
from talewright.providers.scripted import by
from talewright.turn.turn_context import Teller
from tests.faces.http.serving import app_client, make_lobby
from tests.play.tellers import Hesitant, cards

GAME = {"game": "mist_harbor", "language": "en"}


def test_a_campaign_is_begun_and_a_turn_taken(tmp_path: Path) -> None:
    async def main() -> None:
        async with app_client(make_lobby(str(tmp_path))) as client:
            begun = await client.post("/api/campaigns", json={**GAME, "operation_id": "begin-1"})
            assert begun.status_code == 201
            name = begun.json()["campaign"]
            assert begun.headers["location"] == f"/api/campaigns/{name}"
            opening = begun.headers["talewright-opening"]
            place = f"/api/campaigns/{name}"
            ended = await client.get(f"{place}/operations/{opening}", params={"wait": 10})
            assert (ended.status_code, ended.json()["kind"]) == (200, "committed")
            view = (await client.get(f"{place}/view")).json()
            turn = {"kind": "choose", "choice": view["choices"][0]["id"], "operation_id": "turn-1"}
            told = await client.post(
                f"{place}/turns", params={"wait": 10}, json={**turn, "base": view["head"]}
            )
            assert (told.status_code, told.json()["kind"]) == (200, "committed")
            again = await client.post(f"{place}/turns", params={"wait": 10}, json=turn)
            assert again.json()["commit"] == told.json()["commit"]
            assert again.json()["repeated"]
            assert (await client.get(f"{place}/view")).json()["version"] == 2

    asyncio.run(main())


def test_the_result_of_a_removed_campaign_is_not_shown_in_a_new_one(tmp_path: Path) -> None:
    async def main() -> None:
        async with app_client(make_lobby(str(tmp_path))) as client:
            place = "/api/campaigns/road"
            for _ in range(2):
                begun = await client.post("/api/campaigns", json={**GAME, "name": "road"})
                opening = begun.headers["talewright-opening"]
                await client.get(f"{place}/operations/{opening}", params={"wait": 10})
                assert (await client.get(f"{place}/operations/turn-1")).status_code == 404
                choice = (await client.get(f"{place}/view")).json()["choices"][0]["id"]
                turn = {"kind": "choose", "choice": choice, "operation_id": "turn-1"}
                assert (await client.post(f"{place}/turns", params={"wait": 10}, json=turn)).is_success
                assert (await client.get(f"{place}/operations/turn-1")).json()["kind"] == "committed"
                assert (await client.delete(place)).status_code == 200
                assert (await client.get(f"{place}/operations/turn-1")).status_code == 404

    asyncio.run(main())


def test_the_same_beginning_is_one_campaign(tmp_path: Path) -> None:
    async def main() -> None:
        async with app_client(make_lobby(str(tmp_path))) as client:
            sent = [client.post("/api/campaigns", json={**GAME, "operation_id": "b"}) for _ in range(4)]
            begun = await asyncio.gather(*sent)
            assert {one.status_code for one in begun} == {201}
            assert len({one.json()["campaign"] for one in begun}) == 1
            assert len({one.headers["talewright-opening"] for one in begun}) == 1
            listed = (await client.get("/api/campaigns")).json()
            assert listed["total"] == len(listed["items"]) == 1

    asyncio.run(main())


def test_an_input_for_an_earlier_head_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        async with app_client(make_lobby(str(tmp_path))) as client:
            begun = await client.post("/api/campaigns", json=GAME)
            place = begun.headers["location"]
            opening = begun.headers["talewright-opening"]
            await client.get(f"{place}/operations/{opening}", params={"wait": 10})
            view = (await client.get(f"{place}/view")).json()
            first, second = (one["id"] for one in view["choices"][:2])
            turn = {"kind": "choose", "choice": first, "base": view["head"]}
            assert (await client.post(f"{place}/turns", params={"wait": 10}, json=turn)).status_code == 200
            late = {"kind": "choose", "choice": second, "base": view["head"], "operation_id": "late"}
            moved = await client.post(f"{place}/turns", params={"wait": 10}, json=late)
            assert moved.status_code == 409
            assert moved.headers["content-type"] == "application/problem+json"
            problem = moved.json()
            assert (problem["code"], problem["result"]["reason"]) == ("moved", "moved")
            assert problem["hint"]
            unfit = {"kind": "choose", "choice": "no such", "operation_id": "unfit"}
            unspent = await client.post(f"{place}/turns", params={"wait": 10}, json=unfit)
            assert (unspent.status_code, unspent.json()["reason"]) == (200, "no_such_choice")

    asyncio.run(main())


def test_views_and_moves_are_conditional(tmp_path: Path) -> None:
    async def main() -> None:
        async with app_client(make_lobby(str(tmp_path))) as client:
            begun = await client.post("/api/campaigns", json=GAME)
            place, opening = begun.headers["location"], begun.headers["talewright-opening"]
            await client.get(f"{place}/operations/{opening}", params={"wait": 10})
            view = await client.get(f"{place}/view")
            etag = view.headers["etag"]
            assert etag.startswith(f'"{view.json()["head"]}.')
            same = await client.get(f"{place}/view", headers={"If-None-Match": etag})
            assert (same.status_code, same.content) == (304, b"")
            assert (await client.put(f"{place}/marks/here")).status_code == 204
            marked = await client.get(f"{place}/view", headers={"If-None-Match": etag})
            assert marked.json()["marks"] == ["here"]
            choice = view.json()["choices"][0]["id"]
            await client.post(
                f"{place}/turns", params={"wait": 10}, json={"kind": "choose", "choice": choice}
            )
            refused = await client.post(f"{place}/undo", json={"turns": 1}, headers={"If-Match": etag})
            assert (refused.status_code, refused.json()["code"]) == (412, "moved")
            head = (await client.get(f"{place}/view")).json()["head"]
            undone = await client.post(f"{place}/undo", json={}, headers={"If-Match": f'"{head}"'})
            assert undone.json()["version"] == 1
            loaded = await client.post(f"{place}/load", json={"mark": "here"})
            assert loaded.json()["branch"] == "here-1"
            switched = await client.post(f"{place}/switch", json={"branch": "main"})
            assert switched.json()["branch"] == "main"
            forked = await client.post(f"{place}/fork", json={"name": "other"})
            assert forked.json()["branch"] == "other"

    asyncio.run(main())


def test_a_turn_goes_on_without_its_client(tmp_path: Path) -> None:
    async def main() -> None:
        provider = Hesitant([cards("The fog comes in. It stays for good.")], cut=by(40))
        lobby = replace(make_lobby(str(tmp_path)), teller=Teller(provider))
        async with app_client(lobby) as client:
            begun = await client.post("/api/campaigns", json=GAME)
            place, opening = begun.headers["location"], begun.headers["talewright-opening"]
            await client.get(f"{place}/operations/{opening}", params={"wait": 10})
            turn = {"kind": "say", "text": "I look around.", "operation_id": "turn-1"}
            accepted = await client.post(f"{place}/turns", json=turn)
            assert (accepted.status_code, accepted.json()["state"]) == (202, "running")
            assert accepted.headers["location"] == f"{place}/operations/turn-1"
            await provider.reached.wait()
            # A client that waits goes away; the turn does not.
            waiting = asyncio.create_task(client.get(accepted.headers["location"], params={"wait": 60}))
            await asyncio.sleep(0)
            waiting.cancel()
            running = await client.get(accepted.headers["location"])
            assert running.status_code == 202
            # Sent again, it is the same turn.
            again = await client.post(f"{place}/turns", json=turn)
            assert again.json() == accepted.json()
            provider.let_on.set()
            ended = await client.get(accepted.headers["location"], params={"wait": 10})
            assert (ended.status_code, ended.json()["kind"]) == (200, "committed")
            assert len(provider.requests) == 1
            assert (await client.get(f"{place}/operations/none")).status_code == 404

    asyncio.run(main())


def test_a_running_turn_is_cancelled_and_resumed(tmp_path: Path) -> None:
    async def main() -> None:
        told = cards("The fog comes in. It stays for good.")
        provider = Hesitant([told, told], cut=by(40))
        lobby = replace(make_lobby(str(tmp_path)), teller=Teller(provider))
        async with app_client(lobby) as client:
            begun = await client.post("/api/campaigns", json=GAME)
            place, opening = begun.headers["location"], begun.headers["talewright-opening"]
            await client.get(f"{place}/operations/{opening}", params={"wait": 10})
            turn = {"kind": "say", "text": "I look around.", "operation_id": "turn-1"}
            accepted = await client.post(f"{place}/turns", json=turn)
            await provider.reached.wait()
            assert (await client.post(f"{place}/cancel")).status_code == 204
            stopped = await client.get(accepted.headers["location"], params={"wait": 10})
            assert (stopped.json()["kind"], stopped.json()["reason"]) == ("failed", "cancelled")
            author: dict[str, str | int] = {"role": "author", "wait": 10}
            recorded = await client.get(accepted.headers["location"], params=author)
            assert recorded.json()["reason"] == "cancelled"
            provider.let_on.set()
            again = await client.post(f"{place}/turns", params={"wait": 10}, json={"kind": "go_on"})
            assert (again.json()["kind"], again.json()["operation_id"]) == ("committed", "turn-1")

    asyncio.run(main())


def test_nobody_is_told_that_an_input_is_saved_before_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        provider = Hesitant([cards("The fog comes in. It stays for good.")], cut=by(40))
        lobby = replace(make_lobby(str(tmp_path)), teller=Teller(provider))
        async with app_client(lobby) as client:
            begun = await client.post("/api/campaigns", json=GAME)
            place, opening = begun.headers["location"], begun.headers["talewright-opening"]
            await client.get(f"{place}/operations/{opening}", params={"wait": 10})
            turn = {"kind": "say", "text": "I look around.", "operation_id": "turn-1"}
            assert (await client.post(f"{place}/turns", json=turn)).json()["state"] == "running"
            await provider.reached.wait()
            # The next one has to wait for it, and nobody waits for long.
            monkeypatch.setattr(turn_operations, "PATIENCE_SECONDS", 0.01)
            refused = await client.post(f"{place}/turns", json={**turn, "operation_id": "turn-2"})
            assert (refused.status_code, refused.json()["code"]) == (409, "turn_running")
            assert int(refused.headers["retry-after"]) > 0
            assert (await client.get(f"{place}/operations/turn-2")).status_code == 404
            # While it waits, nobody is told that it is known either.
            monkeypatch.setattr(turn_operations, "PATIENCE_SECONDS", 10.0)
            waiting = asyncio.create_task(
                client.post(f"{place}/turns", json={**turn, "operation_id": "turn-3"}, params={"wait": 10})
            )
            await asyncio.sleep(0.05)
            assert (await client.get(f"{place}/operations/turn-3")).status_code == 404
            await client.post(f"{place}/cancel")
            assert (await waiting).status_code == 200

    asyncio.run(main())
