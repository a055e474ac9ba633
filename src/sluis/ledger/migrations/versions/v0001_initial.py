"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; the chain of events can then only grow."""
    op.create_table(
        "control",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_control")),
    )
    op.create_table(
        "draft_rounds",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "round", name=op.f("pk_draft_rounds")),
    )
    op.create_table(
        "event_head",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_head")),
    )
    op.create_table(
        "events",
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("prev", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_events")),
    )
    op.create_index(op.f("ix_events_subject"), "events", ["subject"], unique=False)
    op.create_table(
        "holdings",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("about", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_holdings")),
    )
    op.create_index(op.f("ix_holdings_digest"), "holdings", ["digest"], unique=False)
    op.create_index(op.f("ix_holdings_run_id_kind"), "holdings", ["run_id", "kind"], unique=False)
    op.create_table(
        "objects",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_objects")),
    )
    op.create_table(
        "outbox",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("permit_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("payload", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("due_at", sa.String(), nullable=False),
        sa.Column("expires_at", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("claim", sa.String(), nullable=True),
        sa.Column("lease_until", sa.String(), nullable=True),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("updated_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_outbox")),
        sa.UniqueConstraint("permit_id", name=op.f("uq_outbox_permit_id")),
        sa.UniqueConstraint("run_id", "kind", "recipient", name=op.f("uq_outbox_run_id_kind_recipient")),
    )
    op.create_index(op.f("ix_outbox_state_due_at"), "outbox", ["state", "due_at"], unique=False)
    op.create_table(
        "permits",
        sa.Column("permit_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("envelope", sa.LargeBinary(), nullable=False),
        sa.Column("consumed_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("permit_id", name=op.f("pk_permits")),
        sa.UniqueConstraint("key", name=op.f("uq_permits_key")),
    )
    op.create_table(
        "register_aliases",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("collection", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_register_aliases")),
    )
    op.create_table(
        "register_chunks",
        sa.Column("collection", sa.String(), nullable=False),
        sa.Column("chunk_id", sa.String(), nullable=False),
        sa.Column("content_digest", sa.String(), nullable=False),
        sa.Column("chunk_digest", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("family", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("audience", sa.Text(), nullable=False),
        sa.Column("valid_from", sa.Integer(), nullable=False),
        sa.Column("valid_to", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("collection", "chunk_id", name=op.f("pk_register_chunks")),
    )
    op.create_index(op.f("ix_register_chunks_chunk_id"), "register_chunks", ["chunk_id"], unique=False)
    op.create_index(op.f("ix_register_chunks_tenant_family"), "register_chunks", ["tenant", "family"], unique=False)
    op.create_table(
        "register_collections",
        sa.Column("collection", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=True),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("collection", name=op.f("pk_register_collections")),
    )
    op.create_table(
        "register_markers",
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("marker", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("source_id", name=op.f("pk_register_markers")),
    )
    op.create_table(
        "reviews",
        sa.Column("review_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("verdict_digest", sa.String(), nullable=False),
        sa.Column("draft_digest", sa.String(), nullable=False),
        sa.Column("shown", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("decision", sa.String(), nullable=True),
        sa.Column("reviewer", sa.String(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("drop", sa.Text(), nullable=False),
        sa.Column("rewrite", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.String(), nullable=False),
        sa.Column("decided_at", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("review_id", name=op.f("pk_reviews")),
        sa.UniqueConstraint("run_id", "verdict_digest", name=op.f("uq_reviews_run_id_verdict_digest")),
    )
    op.create_index(op.f("ix_reviews_state"), "reviews", ["state"], unique=False)
    op.create_table(
        "runs",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("request_id", sa.String(), nullable=False),
        sa.Column("request_digest", sa.String(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("closed_at", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_runs")),
        sa.UniqueConstraint("request_id", name=op.f("uq_runs_request_id")),
    )
    if op.get_bind().dialect.name != "sqlite":
        return
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER events_no_{change.lower()} BEFORE {change} ON events "
            "BEGIN SELECT RAISE(ABORT, 'events are append-only'); END"
        )


def downgrade() -> None:
    """There is nothing before the first schema."""
    raise NotImplementedError("the first schema has no predecessor")
