"""Which addresses may be connected to. Decided on the address itself, after the name was resolved."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from sluis.core import RefusedError

__all__ = ["ForbiddenAddressError", "require_allowed"]

_PRIVATE_V4 = tuple(IPv4Network(text) for text in ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"))
_PRIVATE_V6 = (IPv6Network("::1/128"), IPv6Network("fc00::/7"))
# ipaddress calls some of these global, depending on the Python version.
_NEVER_V4 = tuple(IPv4Network(text) for text in ("100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15"))
_NEVER_V6 = (IPv6Network("fec0::/10"), IPv6Network("2001::/23"), IPv6Network("3fff::/20"), IPv6Network("5f00::/16"))
_MAPPED = IPv6Network("::ffff:0:0/96")
_COMPATIBLE = IPv6Network("::/96")
_NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
_SIX_TO_FOUR = IPv6Network("2002::/16")


class ForbiddenAddressError(RefusedError):
    """A name leads to an address that a source may not be at: inside the own network, or outside it without TLS."""

    code = "refused.forbidden_address"


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that packets to an IPv6 address really go to, if it hides one."""
    value = int(address)
    if address in _MAPPED or any(address in network for network in _NAT64):
        return IPv4Address(value & 0xFFFFFFFF)
    if address in _SIX_TO_FOUR:
        return IPv4Address((value >> 80) & 0xFFFFFFFF)
    if address in _COMPATIBLE and value > 1:
        return IPv4Address(value & 0xFFFFFFFF)
    return None


def _is_private(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv4Address):
        return any(address in network for network in _PRIVATE_V4)
    return any(address in network for network in _PRIVATE_V6)


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv4Address):
        listed = any(address in network for network in _NEVER_V4)
    else:
        listed = any(address in network for network in _NEVER_V6)
    return address.is_global and not (address.is_multicast or address.is_reserved or listed)


def require_allowed(text: str, *, host: str, private: bool, public: bool = True) -> None:
    """Refuse an address that a source may not be at.

    Public addresses are allowed. Loopback and private ones (RFC 1918, RFC 4193) only with ``private``, which is for
    hosts that the configuration names. Everything else (link-local and so cloud metadata, shared, multicast,
    reserved, unspecified) never; an IPv4 address inside an IPv6 one (mapped, NAT64, 6to4) is judged as itself.

    Args:
        text: the address, numeric.
        host: the name it came from, for the message.
        private: whether the host may be on loopback or a private address.
        public: whether it may be anywhere else; not without TLS, for then anyone on the way can answer in its place.

    Raises:
        ForbiddenAddressError: it may not be connected to.
    """
    refusal = ForbiddenAddressError(
        f"{host} leads to {text}, which may not be connected to.",
        hint="A host of your own must be named as a source; one elsewhere needs https.",
        host=host,
        address=text,
    )
    if "%" in text:  # an IPv6 zone: link-local by nature
        raise refusal
    try:
        address: IPv4Address | IPv6Address = ip_address(text)
    except ValueError:
        raise refusal from None
    if isinstance(address, IPv6Address):
        address = _embedded(address) or address
    if not ((public and _is_public(address)) or (private and _is_private(address))):
        raise refusal
