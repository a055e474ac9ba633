"""The vault: drafts, evidence, verdicts and payloads, by digest, bound to their run.

Every object is kept under the digest of its bytes and hashed again each time it is read.
"""

from __future__ import annotations

from typing import Any, TypeVar

from sqlalchemy import Connection, insert, select

from sluis.core import Draft, DraftHandle, Evidence, Value, Verdict, digest_bytes

from .database import Database
from .errors import HandleMismatchError, RoundTakenError, UnknownObjectError, VaultDamagedError
from .events import Events, stamp
from .schema import draft_rounds, holdings, objects

T = TypeVar("T", bound=Value)


def keep(connection: Connection, data: bytes, *, at: str) -> str:
    """Store bytes under their digest, within the caller's transaction; returns the digest."""
    digest = digest_bytes(data)
    known = connection.execute(select(objects.c.digest).where(objects.c.digest == digest)).one_or_none()
    if known is None:
        connection.execute(insert(objects).values(digest=digest, data=data, at=at))
    return digest


def fetch(connection: Connection, digest: str) -> bytes:
    """The bytes of that digest.

    Raises:
        UnknownObjectError: there are none.
        VaultDamagedError: what is kept has another digest.
    """
    row = connection.execute(select(objects.c.data).where(objects.c.digest == digest)).one_or_none()
    if row is None:
        raise _unknown("object", digest)
    data = bytes(row.data)
    if digest_bytes(data) != digest:
        raise VaultDamagedError(
            "An object of the vault is not what was stored.", hint="Run `sluis ledger verify`.", digest=digest
        )
    return data


def holds_verdict(connection: Connection, run_id: str, digest: str) -> bool:
    """Whether a run recorded a verdict of that digest."""
    query = select(holdings.c.seq).where(
        holdings.c.run_id == run_id, holdings.c.kind == "verdict", holdings.c.digest == digest
    )
    return connection.execute(query.limit(1)).scalar() is not None


def _unknown(what: str, digest: str) -> UnknownObjectError:
    return UnknownObjectError(f"The vault holds no such {what} of this run.", digest=digest)


