"""The tables.

Times are ISO 8601 text in UTC with microseconds, so that they compare as text; JSON is canonical text.
"""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, LargeBinary, MetaData, String, Table, Text, UniqueConstraint

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

events = Table(
    "events",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("subject", String, nullable=False),
    Column("data", Text, nullable=False),
    Column("prev", String, nullable=False),
    Column("digest", String, nullable=False),
    Index(None, "subject"),
)

event_head = Table(
    "event_head",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
    Column("at", String, nullable=False),
    Column("digest", String, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("run_id", String, primary_key=True),
    Column("request_id", String, nullable=False, unique=True),
    Column("request_digest", String, nullable=False),
    Column("request", Text, nullable=False),
    Column("opened_at", String, nullable=False),
    Column("status", String, nullable=True),
    Column("outcome", Text, nullable=True),
    Column("closed_at", String, nullable=True),
)

objects = Table(
    "objects",
    metadata,
    Column("digest", String, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    Column("at", String, nullable=False),
)

holdings = Table(
    "holdings",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("run_id", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("round", Integer, nullable=False),
    Column("digest", String, nullable=False),
    Column("about", String, nullable=False),
    Index(None, "run_id", "kind"),
    Index(None, "digest"),
)
"""Which objects belong to which run: drafts (``round``), evidence, verdicts (``about`` names the draft)."""

draft_rounds = Table(
    "draft_rounds",
    metadata,
    Column("run_id", String, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("digest", String, nullable=False),
)

reviews = Table(
    "reviews",
    metadata,
    Column("review_id", String, primary_key=True),
    Column("run_id", String, nullable=False),
    Column("verdict_digest", String, nullable=False),
    Column("draft_digest", String, nullable=False),
    Column("shown", String, nullable=False),
    Column("state", String, nullable=False),
    Column("decision", String, nullable=True),
    Column("reviewer", String, nullable=True),
    Column("note", Text, nullable=True),
    Column("drop", Text, nullable=False),
    Column("rewrite", Text, nullable=False),
    Column("opened_at", String, nullable=False),
    Column("decided_at", String, nullable=True),
    UniqueConstraint("run_id", "verdict_digest"),
    Index(None, "state"),
)

permits = Table(
    "permits",
    metadata,
    Column("permit_id", String, primary_key=True),
    Column("key", String, nullable=False, unique=True),
    Column("envelope", LargeBinary, nullable=False),
    Column("consumed_at", String, nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    Column("key", String, primary_key=True),
    Column("run_id", String, nullable=False),
    Column("permit_id", String, nullable=False, unique=True),
    Column("kind", String, nullable=False),
    Column("recipient", String, nullable=False),
    Column("media_type", String, nullable=False),
    Column("payload", String, nullable=False),
    Column("state", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("due_at", String, nullable=False),
    Column("expires_at", String, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("claim", String, nullable=True),
    Column("lease_until", String, nullable=True),
    Column("created_at", String, nullable=False),
    Column("updated_at", String, nullable=False),
    UniqueConstraint("run_id", "kind", "recipient"),
    Index(None, "state", "due_at"),
)

control = Table(
    "control",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("reason", Text, nullable=False),
    Column("who", String, nullable=False),
    Column("at", String, nullable=False),
)
"""One row while everything is paused, none otherwise."""

register_collections = Table(
    "register_collections",
    metadata,
    Column("collection", String, primary_key=True),
    Column("fingerprint", String, nullable=True),
    Column("created_at", String, nullable=False),
)

register_chunks = Table(
    "register_chunks",
    metadata,
    Column("collection", String, primary_key=True),
    Column("chunk_id", String, primary_key=True),
    Column("content_digest", String, nullable=False),
    Column("chunk_digest", String, nullable=False),
    Column("source_id", String, nullable=False),
    Column("family", String, nullable=False),
    Column("version", String, nullable=False),
    Column("tenant", String, nullable=False),
    Column("audience", Text, nullable=False),
    Column("valid_from", Integer, nullable=False),
    Column("valid_to", Integer, nullable=False),
    Index(None, "chunk_id"),
    Index(None, "tenant", "family"),
)

register_markers = Table(
    "register_markers",
    metadata,
    Column("source_id", String, primary_key=True),
    Column("marker", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("at", String, nullable=False),
)

register_aliases = Table(
    "register_aliases",
    metadata,
    Column("name", String, primary_key=True),
    Column("collection", String, nullable=False),
    Column("at", String, nullable=False),
)
