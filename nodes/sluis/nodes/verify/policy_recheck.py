"""policy.recheck: each cited chunk still may be shown, now, to this audience, by what the register says."""

from __future__ import annotations

import asyncio
from types import MappingProxyType

from sluis.core import Case, Chunk, CompletionStatus, Finding, RegisterView, Request, digest_text, finding
from sluis.policies import Policy, day_for

from ._evidence import cited, claims_of

NAME = "policy.recheck"

_WORDS = MappingProxyType(
    {
        "unknown_chunk": "is not in any index that serves",
        "content_changed": "is no longer what the register holds",
        "metadata_changed": "has another source, address or numbering than was registered",
        "marker_withdrawn": "was withdrawn",
        "marker_superseded": "was superseded",
        "marker_unknown": "is not known to be in force",
        "not_yet_valid": "is not yet in force",
        "no_longer_valid": "is no longer in force",
        "superseded_version": "has a newer version",
        "ambiguous_version": "has two versions that cannot be told apart",
        "audience": "is not meant for this audience",
        "tenant": "belongs to another tenant",
    }
)


class PolicyRecheck:
    """Asks the register again, whatever the retrieval said, and holds the policy against the manifest.

    Steps, in order; all findings block:

    1. ``no_manifest``, ``no_register``, ``no_policy``: what must be asked is not there.
    2. ``policy_not_on_manifest``: the policy in force is another one than was deployed.
    3. ``nothing_cited``: not one chunk is cited, as in a draft that only says that the sources are silent.
    4. For each cited chunk: ``content_changed`` when its text is not what its digest says, and every reason that the
       register gives (``unknown_chunk``, ``marker_withdrawn``, ``no_longer_valid``, ``audience``, ``tenant``, ...);
       ``metadata_changed`` when the store says another thing of it than was registered.
    5. With a policy given, every reason of the policy that the register did not give.

    Args:
        policy: applied as well, on the chunk as shown; ``None``: the register and the manifest alone.
    """

    name = NAME
    version = 1

    def __init__(self, policy: Policy | None = None) -> None:
        self._policy = policy

    async def run(self, case: Case) -> tuple[Finding, ...]:
        """All objections to showing the cited chunks."""
        context = case.context
        manifest, register = context.manifest, context.register
        if manifest is None:
            return (_absent("no_manifest", "There is no deploy manifest, so no policy is allowed."),)
        if register is None:
            return (_absent("no_register", "The register cannot be asked what holds now."),)
        if context.policy_digest is None:
            return (_absent("no_policy", "No policy is in force, so nothing may be shown."),)
        findings: list[Finding] = []
        if context.policy_digest not in manifest.policies:
            message = "The policy in force is not on the deploy manifest."
            evidence = {"policy": context.policy_digest}
            findings.append(finding(NAME, "block", "policy_not_on_manifest", message, evidence=evidence))
        if self._policy is not None and self._policy.digest() != context.policy_digest:
            message = "The policy of this check is not the one in force."
            evidence = {"policy": context.policy_digest, "check": self._policy.digest()}
            findings.append(finding(NAME, "block", "policy_differs", message, evidence=evidence))
        request = context.request
        day = request.as_of if request.as_of is not None else day_for(context.now, manifest.time_zone)
        labels = tuple(sorted({label for claim in claims_of(case) for label in claim.labels}))
        chunks = cited(case, labels)
        # Without an answer there is nothing to cite; the completion check says why there is none.
        if not chunks and case.draft.completion.status is CompletionStatus.OK:
            message = "The draft rests on no source, so there is nothing that it could be released on."
            findings.append(finding(NAME, "block", "nothing_cited", message))
        # The register is a database; the gate's other checks go on while it answers.
        answers = await asyncio.to_thread(_ask, register, chunks, request, day)
        for (label, chunk), reasons in zip(chunks, answers, strict=True):
            known = reasons
            if self._policy is not None:
                known += tuple(
                    reason for reason in self._policy.exclusion_reasons(chunk, request, day) if reason not in reasons
                )
            findings.extend(_refused(label, chunk, reason, day) for reason in known)
        return tuple(findings)


def _absent(reason: str, message: str) -> Finding:
    return finding(NAME, "block", reason, message)


def _ask(
    register: RegisterView, chunks: tuple[tuple[str, Chunk], ...], request: Request, day: int
) -> list[tuple[str, ...]]:
    """The reasons for each chunk, in order."""
    answers: list[tuple[str, ...]] = []
    for _, chunk in chunks:
        # The register vouches for a digest; that the text shown has this digest is for us to see.
        if digest_text(chunk.text) != chunk.content_digest:
            answers.append(("content_changed",))
        else:
            reasons = register.current_reasons(chunk.chunk_id, chunk.content_digest, request=request, day=day)
            # A store is a cache: what it says of source, address and numbering must be what was registered.
            if not reasons and not register.vouches_for(chunk):
                reasons = ("metadata_changed",)
            answers.append(reasons)
    return answers


def _refused(label: str, chunk: Chunk, reason: str, day: int) -> Finding:
    said = _WORDS.get(reason, f"may not be shown ({reason})")
    return finding(
        NAME,
        "block",
        reason,
        f"The source [{label}] ({chunk.source_id}) {said}.",
        evidence={"label": label, "chunk_id": chunk.chunk_id, "source_id": chunk.source_id, "day": day},
    )
