# SPDX-License-Identifier: Apache-2.0
"""Exceptions. The extension module makes them from a status and a message."""
from ._enums import Status


class Error(Exception):
    """Base of all exceptions of Heft.

    >>> try:
    ...     heft.load("nowhere.xml")
    ... except heft.FileError as error:
    ...     print(type(error).__name__)
    FileError
    """

    status: Status = Status.OK
    message: str = ""
    file: str = ""  #: file of the input, "" if there is none
    line: int = 0  #: line of the input, from 1; 0 if there is none
    column: int = 0  #: column of the input, from 1; 0 if there is none

    def __init__(self, *args: object) -> None:
        super().__init__(*args)

    def __str__(self) -> str:
        if not self.message:
            return ", ".join(str(a) for a in self.args)
        place = self.file
        if self.line and not place:
            place = f"line {self.line}, column {self.column}"
        elif self.line:
            place += f":{self.line}:{self.column}" if self.column else f":{self.line}"
        return f"{place}: {self.message}" if place else self.message


class ArgumentError(Error, ValueError):
    """An argument is outside of its documented range.

    >>> try:
    ...     heft.World(heft.load("examples/gripper.xml"), time_step=-1.0)
    ... except heft.ArgumentError as error:
    ...     print(type(error).__name__)
    ArgumentError
    """


class UnknownName(Error, KeyError):
    """A name is unknown; the message suggests a similar one, or lists those that exist.

    >>> try:
    ...     heft.load("examples/gripper.xml").find("body", "plam")
    ... except heft.UnknownName as error:
    ...     print(type(error).__name__)
    UnknownName
    """


class OutOfMemory(Error, MemoryError):
    """Memory could not be had.

    >>> issubclass(heft.OutOfMemory, MemoryError)
    True
    """


class LoadError(Error, ValueError):
    """A model cannot be loaded: see file, line and column.

    >>> try:
    ...     heft.loads("<mujoco><worldbody><geom size='-1'/></worldbody></mujoco>")
    ... except heft.LoadError as error:
    ...     print(type(error).__name__)
    LoadError
    """


class FileError(LoadError, OSError):
    """A file could not be opened, read or written.

    >>> try:
    ...     heft.load("nowhere.xml")
    ... except heft.FileError as error:
    ...     print(type(error).__name__)
    FileError
    """


class DataError(Error, ValueError):
    """Bytes are damaged, or were written by another version or for another world.

    >>> issubclass(heft.DataError, ValueError)
    True
    """


class SingularError(Error, ArithmeticError):
    """A matrix is singular or not positive definite.

    >>> issubclass(heft.SingularError, ArithmeticError)
    True
    """


class AccuracyError(Error, ArithmeticError):
    """A result does not meet the tolerance.

    >>> issubclass(heft.AccuracyError, ArithmeticError)
    True
    """


class Stopped(Error):
    """A step or rollout was stopped by stop().

    >>> issubclass(heft.Stopped, heft.Error)
    True
    """


class ClosedError(Error, RuntimeError):
    """The object was closed.

    >>> world = heft.World(heft.load("examples/gripper.xml"))
    >>> world.close()
    >>> try:
    ...     world.step()
    ... except heft.ClosedError as error:
    ...     print(type(error).__name__)
    ClosedError
    """


class LoadWarning(UserWarning):
    """A file holds something that the model cannot hold.

    >>> import warnings
    >>> warnings.simplefilter("ignore", heft.LoadWarning)
    """

    def __init__(self, *args: object) -> None:
        super().__init__(*args)


_CLASSES: dict[Status, type[Error]] = {
    Status.ERR_MEMORY: OutOfMemory,
    Status.ERR_FILE: FileError,
    Status.ERR_NAME: UnknownName,
    Status.ERR_SYNTAX: DataError,
    Status.ERR_VERSION: DataError,
    Status.ERR_CHECKSUM: DataError,
    Status.ERR_SINGULAR: SingularError,
    Status.ERR_ACCURACY: AccuracyError,
    Status.ERR_STOPPED: Stopped,
}


def _fill(error: Error, status: int, message: str, file: str, line: int, column: int) -> Error:
    error.status, error.message, error.file = Status(status), message, file
    error.line, error.column = line, column
    return error


def make_error(status: int, message: str, file: str, line: int, column: int) -> Error:
    """The exception of a status."""
    kind = _CLASSES.get(Status(status), ArgumentError)
    return _fill(kind(message), status, message, file, line, column)


def make_load_error(status: int, message: str, file: str, line: int, column: int) -> Error:
    """The exception of a load that failed."""
    kinds: dict[Status, type[Error]] = {Status.ERR_MEMORY: OutOfMemory, Status.ERR_FILE: FileError}
    kind = kinds.get(Status(status), LoadError)
    return _fill(kind(message), status, message, file, line, column)


__all__ = [
    "Error", "ArgumentError", "UnknownName", "OutOfMemory", "LoadError", "FileError", "DataError",
    "SingularError", "AccuracyError", "Stopped", "ClosedError", "LoadWarning",
]
