"""Models: what a response is worth, and who drafts."""

from __future__ import annotations

from ._thought import ThoughtScan, scan_thoughts
from .chat import ChatDrafter, ChatDrafterLimitsError
from .classify import TRANSIENT, Assessment, UnknownProviderError, assess, assess_error, classify
from .drafter import Drafter
from .extractive import UNCLEAR, ExtractiveDrafter, ExtractiveLimitsError
from .pin import ModelPin, PinMalformedError
from .prompt import Prompt, build_prompt

__all__ = [
    "TRANSIENT",
    "UNCLEAR",
    "Assessment",
    "ChatDrafter",
    "ChatDrafterLimitsError",
    "Drafter",
    "ExtractiveDrafter",
    "ExtractiveLimitsError",
    "ModelPin",
    "PinMalformedError",
    "Prompt",
    "ThoughtScan",
    "UnknownProviderError",
    "assess",
    "assess_error",
    "build_prompt",
    "classify",
    "make_drafter",
    "scan_thoughts",
]


def make_drafter(name: str, *, time_out_s: float = 60.0, answer_tokens: int = 1500) -> Drafter:
    """The drafter that a project names: ``extractive``, or a string of ``init_chat_model``.

    Raises:
        MissingExtraError: a chat model is named and LangChain is not installed.
        ConfigurationError: the name is not understood.
    """
    if name == "extractive":
        return ExtractiveDrafter()
    return ChatDrafter(name, time_out_s=time_out_s, answer_tokens=answer_tokens)
