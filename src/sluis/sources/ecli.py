"""ECLI: Dutch rulings, settled at Rechtspraak's open data."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

import re2

from sluis.core import ConfigurationError, digest_bytes

from .fault import SourceFaultError
from .rechtspraak import ForbiddenDoctypeError, MalformedXmlError, NotARulingError, parse_ruling
from .ruling_status import judge_ruling
from .source import Judgement

if TYPE_CHECKING:
    from .client import Fetched, SourceClient

__all__ = ["RECHTSPRAAK_URL", "BadSourceUrlError", "EcliSource"]

RECHTSPRAAK_URL = "https://data.rechtspraak.nl"
"""Where Rechtspraak serves its open data; free, without a key, ten requests a second at most."""

_ECLI = re2.compile(r"^ECLI:[A-Z]{2}:[A-Z][A-Z0-9]{0,6}:[0-9]{4}:[A-Z0-9](?:[A-Z0-9.]{0,23}[A-Z0-9])?$")
_ACCEPT = "application/xml, text/xml;q=0.9"
_INLINE_BYTES = 256 * 1024
"""Above this size a record is parsed in a thread, so that it does not hold up the others' deadline."""


class BadSourceUrlError(ConfigurationError):
    """The base URL of a source is not one."""

    code = "usage.configuration.source_url"


def _base(url: str) -> tuple[str, str]:
    """The URL without a trailing slash, and its host."""
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        port = -1
    plain = parts.username is None and parts.password is None and not parts.query and not parts.fragment
    if parts.scheme not in ("http", "https") or not parts.hostname or port == -1 or not plain or "\\" in url:
        raise BadSourceUrlError(
            "A source's base URL is not an http or https URL of a host alone.",
            hint="Write https://host or http://host:port.",
        )
    return url.rstrip("/"), parts.hostname.lower()


class EcliSource:
    """The register of Dutch rulings.

    Args:
        base_url: scheme and host, with a path if it has one. Any other than the register's own counts as named in the
            configuration: that host, and no other, may then be on loopback or a private address.

    Raises:
        BadSourceUrlError: it is not such a URL.
    """

    kind = "ecli"

    def __init__(self, base_url: str = RECHTSPRAAK_URL) -> None:
        self._base, host = _base(base_url)
        self.private_hosts: frozenset[str] = frozenset() if self._base == RECHTSPRAAK_URL else frozenset({host})

    def normalise(self, value: str) -> str | None:
        """Upper case; ``None`` for anything that is not exactly one ECLI."""
        name = value.upper() if value.isascii() else value
        return name if _ECLI.search(name) is not None else None

    def url(self, value: str) -> str:
        """Where the record of an ECLI is."""
        return f"{self._base}/uitspraken/content?id={quote(value, safe=':.')}"

    async def status(self, value: str, *, client: SourceClient) -> Judgement:
        """Fetch the record and judge it.

        Raises:
            SourceFaultError: no record could be had that can be believed.
        """
        if not value.startswith("ECLI:NL:"):
            return Judgement(reason="outside_register", detail=value.split(":")[1])
        answer = await client.get(self.url(value), accept=_ACCEPT)
        if answer.status == 404 and not answer.is_challenge:
            return Judgement(reason="not_found", detail="HTTP 404", digest=answer.digest)
        require_record(answer)
        if len(answer.body) > _INLINE_BYTES:
            return await asyncio.to_thread(read_answer, answer.body, value)
        return read_answer(answer.body, value)


def require_record(answer: Fetched) -> None:
    """Refuse an answer that cannot be a record by its status and type alone.

    Raises:
        SourceFaultError: ``redirect``, ``challenge_page``, ``http_<n>``, ``not_xml`` or ``empty_body``.
    """
    if 300 <= answer.status < 400 and answer.status != 304:
        raise SourceFaultError("redirect", f"HTTP {answer.status}")
    if answer.is_challenge:
        raise SourceFaultError("challenge_page", f"HTTP {answer.status}", digest=answer.digest)
    if answer.status != 200:
        raise SourceFaultError(f"http_{answer.status}", digest=answer.digest)
    media = answer.media_type
    if (
        media not in ("application/xml", "text/xml") and not media.endswith("+xml")
    ) or media == "application/xhtml+xml":
        raise SourceFaultError("not_xml", f"The answer's type is {media or 'not given'}.", digest=answer.digest)
    if not answer.body.strip():
        raise SourceFaultError("empty_body", digest=answer.digest)


def read_answer(body: bytes, ecli: str) -> Judgement:
    """Judge the bytes of a record.

    Raises:
        SourceFaultError: ``malformed_xml``, ``forbidden_doctype`` or ``not_a_record``.
    """
    digest = digest_bytes(body)
    try:
        record = parse_ruling(body, body=False)
    except MalformedXmlError as error:
        raise SourceFaultError("malformed_xml", error.message, digest=digest) from None
    except ForbiddenDoctypeError as error:
        raise SourceFaultError("forbidden_doctype", error.message, digest=digest) from None
    except NotARulingError as error:
        raise SourceFaultError("not_a_record", error.message, digest=digest) from None
    return judge_ruling(record, ecli, digest=digest)
