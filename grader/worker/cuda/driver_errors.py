"""The CUDA driver's errors after a launch."""

from __future__ import annotations

from grader.model.watched import DriverError, DriverFailed

LONGEST = 1000  # characters of a message


def driver_failed(message: str) -> DriverFailed:
    """Return the error of a driver's message: the first whose words it contains."""
    error = next(error for error in DriverError if error in message)
    return DriverFailed(error, message[:LONGEST])
