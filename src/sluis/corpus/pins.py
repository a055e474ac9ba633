"""Pin sets: everything that shaped a chunk and its vectors, under one digest."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sluis.core import PAYLOAD_VERSION, Value, digest_of

from .bm25 import BM25_NAME
from .tokens import TOKENS_NAME

PARSER_NAME = "sluis-parser/1"
"""Changes when equal bytes give another parsed text or other blocks."""

CHUNKER_NAME = "sluis-chunker/1"
"""Changes when equal blocks give other boundaries or other numbering."""

Word = Annotated[str, Field(min_length=1)]


class PinSet(Value):
    """What one index is made with. Chunks with different pin sets never stand in one answer."""

    payload: int = PAYLOAD_VERSION
    parser: Word = PARSER_NAME
    chunker: Word = CHUNKER_NAME
    tokens: Word = TOKENS_NAME
    sparse: Word = f"{BM25_NAME} of source_id title numbering text"
    budget: Annotated[int, Field(ge=1)]
    overlap: Annotated[int, Field(ge=0)]
    embedder: Word | None
    """The encoder's own pin, as its digest of weights; ``None``: chunks without vectors (``sluis chunk``)."""

    def digest(self) -> str:
        """The digest that every chunk bears and the manifest allows."""
        return digest_of(self)
