"""The timeouts a provider is given when a fake server plays a fault: only the one that is meant is short."""

from dataclasses import replace

from talewright.providers.reply_timeouts import ProviderTimeouts
from talewright_testkit.fake_provider.fault_plan import FaultPlace, ProviderFault
from tests.providers.openai_wire.raw_server import PATIENT


def choose_timeouts(fault: ProviderFault, place: FaultPlace) -> ProviderTimeouts:
    """Only the limit that must end this fault is short: on a busy machine no other may be reached first."""
    match fault:
        case ProviderFault.CONNECT_HANG:
            return replace(PATIENT, connect_seconds=0.3)
        case ProviderFault.STALL_FIRST:
            return replace(PATIENT, first_token_seconds=0.5)
        case ProviderFault.DRIP if place is FaultPlace.START:
            return replace(PATIENT, first_token_seconds=0.5)
        case ProviderFault.STALL | ProviderFault.DRIP:
            return replace(PATIENT, between_chunks_seconds=0.5)
        case _:
            return PATIENT
