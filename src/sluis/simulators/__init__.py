"""The outside world on loopback, with faults to order. For tests, demos and rehearsals; never for production."""

from __future__ import annotations

from .registry import NoRecordsError, RegistrySimulator
from .registry_faults import FAULTS, UnknownFaultError
from .registry_records import UnknownRecordError

__all__ = ["FAULTS", "NoRecordsError", "RegistrySimulator", "UnknownFaultError", "UnknownRecordError"]
