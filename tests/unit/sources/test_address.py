"""Addresses that a source may not be at, however they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.sources import ForbiddenAddressError
from sluis.sources._address import require_allowed

NEVER = {
    "cloud metadata": "169.254.169.254",
    "cloud metadata, mapped into IPv6": "::ffff:a9fe:a9fe",
    "cloud metadata through NAT64": "64:ff9b::a9fe:a9fe",
    "cloud metadata through local NAT64": "64:ff9b:1::a9fe:a9fe",
    "cloud metadata through 6to4": "2002:a9fe:a9fe::",
    "cloud metadata, compatible form": "::a9fe:a9fe",
    "shared address space": "100.64.0.1",
    "protocol assignments": "192.0.0.192",
    "link-local with a zone": "fe80::1%eth0",
    "link-local": "fe80::1",
    "site-local": "fec0::1",
    "Teredo": "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "multicast": "224.0.0.1",
    "multicast in IPv6": "ff02::1",
    "unspecified": "0.0.0.0",
    "unspecified in IPv6": "::",
    "broadcast": "255.255.255.255",
    "reserved": "240.0.0.1",
    "benchmarking": "198.18.0.1",
    "documentation": "2001:db8::1",
    "a name": "localhost",
    "decimal": "2130706433",
    "hexadecimal": "0x7f.1",
    "octal": "0177.0.0.1",
    "with a dot behind it": "127.0.0.1.",
    "nothing": "",
}

PRIVATE = {
    "loopback": "127.0.0.1",
    "loopback elsewhere": "127.8.9.10",
    "loopback in IPv6": "::1",
    "loopback, mapped into IPv6": "::ffff:127.0.0.1",
    "loopback through NAT64": "64:ff9b::7f00:1",
    "ten": "10.1.2.3",
    "one seven two": "172.16.0.1",
    "one nine two": "192.168.1.1",
    "unique local": "fd00::1",
}

PUBLIC = {"IPv4": "93.184.215.14", "IPv6": "2a00:1450:400e:80d::200e", "mapped": "::ffff:93.184.215.14"}


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("case", NEVER)
def test_never_connected_to_even_when_the_host_was_named(case: str, private: bool) -> None:
    with pytest.raises(ForbiddenAddressError) as caught:
        require_allowed(NEVER[case], host="register.test", private=private)
    assert caught.value.subject["host"] == "register.test"


@pytest.mark.parametrize("case", PRIVATE)
def test_own_network_only_when_the_host_was_named(case: str) -> None:
    with pytest.raises(ForbiddenAddressError):
        require_allowed(PRIVATE[case], host="register.test", private=False)
    require_allowed(PRIVATE[case], host="register.test", private=True)


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("case", PUBLIC)
def test_public_addresses_are_allowed(case: str, private: bool) -> None:
    require_allowed(PUBLIC[case], host="register.test", private=private)


@pytest.mark.parametrize("case", PUBLIC)
def test_without_tls_only_the_own_network_is_allowed(case: str) -> None:
    with pytest.raises(ForbiddenAddressError):
        require_allowed(PUBLIC[case], host="register.test", private=True, public=False)
    require_allowed("127.0.0.1", host="register.test", private=True, public=False)


@given(address=st.ip_addresses(v=4))
def test_an_address_hidden_in_ipv6_is_judged_as_itself(address: object) -> None:
    value = int(address)  # type: ignore[call-overload]
    high, low = f"{value >> 16:x}", f"{value & 0xFFFF:x}"

    def allowed(text: str) -> bool:
        try:
            require_allowed(text, host="h", private=False)
        except ForbiddenAddressError:
            return False
        return True

    plain = allowed(str(address))
    for hidden in (f"::ffff:{high}:{low}", f"64:ff9b::{high}:{low}", f"2002:{high}:{low}::1"):
        assert allowed(hidden) is plain
