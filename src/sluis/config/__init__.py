"""The settings of a project: one typed, frozen object of documented limits, read from ``sluis.toml``."""

from __future__ import annotations

from ._project import (
    CONFIG_NAME,
    EmbeddingConfig,
    GateConfig,
    InvalidSettingsError,
    ModelConfig,
    NoProjectError,
    PathsConfig,
    PolicyConfig,
    ProjectConfig,
    ProjectSection,
    RerankConfig,
    RetrievalConfig,
    SmtpConfig,
    SourceConfig,
    StoreConfig,
    config_schema,
    find_project,
)

__all__ = [
    "CONFIG_NAME",
    "EmbeddingConfig",
    "GateConfig",
    "InvalidSettingsError",
    "ModelConfig",
    "NoProjectError",
    "PathsConfig",
    "PolicyConfig",
    "ProjectConfig",
    "ProjectSection",
    "RerankConfig",
    "RetrievalConfig",
    "SmtpConfig",
    "SourceConfig",
    "StoreConfig",
    "config_schema",
    "find_project",
]
