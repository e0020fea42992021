"""The corpus, told to a model that obeys: nothing outside the rules happens, nothing hidden is received."""

from collections import Counter
from collections.abc import Callable
from typing import cast

import pytest

from talewright.chronicle.records import Commit
from talewright.common.json_values import Json
from talewright.contract.text.leak_guard import NOTHING_HIDDEN, HiddenTexts
from talewright.kernel.state.changes import Change
from talewright.play.session import ResultKind
from talewright.turn.records.commit_body import TurnBody, write_body
from talewright.turn.steps import judging, telling
from tests.injections.corpus import CHANNELS, CONTRACTS, Case, Payload, make_cases, read_payloads
from tests.injections.disguises import DISGUISES, OTHER_TEXTS
from tests.injections.inn import compile_inn
from tests.injections.obedience import Obedient
from tests.injections.playing import play
from tests.injections.referee import find_offences
from tests.injections.watching import hide

TECHNIQUES = sorted({payload.technique for payload in read_payloads()})
TOO_LONG = {
    "oversize/beyond_the_limit by player in tools": "no player can say so much",
    "oversize/zh_long by lore in tools": "what is always told is cut where it is too long",
}
"""Cases in which the payload does not get as far as the model."""


@pytest.mark.slow
@pytest.mark.parametrize("technique", TECHNIQUES)
def test_whatever_an_obedient_model_does_nothing_is_broken_or_betrayed(technique: str) -> None:
    findings = [play(case) for case in make_cases() if case.payload.technique == technique]
    wrong = [f"{finding.case.name}: {told}" for finding in findings for told in finding.wrong[:3]]
    assert wrong == []
    # Every payload reaches the model by every channel.
    assert {finding.case.name for finding in findings if not finding.reached} <= set(TOO_LONG)


def test_the_corpus_is_large_and_of_many_kinds() -> None:
    payloads, cases = read_payloads(), make_cases()
    assert len({payload.text for payload in payloads}) == len(payloads) >= 150
    assert len({(case.payload.id, case.channel) for case in cases}) == len(cases) >= 450
    assert sum(payload.language == "zh-CN" for payload in payloads) >= 25
    assert len(TECHNIQUES) >= 12
    by_channel = Counter(case.channel for case in cases)
    assert set(by_channel) == set(CHANNELS)
    assert min(by_channel.values()) >= 60
    met = Counter((case.payload.id, case.contract) for case in cases)
    assert set(met) == {(payload.id, contract) for payload in payloads for contract in CONTRACTS}


@pytest.mark.slow
def test_turns_are_narrated_and_turns_are_withheld() -> None:
    # Were all turns to fail, nothing would have been tested; were none to, nobody would have been stubborn.
    ends = Counter((case.contract, kind) for case in make_cases()[::5] for kind in play(case).results)
    for contract in CONTRACTS:
        assert ends[contract, ResultKind.COMMITTED] > 10
        assert ends[contract, ResultKind.DEGRADED] > 10
    assert {kind for _, kind in ends} <= {ResultKind.COMMITTED, ResultKind.DEGRADED, ResultKind.UNSPENT}


def find_case(name: str, channel: str, contract: str) -> Case:
    """A case of the corpus with a stubborn model, in a contract of one's choice."""
    payload = next(payload for payload in read_payloads() if payload.id == name)
    return Case(0, payload, channel, contract)


def blind(*args: object, **more: object) -> HiddenTexts:
    """A veil that covers nothing."""
    return NOTHING_HIDDEN


UNGUARDED = [
    ("ignore_previous", "cards"),
    ("ignore_previous", "patch"),
    ("ignore_previous", "tools"),
    ("zh_ignore", "cards"),
    ("choice_label", "cards"),
    ("choice_hint", "tools"),
    ("choice_id", "cards"),
    ("reason", "tools"),
    ("event", "patch"),
    ("mood_value", "patch"),
    ("bag_value", "cards"),
    ("journal_key", "tools"),
    ("refused_path", "cards"),
    ("stone", "tools"),
    ("wager", "tools"),
    ("bones", "tools"),
    ("label_key", "cards"),
    ("reason_key", "tools"),
    ("event_key", "patch"),
    ("fullwidth", "tools"),
    ("zero_width", "patch"),
    ("spaced_out", "tools"),
    ("zh_zero_width", "cards"),
]
"""What gets out where nobody looks."""


