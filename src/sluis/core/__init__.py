"""Types, errors and canonical bytes. Knows nobody else in the project; does no I/O."""

from __future__ import annotations

from ._model import NO_END, Day, Digest, MalformedValueError, Moment, Value, day_of
from .action import ActionKind, Payload, Request
from .canonical import NotCanonicalError, canonical_bytes, digest_bytes, digest_of, digest_text, is_digest
from .checks import Case, Check, CheckContext, RegisterView, SourceGateway
from .chunk import PAYLOAD_VERSION, Candidate, Chunk, Evidence, EvidenceItem, Exclusion, Marker, RetrievalStamp
from .clock import Clock, ClockWentBackwardsError, CountedIds, Ids, ManualClock, RandomIds, SystemClock
from .condition import AnyOf, Between, Condition, Conditions
from .draft import Claim, Completion, CompletionStatus, Draft, DraftHandle, Usage
from .errors import (
    ConfigurationError,
    DeadlineError,
    InputError,
    IntegrityError,
    MissingExtraError,
    RefusedError,
    Retry,
    SluisError,
    UndecidedError,
    UsageError,
)
from .finding import Finding, RedactedFinding, Status, Subject, Verdict, Waiver, evidence_digest, finding, worst
from .manifest import Manifest
from .outcome import Outcome, OutcomeStatus
from .source_status import Citation, SourceState, SourceStatus

__all__ = [
    "NO_END",
    "PAYLOAD_VERSION",
    "ActionKind",
    "AnyOf",
    "Between",
    "Candidate",
    "Case",
    "Check",
    "CheckContext",
    "Chunk",
    "Citation",
    "Claim",
    "Clock",
    "ClockWentBackwardsError",
    "Completion",
    "CompletionStatus",
    "Condition",
    "Conditions",
    "ConfigurationError",
    "CountedIds",
    "Day",
    "DeadlineError",
    "Digest",
    "Draft",
    "DraftHandle",
    "Evidence",
    "EvidenceItem",
    "Exclusion",
    "Finding",
    "Ids",
    "InputError",
    "IntegrityError",
    "MalformedValueError",
    "Manifest",
    "ManualClock",
    "Marker",
    "MissingExtraError",
    "Moment",
    "NotCanonicalError",
    "Outcome",
    "OutcomeStatus",
    "Payload",
    "RandomIds",
    "RedactedFinding",
    "RefusedError",
    "RegisterView",
    "Request",
    "RetrievalStamp",
    "Retry",
    "SluisError",
    "SourceGateway",
    "SourceState",
    "SourceStatus",
    "Status",
    "Subject",
    "SystemClock",
    "UndecidedError",
    "Usage",
    "UsageError",
    "Value",
    "Verdict",
    "Waiver",
    "canonical_bytes",
    "day_of",
    "digest_bytes",
    "digest_of",
    "digest_text",
    "evidence_digest",
    "finding",
    "is_digest",
    "worst",
]
