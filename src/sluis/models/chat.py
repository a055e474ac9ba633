"""A drafter on any LangChain chat model.

The call is made where nobody listens: in an empty context, with the model's own callbacks and cache taken off and
LangSmith tracing disabled. So no stream mode of a graph around it, no tracer and no cache sees a word of a draft
that has not been verified. One thing is left: ``langchain_core.globals.set_debug(True)``, a switch of the whole
process, prints every model call on standard output, this one as well.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sluis.core import (
    Completion,
    CompletionStatus,
    ConfigurationError,
    Evidence,
    Finding,
    MissingExtraError,
    Request,
)

from .classify import Assessment, assess, assess_error
from .pin import ModelPin
from .prompt import Prompt, build_prompt

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ["ChatDrafter", "ChatDrafterLimitsError"]

_BUDGET_FIELDS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "num_predict")


class ChatDrafterLimitsError(ConfigurationError):
    """A budget or time-out of the chat drafter is not positive."""

    code = "usage.configuration.chat_limits"


class _TimedOutError(TimeoutError):
    """The model did not answer in time."""


def _is_control_flow(error: BaseException) -> bool:
    return any(
        kind.__module__ == "langgraph.errors" and kind.__name__ == "GraphBubbleUp" for kind in type(error).__mro__
    )


def _load(name: str, time_out_s: float, answer_tokens: int) -> BaseChatModel:
    try:
        from langchain.chat_models import init_chat_model
    except ImportError:
        raise MissingExtraError("models", purpose="A chat model named by a string") from None
    try:
        model: Any = init_chat_model(name, timeout=time_out_s, max_tokens=answer_tokens, max_retries=0)
    except ImportError as error:
        raise ConfigurationError(
            "The LangChain package of this model's provider is not installed.",
            hint=f"Install {error.name or 'the package that LangChain names for it'}.",
            model=name,
        ) from None
    except ValueError:
        raise ConfigurationError(
            "The model's name is not understood.", hint="Write provider:model, with the full revision.", model=name
        ) from None
    return model  # type: ignore[no-any-return]


def _quiet(model: BaseChatModel) -> BaseChatModel:
    """A copy of a model to which nobody listens and which no cache answers for."""
    known = type(model).model_fields
    off = {"callbacks": None, "cache": False, "verbose": False}
    return model.model_copy(update={key: value for key, value in off.items() if key in known})


def _larger(model: BaseChatModel, tokens: int) -> BaseChatModel | None:
    """A copy with a budget of ``tokens``; ``None`` when the model has no such setting."""
    fields = [name for name in _BUDGET_FIELDS if name in type(model).model_fields]
    return model.model_copy(update={fields[0]: tokens}) if fields else None


class ChatDrafter:
    """Lets a chat model write, under the completion contract.

    Args:
        model: a LangChain chat model, or a string of ``init_chat_model`` (``provider:model``), which needs the
            extra ``models`` and the provider's own LangChain package.
        pin: the model that may answer. For a string the default is its model part; for an object there is none,
            and any model may answer.
        time_out_s: seconds for one call, all of it.
        answer_tokens: budget of one answer; for a model object, only the base of the larger one.
        larger: by how much the budget grows for the one further call after an answer that was cut off; 1: no such call.

    Raises:
        MissingExtraError: a string is given and LangChain is not installed.
        ConfigurationError: the string is not understood, or its provider's package is not installed.
        ChatDrafterLimitsError: a limit is not positive.
    """

    def __init__(
        self,
        model: BaseChatModel | str,
        *,
        pin: ModelPin | None = None,
        time_out_s: float = 60.0,
        answer_tokens: int = 1500,
        larger: int = 4,
    ) -> None:
        if time_out_s <= 0 or answer_tokens < 1 or larger < 1:
            raise ChatDrafterLimitsError(
                "A limit of the chat drafter is not positive.", hint="See sluis.models.ChatDrafter."
            )
        if isinstance(model, str):
            self.name = model
            loaded = _load(model, time_out_s, answer_tokens)
            pin = pin or ModelPin(model=model.rsplit(":", 1)[-1] if model.count(":") == 1 else model.split(":", 1)[-1])
        else:
            loaded = model
            self.name = pin.model if pin is not None else type(model).__name__
        self._model = _quiet(loaded)
        self._pin = pin
        self._time_out_s = time_out_s
        self._larger = _larger(self._model, answer_tokens * larger) if larger > 1 else None

    def draft(
        self, *, question: str, evidence: Evidence, request: Request, findings: tuple[Finding, ...], round: int
    ) -> Completion:
        """Ask the model. An answer that was cut off is asked for once more with the larger budget, and no more."""
        prompt = build_prompt(question, evidence, request, findings)
        first = self._judge(lambda: _in_thread(self._model, prompt, self._time_out_s))
        if first.retry != "larger_budget" or self._larger is None:
            return first.completion
        larger = self._larger
        return self._judge(lambda: _in_thread(larger, prompt, self._time_out_s)).completion

    async def adraft(
        self, *, question: str, evidence: Evidence, request: Request, findings: tuple[Finding, ...], round: int
    ) -> Completion:
        """The same, without blocking the loop."""
        prompt = build_prompt(question, evidence, request, findings)
        first = await self._ajudge(self._model, prompt)
        if first.retry != "larger_budget" or self._larger is None:
            return first.completion
        return (await self._ajudge(self._larger, prompt)).completion

    def _judge(self, call: Callable[[], Any]) -> Assessment:
        try:
            return assess(call(), pin=self._pin)
        except Exception as error:  # noqa: BLE001 - a provider's client raises anything; it becomes a status
            return self._failed(error)

    async def _ajudge(self, model: BaseChatModel, prompt: Prompt) -> Assessment:
        try:
            return assess(await _in_task(model, prompt, self._time_out_s), pin=self._pin)
        except Exception as error:  # noqa: BLE001 - as above; a cancellation is no Exception and goes on
            return self._failed(error)

    def _failed(self, error: Exception) -> Assessment:
        if _is_control_flow(error):
            raise error
        if isinstance(error, _TimedOutError):
            completion = Completion(status=CompletionStatus.UNAVAILABLE, text="", model=self.name, drafter="chat")
            return Assessment(completion=completion, retry="after", detail="time_out")
        return assess_error(error, model=self.name)


def _invoke(model: BaseChatModel, prompt: Prompt) -> Any:
    from langsmith.run_helpers import tracing_context

    with tracing_context(enabled=False):
        return model.invoke(prompt.messages(), config={"callbacks": []})


async def _ainvoke(model: BaseChatModel, prompt: Prompt) -> Any:
    from langsmith.run_helpers import tracing_context

    with tracing_context(enabled=False):
        return await model.ainvoke(prompt.messages(), config={"callbacks": []})


def _in_thread(model: BaseChatModel, prompt: Prompt, time_out_s: float) -> Any:
    """The model's message, from a thread of its own with an empty context; one that is late is left behind, unheard."""
    answers: list[Any] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(contextvars.Context().run(_invoke, model, prompt))
        except BaseException as error:  # noqa: BLE001 - carried to the caller's thread and raised there
            errors.append(error)

    thread = threading.Thread(target=run, name="sluis-draft", daemon=True)
    thread.start()
    thread.join(time_out_s)
    if errors:
        raise errors[0]
    if not answers:
        raise _TimedOutError
    return answers[0]


async def _in_task(model: BaseChatModel, prompt: Prompt, time_out_s: float) -> Any:
    """The same, as a task with an empty context."""
    task = asyncio.get_running_loop().create_task(_ainvoke(model, prompt), context=contextvars.Context())
    try:
        done, _ = await asyncio.wait({task}, timeout=time_out_s)
    finally:
        task.cancel()
    if not done:
        raise _TimedOutError
    return task.result()
