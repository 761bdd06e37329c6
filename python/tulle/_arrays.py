"""Numbers of any kind of array, as the extension reads them."""
from __future__ import annotations

from numbers import Rational
from typing import Any

import numpy as np

from . import _core

_FLOATS = (np.float32, np.float64)
_LARGEST = float(np.finfo(np.float64).max)


def not_numbers(name: str) -> _core.Error:
    """Says nothing of the values, which are private."""
    return _core.Error(f"{name}: holds something other than numbers; give numbers, with NaN for what is missing")


def _array(data: Any, name: str) -> np.ndarray:
    if isinstance(data, np.ndarray):
        return data
    if hasattr(data, "__dlpack__"):
        try:
            return np.from_dlpack(data)
        except (BufferError, RuntimeError, TypeError) as error:
            raise _core.Error(f"{name}: cannot be read by DLPack: {error}") from None
    try:
        return np.asarray(data)
    except ValueError:
        raise _core.Error(f"{name}: has rows of different lengths; fill them up with NaN for what is missing") from None


def _within_float64(value: Any) -> Any:
    """An integer or a ratio that is too large becomes the largest number: finite values are clamped, and infinite ones refused."""
    return max(-_LARGEST, min(_LARGEST, value)) if isinstance(value, Rational) else value


def numbers(data: Any, name: str = "X") -> np.ndarray:
    """A C-contiguous array of float32 or float64: the same memory if it is one already. NaN is missing, and so is what is masked."""
    array = _array(data, name)
    if array.dtype.kind == "c":
        raise _core.Error(f"{name}: Complex data not supported; give real numbers")
    if array.dtype.kind in "mM":
        raise _core.Error(f"{name}: holds dates or times; give numbers, such as seconds")
    if array.dtype not in _FLOATS:
        try:
            try:
                array = array.astype(np.float64)
            except OverflowError:
                array = np.asanyarray(np.frompyfunc(_within_float64, 1, 1)(array)).astype(np.float64)
        except (TypeError, ValueError):
            raise not_numbers(name) from None
    if isinstance(array, np.ma.MaskedArray):
        array = array.filled(np.nan)
    if array.ndim == 0:
        raise _core.Error(f"{name}: one number; give an array")
    return np.ascontiguousarray(array)


def positions(array: Any) -> np.ndarray:
    """Whole numbers in a type that the extension reads."""
    array = np.asarray(array)
    return np.ascontiguousarray(array if array.dtype in (np.int32, np.int64) else array.astype(np.int64))
