"""Problems: every code has a status, and every error is a problem with a code and a hint."""

import asyncio
from pathlib import Path

from talewright.faces.http.problems import PROBLEM_TYPE, STATUSES
from talewright.play.error_codes import ERROR_CODES
from tests.faces.http.serving import app_client, make_lobby


def test_every_code_has_a_status() -> None:
    assert set(STATUSES) == {row.code for row in ERROR_CODES}


def test_errors_are_problems(tmp_path: Path) -> None:
    async def main() -> None:
        async with app_client(make_lobby(str(tmp_path))) as client:
            for method, path, status, code in (
                ("GET", "/api/nothing", 404, "not_found"),
                ("PATCH", "/api/games", 405, "request_refused"),
                ("GET", "/api/campaigns/none/view", 404, "campaign_unknown"),
                ("GET", "/api/campaigns?size=x", 422, "wire_unreadable"),
                ("GET", "/api/games?role=operator", 422, "wire_unreadable"),
                ("POST", "/api/campaigns", 422, "wire_unreadable"),
            ):
                answered = await client.request(method, path)
                assert answered.headers["content-type"] == PROBLEM_TYPE, path
                assert (answered.status_code, answered.json()["code"]) == (status, code), path
                assert answered.json()["hint"]
                assert answered.json()["status"] == status

    asyncio.run(main())


def test_without_a_token_nothing_else_is_looked_at(tmp_path: Path) -> None:
    async def main() -> None:
        async with app_client(make_lobby(str(tmp_path)), headers={}) as client:
            for method, path in (
                ("GET", "/api/games"),
                ("POST", "/api/campaigns"),
                ("GET", "/api/games?role=x"),
            ):
                answered = await client.request(
                    method, path, content=b"{", headers={"Authorization": "Bearer no"}
                )
                assert answered.status_code == 401, path
                assert answered.headers["www-authenticate"] == "Bearer"
            assert (await client.get("/api/health")).json() == {"status": "ok"}
            assert (await client.get("/api/openapi.json")).json()["openapi"].startswith("3.1")

    asyncio.run(main())


def test_other_methods_are_told_those_that_there_are(tmp_path: Path) -> None:
    async def main() -> None:
        async with app_client(make_lobby(str(tmp_path))) as client:
            for path, allowed in (
                ("/api/campaigns", "GET, POST"),
                ("/api/campaigns/one", "DELETE, GET"),
                ("/api/campaigns/import", "POST"),
                ("/api/models/chosen", "GET, PUT"),
            ):
                refused = await client.request("PATCH", path)
                assert (refused.status_code, refused.headers["allow"]) == (405, allowed), path

    asyncio.run(main())