class Vault:
    """The vault of a ledger."""

    def __init__(self, database: Database, events: Events) -> None:
        self._database = database
        self._events = events

    def put_payload(self, data: bytes) -> str:
        """Keep bytes; returns their digest. They are bound to no run."""
        with self._database.write() as connection:
            at = self._events.append(connection, "vault.payload", digest_bytes(data), {"size": len(data)})
            return keep(connection, data, at=stamp(at))

    def get_payload(self, digest: str) -> bytes:
        """Bytes by digest.

        Raises:
            UnknownObjectError: there are none.
            VaultDamagedError: they are not what was stored.
        """
        with self._database.read() as connection:
            return fetch(connection, digest)

    def put_draft(self, run_id: str, round_: int, draft: Draft) -> DraftHandle:
        """Keep a draft as that of a round. The same again changes nothing.

        Raises:
            RoundTakenError: the round has another draft.
        """
        data = draft.canonical()
        digest = digest_bytes(data)
        with self._database.write() as connection:
            taken = connection.execute(
                select(draft_rounds.c.digest).where(draft_rounds.c.run_id == run_id, draft_rounds.c.round == round_)
            ).scalar()
            if taken is None:
                self._hold(connection, run_id, "draft", data, round_=round_)
                connection.execute(insert(draft_rounds).values(run_id=run_id, round=round_, digest=digest))
            elif taken != digest:
                raise RoundTakenError(
                    "This round of the run has another draft; two resumes ran at once.",
                    hint="Run the request again.",
                    run_id=run_id,
                    round=round_,
                )
        return DraftHandle(run_id=run_id, round=round_, digest=digest)

    def get_draft(self, handle: DraftHandle) -> Draft:
        """The draft of a handle.

        Raises:
            HandleMismatchError: run, round and digest do not belong together.
            VaultDamagedError: the draft is not what was stored.
        """
        with self._database.read() as connection:
            taken = connection.execute(
                select(draft_rounds.c.digest).where(
                    draft_rounds.c.run_id == handle.run_id, draft_rounds.c.round == handle.round
                )
            ).scalar()
            if taken != handle.digest:
                raise HandleMismatchError(
                    "The draft handle is not one that this ledger gave out.",
                    hint="Start the request again; state is not repaired.",
                    run_id=handle.run_id,
                    digest=handle.digest,
                )
            return Draft.from_json(fetch(connection, handle.digest))

    def draft_handle(self, run_id: str, digest: str) -> DraftHandle:
        """The handle of a run's draft by digest, of the latest round that has it.

        Raises:
            UnknownObjectError: the run has no such draft.
        """
        query = select(draft_rounds.c.round).where(draft_rounds.c.run_id == run_id, draft_rounds.c.digest == digest)
        with self._database.read() as connection:
            round_ = connection.execute(query.order_by(draft_rounds.c.round.desc()).limit(1)).scalar()
        if round_ is None:
            raise _unknown("draft", digest)
        return DraftHandle(run_id=run_id, round=round_, digest=digest)

    def latest_draft(self, run_id: str) -> DraftHandle | None:
        """The handle of the run's last round."""
        query = select(draft_rounds).where(draft_rounds.c.run_id == run_id).order_by(draft_rounds.c.round.desc())
        with self._database.read() as connection:
            row = connection.execute(query.limit(1)).one_or_none()
        return None if row is None else DraftHandle(run_id=run_id, round=row.round, digest=row.digest)

    def put_evidence(self, run_id: str, evidence: Evidence) -> str:
        """Keep what a run shows to its drafter; returns the digest."""
        with self._database.write() as connection:
            return self._hold(connection, run_id, "evidence", evidence.canonical())

    def get_evidence(self, run_id: str, digest: str) -> Evidence:
        """Evidence of a run.

        Raises:
            UnknownObjectError: the run has none of that digest.
            VaultDamagedError: it is not what was stored.
        """
        return self._held(Evidence, "evidence", digest, holdings.c.run_id == run_id)

    def latest_evidence(self, run_id: str) -> str | None:
        """Digest of the last evidence that the run recorded."""
        return self._latest(holdings.c.run_id == run_id, holdings.c.kind == "evidence")

    def put_verdict(self, verdict: Verdict) -> str:
        """Keep a verdict; returns its digest."""
        with self._database.write() as connection:
            return self._hold(
                connection, verdict.run_id, "verdict", verdict.canonical(), about=verdict.draft, result=verdict.result
            )

    def get_verdict(self, digest: str) -> Verdict:
        """A verdict, whatever its result.

        Raises:
            UnknownObjectError: there is none of that digest.
            VaultDamagedError: it is not what was stored.
        """
        return self._held(Verdict, "verdict", digest)

    def passing_verdict(self, run_id: str, draft: str) -> Verdict | None:
        """The latest verdict on a draft of a run, when it passed; ``None`` when it did not, or there is none."""
        digest = self._latest(holdings.c.run_id == run_id, holdings.c.kind == "verdict", holdings.c.about == draft)
        if digest is None:
            return None
        verdict = self.get_verdict(digest)
        belongs = verdict.run_id == run_id and verdict.draft == draft
        return verdict if belongs and verdict.result == "pass" else None

    def _hold(
        self,
        connection: Connection,
        run_id: str,
        kind: str,
        data: bytes,
        *,
        round_: int = 0,
        about: str = "",
        **facts: str,
    ) -> str:
        digest = digest_bytes(data)
        said: dict[str, Any] = {"digest": digest, "round": round_, "about": about, **facts}
        at = self._events.append(connection, f"vault.{kind}", run_id, said)
        keep(connection, data, at=stamp(at))
        connection.execute(insert(holdings).values(run_id=run_id, kind=kind, round=round_, digest=digest, about=about))
        return digest

    def _held(self, kind: type[T], name: str, digest: str, *where: Any) -> T:
        query = select(holdings.c.seq).where(holdings.c.digest == digest, holdings.c.kind == name, *where)
        with self._database.read() as connection:
            if connection.execute(query.limit(1)).scalar() is None:
                raise _unknown(name, digest)
            return kind.from_json(fetch(connection, digest))

    def _latest(self, *where: Any) -> str | None:
        query = select(holdings.c.digest).where(*where).order_by(holdings.c.seq.desc()).limit(1)
        with self._database.read() as connection:
            return connection.execute(query).scalar()
