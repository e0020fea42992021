"""Receipts and verification: each turn's dice, a receipt to keep, and whether the record is intact.

A report may name hidden things, so only its verdicts are shown, in the page's own words.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from talewright.common.frozen_values import frozen
from talewright.faces.http.api_services import run_while_connected, services_of
from talewright.faces.http.json_answers import answer_bytes
from talewright.faces.http.problems import NotFoundError
from talewright.faces.web.history.history_pages import read_number, show_page
from talewright.faces.web.page_requests import KeptByOwner, read_form, redirect
from talewright.faces.web.table_page import table_path
from talewright.play.campaign_view import Viewer
from talewright.play.serving.campaign_audit import CampaignAudit

TURNS_LISTED = 50
"""Turns whose dice are on one page."""

REPORTS_KEPT_MAX = 8
"""How many of an owner's campaigns have their last verification remembered; another takes one click."""

RECEIPT_CHECK = "I15"
"""The check of a receipt, in a report."""


@frozen
class KeptReport:
    """What a verification found, without the words of the report."""

    records: int
    """How many records there were."""

    problems: int
    verdicts: Mapping[str, str]
    """By commit: `proven`, `folded` or `wrong`."""

    derived: bool
    imported: bool
    receipt: int | None
    """How many records the receipt was made for; None if none was checked."""

    receipt_holds: bool

    def count(self, verdict: str) -> int:
        """How many turns have a verdict."""
        return sum(one == verdict for one in self.verdicts.values())


def read_report(report: Mapping[str, Any], records: int) -> KeptReport:
    """The verdicts of a report, as `verify --json` prints it."""
    violations = report["violations"]
    return KeptReport(
        records=records,
        problems=len(violations),
        verdicts={turn["commit"]: turn["verdict"] for turn in report["turns"] if turn["turn"]},
        derived=report["rolls_derived"],
        imported=report["imported"],
        receipt=report["receipt"],
        receipt_holds=all(one["invariant"] != RECEIPT_CHECK for one in violations),
    )


@frozen
class ReceiptPages:
    """Receipts, and the verdict on each turn."""

    reports: KeptByOwner[dict[str, KeptReport]] = field(default_factory=lambda: KeptByOwner(dict))
    """The last reports, by campaign."""

    async def show_receipts(self, request: Request) -> Response:
        """The current receipt, the last verification, and the dice of some turns."""
        campaign = request.path_params["campaign"]
        async with services_of(request).pool.use(campaign, Viewer.PLAYER) as session:
            view = await session.view()
            last_first = max(view.version - TURNS_LISTED + 1, 1)
            first = max(1, min(read_number(request.query_params.get("from", ""), last_first), last_first))
            turns = await session.past.turns(TURNS_LISTED, first=first)
        receipt = await _audit_of(request).make_receipt(campaign)
        return show_page(
            request,
            "history/receipts.html",
            view,
            turns=turns,
            first=first,
            last_first=last_first,
            count=TURNS_LISTED,
            receipt=receipt,
            report=self.reports.find(services_of(request)).get(campaign),
        )

    async def verify(self, request: Request) -> Response:
        """Verify the campaign, and go back to the page."""
        campaign = request.path_params["campaign"]
        fields = await read_form(request, "receipt")
        records = int(str((await _audit_of(request).make_receipt(campaign))["records"]))
        verifying = _audit_of(request).verify(campaign, fields.get("receipt", "").strip())
        report = await run_while_connected(request, verifying)
        reports = self.reports.find(services_of(request))
        reports.pop(campaign, None)
        reports[campaign] = read_report(report, records)
        while len(reports) > REPORTS_KEPT_MAX:
            del reports[next(iter(reports))]
        return redirect(f"{table_path(campaign)}/receipts#verified")

    async def send_receipt(self, request: Request) -> Response:
        """The receipt as a file."""
        campaign = request.path_params["campaign"]
        receipt = await _audit_of(request).make_receipt(campaign)
        line = f"{receipt['receipt']}\n".encode()
        return answer_bytes(line, "text/plain; charset=utf-8", f"{campaign}.receipt.txt")


def _audit_of(request: Request) -> CampaignAudit:
    audit = services_of(request).audit
    if audit is None:
        raise NotFoundError
    return audit
