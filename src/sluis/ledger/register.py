"""The register: what decides about a chunk, whatever a store returned. Read by filter, checks and relay.

A chunk counts as known while a collection that holds it serves under some alias.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, func, insert, select, update

from sluis.core import Chunk, Marker, Request, canonical_bytes, digest_of

from .database import Database
from .errors import AliasConflictError, UnknownRegisterCollectionError
from .events import Events, stamp
from .schema import register_aliases, register_chunks, register_collections, register_markers

_BATCH = 400


@dataclass(frozen=True, kw_only=True)
class RegisteredCollection:
    """A collection as the register knows it."""

    name: str
    chunks: int
    fingerprint: str
    aliases: tuple[str, ...]


def fingerprint_of(pairs: Iterable[tuple[str, str]]) -> str:
    """SHA-256 over the sorted lines ``<chunk id> <content digest>``; equal sets give equal fingerprints."""
    lines = sorted(f"{chunk_id} {digest}\n" for chunk_id, digest in pairs)
    return f"sha256:{hashlib.sha256(''.join(lines).encode('utf-8')).hexdigest()}"


def next_marker(known: Marker | None, told: Marker) -> Marker:
    """What a source's marker becomes when a document is read again.

    ``unknown`` keeps what was known, and a source once withdrawn or superseded does not become current again by being
    read: that takes :meth:`Register.set_marker`, by a person or an announced change.
    """
    if known is None or known is Marker.UNKNOWN:
        return told
    if told is Marker.UNKNOWN or (told is Marker.CURRENT and known is not Marker.CURRENT):
        return known
    return told


class Register:
    """The register of a ledger."""

    def __init__(self, database: Database, events: Events) -> None:
        self._database = database
        self._events = events

    def upsert_chunks(self, collection: str, chunks: Sequence[Chunk]) -> None:
        """Record chunks of a collection, and the markers of their sources, in one transaction."""
        with self._database.write() as connection:
            at = stamp(self._events.append(connection, "register.upsert", collection, {"chunks": len(chunks)}))
            known = select(register_collections).where(register_collections.c.collection == collection)
            if connection.execute(known).one_or_none() is None:
                connection.execute(insert(register_collections).values(collection=collection, created_at=at))
            self._forget(connection, collection, [chunk.chunk_id for chunk in chunks])
            if chunks:
                connection.execute(insert(register_chunks), [_values(collection, chunk) for chunk in chunks])
            self._touch(connection, collection)
            for source_id, marker in {chunk.source_id: chunk.marker for chunk in chunks}.items():
                self._mark(connection, source_id, marker, at)

    def forget_chunks(self, collection: str, chunk_ids: Sequence[str]) -> None:
        """Take chunks out of a collection."""
        with self._database.write() as connection:
            self._events.append(connection, "register.forget", collection, {"chunks": len(chunk_ids)})
            self._forget(connection, collection, chunk_ids)
            self._touch(connection, collection)

    def chunk_ids(self, collection: str) -> tuple[tuple[str, str], ...]:
        """``(chunk id, content digest)`` of a collection, sorted."""
        with self._database.read() as connection:
            return _pairs(connection, collection)

    def collections(self) -> tuple[str, ...]:
        """Names of all collections, sorted."""
        query = select(register_collections.c.collection).order_by(register_collections.c.collection)
        with self._database.read() as connection:
            return tuple(connection.execute(query).scalars())

    def describe(self, collection: str) -> RegisteredCollection:
        """A collection as registered.

        Raises:
            UnknownRegisterCollectionError: the register knows no such collection.
        """
        fingerprint = self.fingerprint(collection)
        counted = select(func.count()).select_from(register_chunks).where(register_chunks.c.collection == collection)
        serving = select(register_aliases.c.name).where(register_aliases.c.collection == collection)
        with self._database.read() as connection:
            return RegisteredCollection(
                name=collection,
                chunks=connection.execute(counted).scalar_one(),
                fingerprint=fingerprint,
                aliases=tuple(connection.execute(serving.order_by(register_aliases.c.name)).scalars()),
            )

    def drop_collection(self, collection: str) -> None:
        """Forget a collection.

        Raises:
            AliasConflictError: an alias serves from it.
        """
        with self._database.write() as connection:
            serving = connection.execute(
                select(register_aliases.c.name).where(register_aliases.c.collection == collection)
            ).first()
            if serving is not None:
                raise AliasConflictError(
                    f"The alias {serving.name!r} serves from {collection!r}.",
                    hint="Move the alias first.",
                    alias=serving.name,
                    collection=collection,
                )
            self._events.append(connection, "register.drop", collection, {})
            connection.execute(delete(register_chunks).where(register_chunks.c.collection == collection))
            connection.execute(delete(register_collections).where(register_collections.c.collection == collection))

    def fingerprint(self, collection: str) -> str:
        """Of a collection as registered; computed once after each change.

        Raises:
            UnknownRegisterCollectionError: the register knows no such collection.
        """
        query = select(register_collections.c.fingerprint).where(register_collections.c.collection == collection)
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise UnknownRegisterCollectionError(
                f"The register knows no collection {collection!r}.", hint="Run `sluis ingest`.", collection=collection
            )
        if row.fingerprint is not None:
            return str(row.fingerprint)
        with self._database.write() as connection:
            computed = fingerprint_of(_pairs(connection, collection))
            connection.execute(
                update(register_collections)
                .where(register_collections.c.collection == collection)
                .values(fingerprint=computed)
            )
        return computed

    def alias(self, name: str) -> str | None:
        """The collection that an alias serves from."""
        query = select(register_aliases.c.collection).where(register_aliases.c.name == name)
        with self._database.read() as connection:
            return connection.execute(query).scalar()

    def swap_alias(self, name: str, expected: str | None, new: str) -> None:
        """Point an alias elsewhere, if it points where the caller believes.

        Args:
            name: the alias.
            expected: where it points now; ``None``: nowhere.
            new: a registered collection.

        Raises:
            AliasConflictError: it points elsewhere; nothing was changed.
            UnknownRegisterCollectionError: ``new`` is not registered.
        """
        with self._database.write() as connection:
            current = connection.execute(
                select(register_aliases.c.collection).where(register_aliases.c.name == name)
            ).scalar()
            if current != expected:
                raise AliasConflictError(
                    f"The alias {name!r} points to {current!r}, not {expected!r}.",
                    hint="Somebody else moved it; look before trying again.",
                    alias=name,
                )
            known = select(register_collections).where(register_collections.c.collection == new)
            if connection.execute(known).one_or_none() is None:
                raise UnknownRegisterCollectionError(f"The register knows no collection {new!r}.", collection=new)
            at = self._events.append(connection, "register.alias", name, {"from": expected, "to": new})
            values = {"collection": new, "at": stamp(at)}
            if expected is None:
                connection.execute(insert(register_aliases).values(name=name, **values))
            else:
                connection.execute(update(register_aliases).where(register_aliases.c.name == name).values(**values))

    def marker(self, source_id: str) -> Marker | None:
        """What is known of a source."""
        with self._database.read() as connection:
            return _marker(connection, source_id)

    def set_marker(self, source_id: str, marker: Marker, reason: str) -> None:
        """Say what holds of a source from now on: an announced change, or a person's word."""
        with self._database.write() as connection:
            known = _marker(connection, source_id)
            about = {"from": None if known is None else known.value, "to": marker.value, "reason": reason}
            at = stamp(self._events.append(connection, "register.marker", source_id, about))
            _write_marker(connection, source_id, marker, reason, at, known=known)

    def current_reasons(self, chunk_id: str, content_digest: str, *, request: Request, day: int) -> tuple[str, ...]:
        """Why a chunk is not admissible for a request on a day (``yyyymmdd``); empty: it is.

        Reasons: ``unknown_chunk``, ``content_changed``, ``marker_withdrawn``, ``marker_superseded``,
        ``marker_unknown``, ``not_yet_valid``, ``no_longer_valid``, ``audience``, ``tenant``, ``superseded_version``.
        """
        served = and_(register_aliases.c.collection == register_chunks.c.collection)
        query = select(register_chunks).join(register_aliases, served)
        with self._database.read() as connection:
            rows = connection.execute(query.where(register_chunks.c.chunk_id == chunk_id)).all()
            if not rows:
                return ("unknown_chunk",)
            row = next((item for item in rows if item.content_digest == content_digest), None)
            if row is None:
                return ("content_changed",)
            marker = _marker(connection, row.source_id)
            newer = connection.execute(
                query.where(
                    register_chunks.c.tenant == row.tenant,
                    register_chunks.c.family == row.family,
                    register_chunks.c.valid_from > row.valid_from,
                    register_chunks.c.valid_from <= day,
                    register_chunks.c.valid_to >= day,
                ).limit(1)
            ).first()
        return _reasons(row, marker, request, day, superseded=newer is not None)

    def vouches_for(self, chunk: Chunk) -> bool:
        """Whether a collection that serves holds exactly this chunk: text, source, address, numbering, all of it."""
        served = and_(register_aliases.c.collection == register_chunks.c.collection)
        query = select(register_chunks.c.chunk_id).join(register_aliases, served)
        query = query.where(
            register_chunks.c.chunk_id == chunk.chunk_id, register_chunks.c.chunk_digest == digest_of(chunk)
        )
        with self._database.read() as connection:
            return connection.execute(query.limit(1)).scalar() is not None

    def _forget(self, connection: Connection, collection: str, chunk_ids: Sequence[str]) -> None:
        for start in range(0, len(chunk_ids), _BATCH):
            batch = list(chunk_ids[start : start + _BATCH])
            connection.execute(
                delete(register_chunks).where(
                    register_chunks.c.collection == collection, register_chunks.c.chunk_id.in_(batch)
                )
            )

    def _touch(self, connection: Connection, collection: str) -> None:
        connection.execute(
            update(register_collections).where(register_collections.c.collection == collection).values(fingerprint=None)
        )

    def _mark(self, connection: Connection, source_id: str, told: Marker, at: str) -> None:
        known = _marker(connection, source_id)
        after = next_marker(known, told)
        if after is not told:
            about = {"kept": after.value, "told": told.value}
            self._events.append(connection, "register.marker_kept", source_id, about)
        elif after is not known:
            about = {"from": "" if known is None else known.value, "to": after.value, "reason": "ingest"}
            self._events.append(connection, "register.marker", source_id, about)
            _write_marker(connection, source_id, after, "ingest", at, known=known)