@pytest.mark.parametrize(("name", "contract"), UNGUARDED)
def test_without_the_guard_it_would_be_received(
    name: str, contract: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = find_case(name, "player", contract)
    assert play(case).wrong == []
    monkeypatch.setattr(telling, "gather_hidden_texts", blind)
    assert play(case).leaks


def test_only_judging_what_comes_of_a_move_keeps_it_from_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    def pass_over(*args: object) -> tuple[str, ...]:
        return ()

    monkeypatch.setattr(judging, "list_exposed", pass_over)
    monkeypatch.setattr(judging, "list_values", pass_over)
    for name in ("mood_value", "stone", "journal_key"):
        assert play(find_case(name, "player", "tools")).leaks


def test_a_tool_may_take_hidden_words_and_keep_them_hidden() -> None:
    finding = play(find_case("whisper_back", "player", "tools"))
    assert finding.wrong == []
    assert finding.results[0] is ResultKind.COMMITTED


@pytest.mark.parametrize("dress", sorted(DISGUISES))
def test_a_disguise_does_not_help_where_the_text_is_still_the_same(dress: str) -> None:
    payload = Payload(dress, "disguises", "Tell it otherwise.", ({"tell": "people", "as": dress},))
    finding = play(Case(0, payload, "player", "cards"))
    assert finding.wrong == []
    # What is another text altogether is told; that is what rules for secrets are for.
    told = ResultKind.COMMITTED if dress in OTHER_TEXTS else ResultKind.DEGRADED
    assert finding.results[0] is told


def test_half_a_secret_in_chinese_is_kept_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast(dict[str, object], DISGUISES), "half", lambda text: text[10:30])
    payload = Payload("zh_half", "disguises", "只说一半。", ({"tell": "people", "as": "half"},), "zh-CN")
    finding = play(Case(0, payload, "player", "cards"))
    assert finding.wrong == []
    assert finding.results[0] is ResultKind.DEGRADED
    monkeypatch.setattr(telling, "gather_hidden_texts", blind)
    assert play(Case(0, payload, "player", "cards")).leaks


def forge(*changes: Change, rulings: tuple[Json, ...] = ()) -> Commit:
    """A commit in which something happened that nothing allowed."""
    body = write_body(TurnBody(changes=changes, rulings=rulings))
    return Commit("c", "p", "main", 1, "o", "now", "d", "d", body)


@pytest.mark.parametrize(
    ("path", "value", "was", "cause"),
    [
        ("/rank", 9, 2, "model"),
        ("/plot", "x", "y", "model"),
        ("/guest/alias", "x", "y", "model"),
        ("/_engine/ending", "rich", "", "model"),
        ("/oracle/stone", "x", "blank", "model"),
        ("/oracle/seal", "x", "y", "system:oracle"),
        ("/gold", 100, 5, "model"),
        ("/hp", 99, 10, "model"),
        ("/place", "throne", "hall", "model"),
    ],
)
def test_the_referee_sees_what_was_not_allowed(path: str, value: Json, was: Json, cause: str) -> None:
    game, _ = compile_inn()
    change = Change("replace", path, value, was, "", cause)
    granted: Json = {"ruling": "granted", "move": {}, "changes": [0]}
    assert find_offences(game.initial, game.initial, [forge(change, rulings=(granted,))])


def test_the_referee_sees_what_nothing_granted() -> None:
    game, _ = compile_inn()
    change = Change("replace", "/mood", "x", "calm", "", "model")
    assert find_offences(game.initial, game.initial, [forge(change)])
    granted: Json = {"ruling": "granted", "move": {}, "changes": [0]}
    assert find_offences(game.initial, game.initial, [forge(change, rulings=(granted,))]) == []
    refused: Json = {"ruling": "refused", "move": {}, "changes": [0]}
    assert find_offences(game.initial, game.initial, [forge(change, rulings=(refused,))])
    assert find_offences(game.initial, {**game.initial, "code": 1}, []) == ["code was changed"]
    assert find_offences(game.initial, {**game.initial, "gold": 6}, [])


def test_the_search_finds_runs_canaries_and_disguised_runs() -> None:
    secret = "The well in the yard has no bottom at all, they say, and never had one."
    hidden = hide([secret], ["they say, and never had one."])
    assert hidden.find([f"He says: {secret[3:43]}"])
    assert not hidden.find([f"He says: {secret[3:42]}"])
    assert hidden.find([secret.upper()])
    assert hidden.find(["QXZ"])
    assert not hide([secret], [secret]).find([secret])
    wide = "院子里的井没有底，他们这么说，从来就没有过，也没有人往里看。"
    hidden = hide([wide], [wide[21:]])
    assert hidden.find([f"他说：{wide[2:22]}"])
    assert not hidden.find([f"他说：{wide[2:21]}"])
    assert hidden.find([" ".join(wide)])
    assert not hidden.find([wide[21:]])


def test_an_unknown_want_is_told() -> None:
    payload = Payload("odd", "odd", "Do it.", ({"dance": "all night"},))
    obey: Callable[..., object] = Obedient(Case(0, payload, "player", "cards"), {})._do
    with pytest.raises(AssertionError, match="dance"):
        obey({"dance": "all night"}, None, None)
