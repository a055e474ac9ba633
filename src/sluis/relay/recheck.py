"""What must still hold at release. Decides; the relay does what is around it.

The steps have the numbers of ``docs/ledger-and-relay.md``; 1 (pause), 2 (claim) and 7 (transport) are the relay's.

3. The permit is authentic and good now, for these bytes, this kind, this recipient and this run.
4. Fingerprint, pins and policy are on the manifest in force.
5. Each cited chunk is still admissible for the recorded request, by the register.
6. Each citation of a kind that has a live source is live, or waived on exactly what the source says now.

Every step ends in :class:`Holds`, :class:`Refusal` (a definite no) or :class:`Undecided` (ask again later).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from zoneinfo import ZoneInfo

from sluis.core import (
    Citation,
    Manifest,
    RefusedError,
    RegisterView,
    Request,
    SourceGateway,
    SourceState,
    SourceStatus,
    Waiver,
    day_of,
    digest_of,
    evidence_digest,
)
from sluis.ledger import Claim
from sluis.permits import (
    Keyring,
    Permit,
    PermitExpiredError,
    PermitNotYetValidError,
    PermitUnknownKeyError,
    verify_permit,
)
from sluis.sources import LIVE_KINDS, REASONS

from ._blocking import blocking

LIVE_CHECK = "citations.live"
"""Name of the check whose waivers count here."""


@dataclass(frozen=True, kw_only=True)
class Holds:
    """A step that holds."""


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A definite no.

    Attributes:
        reason: a stable code.
        final: nobody can let it pass any more; else a person looks at it.
    """

    reason: str
    final: bool = False


@dataclass(frozen=True, kw_only=True)
class Undecided:
    """It could not be told now.

    Attributes:
        reason: a stable code.
    """

    reason: str


Answer: TypeAlias = Holds | Refusal | Undecided

HOLDS = Holds()


def permit_of(claim: Claim, keyring: Keyring, now: datetime) -> Permit | Refusal | Undecided:
    """Step 3: the verified permit of a claimed row, or why there is none.

    A permit past its end, a forged one and one for something else are final. An unknown key is for a person, who may
    know that the keyring is behind. One that is not good yet waits.
    """
    row = claim.row
    try:
        permit = verify_permit(
            claim.envelope,
            keyring,
            payload=claim.data,
            kind=row.kind,
            recipient=row.recipient,
            run_id=row.run_id,
            now=now,
        )
    except PermitNotYetValidError:
        return Undecided(reason="permit_not_yet_valid")
    except (PermitExpiredError, PermitUnknownKeyError) as error:
        return Refusal(reason=_code(error), final=isinstance(error, PermitExpiredError))
    except RefusedError as error:
        return Refusal(reason=_code(error), final=True)
    if permit.permit_id != row.permit_id:
        return Refusal(reason="permit_of_another_row", final=True)
    return permit


def _code(error: RefusedError) -> str:
    return error.code.removeprefix("refused.").replace(".", "_")


def manifest_allows(permit: Permit, manifest: Manifest) -> Answer:
    """Step 4. A permit without a pin set, or with several, is on no manifest."""
    if permit.fingerprint not in manifest.fingerprints:
        return Refusal(reason="unknown_fingerprint")
    if len(permit.pins) != 1:
        return Refusal(reason="mixed_pins")
    if permit.pins[0] not in manifest.pins:
        return Refusal(reason="unknown_pins")
    if permit.policy not in manifest.policies:
        return Refusal(reason="unknown_policy")
    return HOLDS


def day_for(permit: Permit, manifest: Manifest, now: datetime) -> int:
    """The calendar date on which the permit's sources must be in force: its own, or today in the manifest's zone."""
    return permit.as_of if permit.as_of is not None else day_of(now.astimezone(ZoneInfo(manifest.time_zone)))


def chunks_admissible(permit: Permit, request: Request, register: RegisterView, *, day: int) -> Answer:
    """Step 5. No chunk at all is no evidence, so it does not hold."""
    if digest_of(request) != permit.request:
        return Refusal(reason="request_changed", final=True)
    if not permit.chunks:
        return Refusal(reason="no_chunks")
    for chunk_id, content_digest in permit.chunks:
        reasons = register.current_reasons(chunk_id, content_digest, request=request, day=day)
        if reasons:
            return Refusal(reason=reasons[0])
    return HOLDS


def citations_live(permit: Permit, sources: SourceGateway, *, live_kinds: Iterable[str] = LIVE_KINDS) -> Answer:
    """Step 6. Asks once, for all; a definite no on one outweighs what could not be told of another.

    A citation of a kind that no live source exists for (a file of the corpus, a law) was settled at verification, or
    waived there; there is nobody to ask again.
    """
    kinds = frozenset(live_kinds)
    asked = tuple(dict.fromkeys(item for item in permit.citations if item.kind in kinds))
    if not asked:
        return HOLDS
    statuses = blocking(_ask(sources, asked))
    answers = [_judge(citation, statuses.get(citation), permit.waivers) for citation in asked]
    ranked: list[Answer] = [answer for answer in answers if isinstance(answer, Refusal)]
    ranked += [answer for answer in answers if isinstance(answer, Undecided)]
    return [*ranked, HOLDS][0]


async def _ask(sources: SourceGateway, asked: tuple[Citation, ...]) -> Mapping[Citation, SourceStatus]:
    return await sources.statuses(asked)


def _judge(citation: Citation, status: SourceStatus | None, waivers: Iterable[Waiver]) -> Answer:
    if status is None:
        return Undecided(reason="not_answered")
    if status.kind != citation.kind or status.value.casefold() != citation.value.casefold():
        return Undecided(reason="wrong_answer")
    if status.status is SourceState.LIVE:
        return HOLDS
    if status.status is not SourceState.UNVERIFIABLE:
        return Refusal(reason=status.reason)
    if status.transient:
        return Undecided(reason=status.reason)
    # Only what a person was allowed to weigh can have been waived, whatever the permit says.
    meaning = REASONS.get(status.reason)
    reviewable = meaning is not None and meaning.reviewable
    if reviewable and any(_covers(waiver, status) for waiver in waivers):
        return HOLDS
    return Refusal(reason=status.reason)


def _covers(waiver: Waiver, status: SourceStatus) -> bool:
    return (
        waiver.check == LIVE_CHECK
        and waiver.reason == status.reason
        and waiver.evidence_digest == evidence_digest(status.evidence())
    )
