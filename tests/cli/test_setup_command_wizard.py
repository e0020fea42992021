"""The interview: by number or by name, and an end where no answer fits."""

from collections.abc import Iterable

import pytest

from talewright.bootstrap.model_trial import ServerProbe
from talewright.cli.setup_command import TRIES_MAX, ask_for_model
from talewright.config.model_settings import ModelSettings, known_services
from talewright.errors import TalewrightError

RUNNING = ServerProbe("ollama", "Ollama", "http://127.0.0.1:11434/v1", ("llama3.2", "qwen"))
SILENT = ServerProbe("vllm", "vLLM", "http://127.0.0.1:8000/v1", (), "nobody there")
EMPTY = ServerProbe("lm_studio", "LM Studio", "http://127.0.0.1:1234/v1")


def interview(answers: Iterable[str], *servers: ServerProbe) -> tuple[ModelSettings, list[str]]:
    given, told = iter(answers), list[str]()
    return ask_for_model(known_services(), servers, lambda prompt: next(given), told.append), told


def test_what_runs_on_this_machine_is_offered_first() -> None:
    model, told = interview(["1", "2"], SILENT, RUNNING, EMPTY)
    assert (model.name, model.service, model.model) == ("ollama-qwen", "ollama", "qwen")
    assert told[:3] == [
        "Which storyteller do you want to use?",
        "  1. Ollama, running on this machine, free",
        "  2. OpenAI, with your own key",
    ]
    assert told[-2:] == ["  1. llama3.2 (free)", "  2. qwen (free)"]
    assert not any("vLLM" in line or "LM Studio" in line for line in told)


def test_a_service_with_a_model_by_its_name() -> None:
    model, told = interview(["1", "gpt-9/turbo:x"])
    assert (model.name, model.model) == ("openai-gpt-9-turbo-x", "gpt-9/turbo:x")
    assert model.key_name == "OPENAI_API_KEY"
    known = next(line for line in told if "gpt-5-mini " in line)
    assert known.endswith(
        "(" + "$0.25 in, $0.025 cached, $2 out per million tokens, about $0.17 for 100 turns)"
    )


def test_answers_that_do_not_fit_are_asked_for_again() -> None:
    model, told = interview(["", "x", "0", "99", "1", "", "77", "x"])
    assert model.model == "x"
    assert told.count("A number from 1 to 8.") == 4


@pytest.mark.parametrize("answers", [["x"] * TRIES_MAX, ["1", *[""] * TRIES_MAX]])
def test_it_ends_where_no_answer_fits(answers: list[str]) -> None:
    with pytest.raises(TalewrightError, match="no model was chosen"):
        interview(answers)


def test_any_other_server_by_its_address() -> None:
    answers = ["9", "", "my.host/v1/chat/completions", "", "big/model:x", "yes"]
    model, told = interview(answers, RUNNING)
    assert told[9] == "  9. Another server, by its address"
    assert (model.base_url, model.model, model.service) == ("https://my.host/v1", "big/model:x", "")
    assert (model.name, model.key_name) == ("my.host-big-model-x", "MY_HOST_API_KEY")
    model, _ = interview(["8", "127.0.0.1:8080/v1/", "x", "n"])
    assert (model.base_url, model.key_name) == ("http://127.0.0.1:8080/v1", "")
    with pytest.raises(TalewrightError, match="no model was chosen"):
        interview(["8", *["?"] * TRIES_MAX])
