"""A project's parts, put together from its settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sluis.config import ProjectConfig
from sluis.core import Clock, Ids, RandomIds, SystemClock
from sluis.corpus import HybridRetriever, open_embeddings, open_reranker, open_store
from sluis.corpus.ingest import IngestReport, Progress, ingest_paths
from sluis.corpus.manifest_file import allow, read_manifest
from sluis.corpus.parse_text import Defaults
from sluis.ledger import Ledger
from sluis.models import make_drafter
from sluis.nodes import Limits, Runtime
from sluis.nodes.verify import all_checks
from sluis.permits import Keyring, Signer, generate_key
from sluis.policies import load_policy
from sluis.relay import Relay, mail_builder, open_project_relay
from sluis.sources import Gateway, open_gateway

from .agent import Agent
from .answer import answer_graph
from .checkpoints import sqlite_checkpoints

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

    from sluis.corpus import PinnedEmbeddings, Store


@dataclass(frozen=True, kw_only=True)
class Project:
    """An open project.

    Attributes:
        config: its settings.
        ledger: what is trusted.
        store: the vectors; a cache.
        embeddings: what the store was filled with.
        sources: the live sources.
        runtime: what the nodes work with. It holds the signer: give it to no one.
        graph: the compiled answer graph.
        agent: asks it.
        relay: the way out. In production it runs as a process of its own (``sluis relay run``).
    """

    config: ProjectConfig
    ledger: Ledger
    store: Store
    embeddings: PinnedEmbeddings
    sources: Gateway
    runtime: Runtime
    graph: CompiledStateGraph[Any, Any, Any, Any]
    agent: Agent
    relay: Relay

    def ingest(self, *paths: Path, progress: Callable[[Progress], None] | None = None) -> IngestReport:
        """Take documents in, serve them, and let the manifest allow exactly what was built.

        Args:
            paths: files and folders; none: the project's own documents.
            progress: called after each document.

        Raises:
            DocumentError: a path is not there. A malformed document is no error: it is in the report.
        """
        config = self.config
        report = ingest_paths(
            paths or (config.documents_path,),
            store=self.store,
            register=self.ledger.register,
            embeddings=self.embeddings,
            alias=config.store.alias,
            clock=self.runtime.clock,
            defaults=Defaults(tenant=config.project.tenant, audience=(config.project.audience,)),
            progress=progress,
        )
        allow(
            config.manifest_path,
            fingerprint=report.fingerprint,
            pins=report.pins,
            policy=self.runtime.policy.digest(),
            permit_seconds=config.gate.permit_seconds,
            hold_seconds=config.gate.hold_seconds,
            time_zone=config.project.time_zone,
        )
        return report


@contextmanager
def open_project(config: ProjectConfig, *, clock: Clock | None = None, ids: Ids | None = None) -> Iterator[Project]:
    """Open a project: its ledger, keys (made on first use), store, sources, graph and relay. Closes them at the end.

    Args:
        config: as ``ProjectConfig.load()`` gives it.
        clock: default: the machine's.
        ids: default: random ones.

    Raises:
        SluisError: a part cannot be opened; its leaf says which and what to do.
    """

    time = clock or SystemClock()
    fresh = ids or RandomIds()
    if not config.signing_key_path.exists():
        generate_key(config.signing_key_path, config.public_keys_path)
    signer = Signer.load(config.signing_key_path)
    keyring = Keyring.load(config.public_keys_path)
    url = None if config.store.url is None else str(config.store.url)
    with ExitStack() as stack:
        ledger = stack.enter_context(Ledger.open(config.ledger_path, clock=time, ids=fresh, keyring=keyring))
        store = open_store(config.store.backend, path=config.store_path, url=url)
        stack.callback(store.close)
        embeddings = open_embeddings(config.embedding.name)
        urls = {kind: str(source.url) for kind, source in config.sources.items()}
        sources = open_gateway(urls, clock=time, budget_seconds=config.gate.budget_ms / 1000)
        stack.callback(sources.close)
        manifest = partial(read_manifest, config.manifest_path)
        runtime = Runtime(
            ledger=ledger,
            signer=signer,
            retriever=HybridRetriever(store, ledger.register, embeddings, alias=config.store.alias, clock=time),
            policy=load_policy(config.policy.file, root=config.root),
            reranker=open_reranker(config.rerank.name, embeddings=embeddings),
            drafter=make_drafter(
                config.model.name, time_out_s=config.model.time_out_s, answer_tokens=config.model.answer_tokens
            ),
            checks=all_checks(),
            sources=sources,
            manifest=manifest,
            clock=time,
            ids=fresh,
            limits=Limits(retrieve=config.retrieval.limit, keep=config.rerank.keep, redrafts=config.gate.max_redrafts),
            mail=None if config.smtp is None else mail_builder(config.smtp.sender),
        )
        graph = answer_graph(runtime, stack.enter_context(sqlite_checkpoints(config.checkpoints_path)))
        relay = open_project_relay(config, ledger=ledger, sources=sources, manifest=manifest, clock=time)
        agent = Agent(
            runtime,
            graph,
            tenant=config.project.tenant,
            audience=config.project.audience,
            locale=config.project.locale,
        )
        yield Project(
            config=config,
            ledger=ledger,
            store=store,
            embeddings=embeddings,
            sources=sources,
            runtime=runtime,
            graph=graph,
            agent=agent,
            relay=relay,
        )
