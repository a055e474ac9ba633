"""Chat models in the real answer graph: whatever they do, what leaves is right or nothing does."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from importlib.resources import as_file, files
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import InMemorySaver

from sluis.core import Outcome
from sluis.models import ChatDrafter, ModelPin

QUESTION = "Binnen hoeveel dagen moet de verhuurder de waarborgsom terugbetalen?"


class Scripted(BaseChatModel):
    """Says one thing a round; the last one from then on."""

    script: list[Any]
    prompts: list[str] = []

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        self.prompts.append(messages[-1].text)
        said = self.script[min(len(self.prompts), len(self.script)) - 1]
        if isinstance(said, Exception):
            raise said
        if callable(said):
            said = said(messages[-1].text)
        message = said if isinstance(said, AIMessage) else _message(said)
        return ChatResult(generations=[ChatGeneration(message=message)])


def _message(text: str, finish: str = "stop", model: str = "m-1", **extra: Any) -> AIMessage:
    return AIMessage(content=text, response_metadata={"finish_reason": finish, "model_name": model}, **extra)


def _label(prompt: str, words: str = "binnen 14 dagen na het einde van de huurovereenkomst aan de huurder") -> str:
    """The label of the source that holds certain words, as a model would find it."""
    for part in prompt.split("=== source ")[1:]:
        label, _, rest = part.partition(" begins\n")
        if words in rest.partition("=== source")[0]:
            return label
    raise AssertionError("the source was not shown")


_SAID = (
    "De verhuurder betaalt de waarborgsom terug binnen {} na het einde van de huur, "
    "tenzij er nog een vordering op de huurder openstaat."
)


def _right(prompt: str) -> str:
    return f"{_SAID.format('14 dagen')} [{_label(prompt)}]"


def _wrong(prompt: str) -> str:
    return f"{_SAID.format('41 dagen')} [{_label(prompt)}]"


Ask = Callable[..., tuple[Outcome, Scripted, Any]]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from sluis.config import GateConfig, ProjectConfig, SourceConfig
    from sluis.graphs import open_project
    from sluis.simulators import RegistrySimulator

    folder = tmp_path_factory.mktemp("models")
    with as_file(files("sluis.cli") / "_demo_data") as records, RegistrySimulator(records / "rulings") as registry:
        config = ProjectConfig(
            root=folder,
            sources={"ecli": SourceConfig(url=registry.url)},
            gate=GateConfig(hold_seconds=0, budget_ms=5000),
        )
        with open_project(config) as opened:
            opened.ingest(records)
            yield opened


@pytest.fixture
def ask(project: Any) -> Ask:
    from sluis.graphs import Agent, answer_graph

    def run(*script: Any, time_out_s: float = 30.0) -> tuple[Outcome, Scripted, Any]:
        model = Scripted(script=list(script), prompts=[])
        drafter = ChatDrafter(model, pin=ModelPin(model="m-1"), time_out_s=time_out_s)
        runtime = dataclasses.replace(project.runtime, drafter=drafter)
        graph = answer_graph(runtime, InMemorySaver())
        agent = Agent(runtime, graph, tenant="default", audience="client", locale="nl-NL")
        outcome = agent.ask(QUESTION)
        for key in outcome.outbox:
            assert project.ledger.outbox.get(key).state.value == "held"
        return outcome, model, graph

    return run


def _text(project: Any, outcome: Outcome) -> str:
    (key,) = outcome.outbox
    return str(project.ledger.vault.get_payload(project.ledger.outbox.get(key).payload).decode())


def test_a_right_answer_is_released_and_says_that_a_model_wrote_it(ask: Ask, project: Any) -> None:
    outcome, model, _ = ask(_right)
    assert outcome.status.value == "released", outcome
    assert len(model.prompts) == 1
    assert "14 dagen" in _text(project, outcome)
    assert "taalmodel (m-1)" in _text(project, outcome)


def test_a_wrong_value_is_refused_told_to_the_model_and_mended(ask: Ask, project: Any) -> None:
    outcome, model, _ = ask(_wrong, _right)
    assert outcome.status.value == "released", outcome
    assert "values.supported" not in model.prompts[0]
    assert "values.supported" in model.prompts[1]
    assert "41 dagen" in model.prompts[1]
    assert "41 dagen" not in _text(project, outcome)


def test_a_model_that_insists_is_blocked_after_its_redrafts(ask: Ask) -> None:
    outcome, model, _ = ask(_wrong)
    assert (outcome.status.value, outcome.outbox) == ("blocked", ())
    assert len(model.prompts) == 3


class _RateLimited(Exception):
    status_code = 429
    body = {"error": {"code": "rate_limit_exceeded"}}


class _Quota(Exception):
    status_code = 402
    body = {"error": {"message": "Insufficient Balance"}}


ENDS: dict[str, tuple[Any, str, str]] = {
    "nothing": (_message(""), "blocked", "empty"),
    "budget spent on reasoning": (
        _message("", "length", additional_kwargs={"reasoning_content": "Bron [c1] noemt 30 dagen"}),
        "blocked",
        "truncated",
    ),
    "a refusal": (_message("", additional_kwargs={"refusal": "I can't help with that."}), "blocked", "refused"),
    "a thought": ("<think>de bron [c1] zegt 14 dagen", "blocked", "thought_leak"),
    "a right answer after a thought": (lambda prompt: f"<think>x</think>{_right(prompt)}", "blocked", "thought_leak"),
    "a right answer by another model": (
        lambda prompt: _message(_right(prompt), model="m-1-mini"),
        "blocked",
        "pin_mismatch",
    ),
    "a right answer without an end": (lambda prompt: _message(_right(prompt), "oddly"), "blocked", "unknown_finish"),
    "a model that is gone": (
        type("NotFoundError", (Exception,), {"status_code": 404, "body": {"error": {"code": "model_not_found"}}})(),
        "blocked",
        "model_retired",
    ),
    "an account without credit": (_Quota(), "held", "quota"),
    "a provider that asks to wait": (_RateLimited(), "held", "rate_limited"),
    "a provider that is away": (ConnectionRefusedError(), "held", "unavailable"),
    "a client with a bug": (ZeroDivisionError(), "held", "unavailable"),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_model_that_does_not_answer_lets_nothing_out(name: str, ask: Ask) -> None:
    said, status, reason = ENDS[name]
    outcome, _, _ = ask(said)
    (completion,) = [item for item in outcome.findings if item.check == "completion"]
    assert outcome.status.value == status, outcome
    assert outcome.outbox == ()
    assert (completion.reason, completion.undecided) == (reason, status == "held")


@pytest.mark.parametrize("said", ["UNCLEAR", "De bronnen zeggen hier niets over."])
def test_an_answer_that_rests_on_nothing_is_honest_and_is_no_document(said: str, ask: Ask) -> None:
    outcome, _, _ = ask(said)
    assert (outcome.status.value, outcome.reason) == ("blocked", "nothing_cited"), outcome
    assert {found.reason for found in outcome.findings} <= {"nothing_cited", "absence_contradicted"}


def test_no_stream_mode_hears_a_draft_that_is_refused(ask: Ask, project: Any) -> None:
    _, model, graph = ask("Kwartelkoning 41 dagen. [c1]")
    assert model.prompts
    request = project.agent.request(QUESTION)
    config = {"configurable": {"thread_id": request.request_id}}
    modes = ["values", "updates", "messages", "custom", "debug", "tasks", "checkpoints"]
    heard = repr(list(graph.stream({"request": request.to_json()}, config, stream_mode=modes)))
    assert len(model.prompts) > 1
    assert "artelkoning" not in heard
    assert "blocked" in heard
