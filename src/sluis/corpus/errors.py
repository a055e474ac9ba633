"""What can go wrong with a store, an encoder or a reranker."""

from __future__ import annotations

from sluis.core import ConfigurationError, InputError, IntegrityError, RefusedError, Retry, UndecidedError


class UnknownCollectionError(UndecidedError):
    """The store has no such collection; nothing can be found, which is not the same as "nothing says so"."""

    code = "undecided.unknown_collection"
    retry = Retry.AFTER_FIX


class UnknownAliasError(UndecidedError):
    """The register points this alias at no collection; a lost alias serves nothing."""

    code = "undecided.unknown_alias"
    retry = Retry.AFTER_FIX


class AliasMovedError(UndecidedError):
    """While one retrieval ran, the alias was pointed elsewhere or the index changed; its stamp would not be true."""

    code = "undecided.alias_moved"


class CollectionExistsError(ConfigurationError):
    """A collection of that name stands already."""

    code = "usage.configuration.collection_exists"


class CollectionNameError(ConfigurationError):
    """Not a name for a collection: lower case letters, digits, ``-`` and ``_``, at most 64."""

    code = "usage.configuration.collection_name"


class DimensionError(ConfigurationError):
    """A vector does not have the number of dimensions that the collection was made for, or is not finite."""

    code = "usage.configuration.dimension"


class StoreBusyError(UndecidedError):
    """Another process has the embedded store open; it admits one."""

    code = "undecided.store_busy"


class StoreFailedError(UndecidedError):
    """The store did not do what was asked, or could not be reached."""

    code = "undecided.store_failed"


class StoreTooLargeError(ConfigurationError):
    """More points than the local mode of the client library is made for."""

    code = "usage.configuration.store_too_large"


class StoreDamagedError(IntegrityError):
    """A folder of the embedded store is not what this program wrote."""

    code = "integrity.store_damaged"


class RegisterIncompleteError(IntegrityError):
    """Store and register do not hold the same chunks after an ingest."""

    code = "integrity.register_incomplete"


class LeftBehindError(RefusedError):
    """A new collection lacks documents of the one that serves; moving the alias would lose them without a word."""

    code = "refused.left_behind"
    retry = Retry.AFTER_FIX


class WeightsMismatchError(RefusedError):
    """The weights of an encoder are not the pinned ones; vectors made with them do not belong in this index."""

    code = "refused.weights_mismatch"
    retry = Retry.AFTER_FIX


class EmbeddingFailedError(UndecidedError):
    """An encoder answered with something that is no list of finite vectors, one for each text."""

    code = "undecided.embedding_failed"


class RerankFailedError(UndecidedError):
    """A reranker answered with an index that was not sent, twice the same one, or a score that is no number."""

    code = "undecided.rerank_failed"


class OversizeError(InputError):
    """More documents in one rerank call than the limit allows."""

    code = "usage.input.oversize"


class DocumentError(InputError):
    """One document cannot be taken in; the others are."""

    code = "usage.input.document"


class ManifestMissingError(UndecidedError):
    """There is no deploy manifest, so nothing may serve."""

    code = "undecided.manifest_missing"
    retry = Retry.AFTER_FIX


class ManifestDamagedError(IntegrityError):
    """The deploy manifest cannot be read or written, or is not one."""

    code = "integrity.manifest_damaged"
