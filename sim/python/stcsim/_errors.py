# SPDX-License-Identifier: Apache-2.0
"""What can go wrong."""
from ._core import InputError

InputError.__module__ = "stcsim"
InputError.__doc__ = "Something the caller can mend: the message says where, which value, and what is allowed."


class SimulationFault(RuntimeError):
    """Fault or deadlock of the simulated kernel. `printed` is what its threads had printed (bytes)."""

    printed: bytes = b""


class InternalError(RuntimeError):
    """A bug of stcsim."""


def raise_failure(kind: str, message: str, printed: bytes) -> None:
    """Raises what a worker's failure is to the caller."""
    if kind == "input":
        raise InputError(message)
    if kind == "fault":
        fault = SimulationFault(message)
        fault.printed = printed
        raise fault
    if kind == "stopped":
        raise KeyboardInterrupt(message)
    raise InternalError(message)