def _values(collection: str, chunk: Chunk) -> dict[str, Any]:
    return {
        "collection": collection,
        "chunk_id": chunk.chunk_id,
        "content_digest": chunk.content_digest,
        "chunk_digest": digest_of(chunk),
        "source_id": chunk.source_id,
        "family": chunk.family,
        "version": chunk.version,
        "tenant": chunk.tenant,
        "audience": canonical_bytes(list(chunk.audience)).decode(),
        "valid_from": chunk.valid_from,
        "valid_to": chunk.valid_to,
    }


def _pairs(connection: Connection, collection: str) -> tuple[tuple[str, str], ...]:
    query = select(register_chunks.c.chunk_id, register_chunks.c.content_digest)
    rows = connection.execute(query.where(register_chunks.c.collection == collection))
    return tuple(sorted((row.chunk_id, row.content_digest) for row in rows))


def _marker(connection: Connection, source_id: str) -> Marker | None:
    known = connection.execute(
        select(register_markers.c.marker).where(register_markers.c.source_id == source_id)
    ).scalar()
    return None if known is None else Marker(known)


def _write_marker(
    connection: Connection, source_id: str, marker: Marker, reason: str, at: str, *, known: Marker | None
) -> None:
    values = {"marker": marker.value, "reason": reason, "at": at}
    if known is None:
        connection.execute(insert(register_markers).values(source_id=source_id, **values))
    else:
        connection.execute(update(register_markers).where(register_markers.c.source_id == source_id).values(**values))


def _reasons(row: Row[Any], marker: Marker | None, request: Request, day: int, *, superseded: bool) -> tuple[str, ...]:
    marked = Marker.UNKNOWN if marker is None else marker
    held = {
        "tenant": row.tenant != request.tenant,
        "audience": request.audience not in json.loads(row.audience),
        f"marker_{marked.value}": marked is not Marker.CURRENT,
        "not_yet_valid": day < row.valid_from,
        "no_longer_valid": day > row.valid_to,
        "superseded_version": superseded,
    }
    return tuple(reason for reason, holds in held.items() if holds)
