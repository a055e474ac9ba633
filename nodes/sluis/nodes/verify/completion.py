"""completion: what the model gave is a whole answer, and nothing but an answer."""

from __future__ import annotations

from sluis.core import Case, CompletionStatus, Finding, finding
from sluis.models import TRANSIENT, scan_thoughts

__all__ = ["CompletionContract"]

_WORDS = {
    CompletionStatus.EMPTY: "The model gave no text.",
    CompletionStatus.TRUNCATED: "The model's budget ran out before the answer was whole.",
    CompletionStatus.REFUSED: "The model refused to answer.",
    CompletionStatus.THOUGHT_LEAK: "The answer holds the model's thoughts.",
    CompletionStatus.TOOL_TRUNCATED: "The answer holds half a tool call.",
    CompletionStatus.UNKNOWN_FINISH: "Why the model stopped is not known, so the answer may not be whole.",
    CompletionStatus.MODEL_RETIRED: "The pinned model is no longer there.",
    CompletionStatus.PIN_MISMATCH: "Another model than the pinned one answered.",
    CompletionStatus.QUOTA: "The account with the model's provider is out of credit.",
    CompletionStatus.RATE_LIMITED: "The model's provider asks to wait.",
    CompletionStatus.UNAVAILABLE: "The model's provider did not answer.",
}


class CompletionContract:
    """Holds when the completion is ``ok`` and its text is an answer by itself.

    The reason of a finding is the completion's status. A status that says only that there was no answer is
    undecided: the run is held and may be asked again. The text is looked at once more, whatever the status says:
    a drafter of another maker may be wrong about its own answer.
    """

    name = "completion"
    version = 1

    async def run(self, case: Case) -> tuple[Finding, ...]:
        completion = case.draft.completion
        status = completion.status
        if status is CompletionStatus.OK:
            if not any(character.isalnum() for character in completion.text):
                status = CompletionStatus.EMPTY
            elif scan_thoughts(completion.text).leaked:
                status = CompletionStatus.THOUGHT_LEAK
            else:
                return ()
        return (
            finding(
                self.name,
                "block",
                status.value,
                _WORDS[status],
                evidence={"status": completion.status.value, "model": completion.model, "drafter": completion.drafter},
                undecided=status in TRANSIENT,
            ),
        )
