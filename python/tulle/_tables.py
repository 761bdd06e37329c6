"""DataFrames and Arrow tables: a column per mode, and one of values."""
from __future__ import annotations

import datetime
import decimal
import re
from typing import Any, TypeGuard

import numpy as np

from . import _core
from ._arrays import not_numbers, numbers, positions

_MOST_DIGITS = 400  # of a decimal that is written out
_LARGEST_BIN = 2.0**53  # above it, neighbouring bins have the same number
_EQUAL_IN_TEXT = ("string", "integer", "floating", "mixed-integer-float")  # objects of which those that are equal have one text
_UTC = "+00:00"
_NOT_IN_UTF8 = re.compile(r"[\ud800-\udfff]|\\ud[89a-f][0-9a-f]{2}")  # or what `ascii` writes for it


def package_of(data: Any) -> str:
    """The package that a table, or a class that it is derived from, comes from."""
    packages = (cls.__module__.partition(".")[0] for cls in type(data).__mro__)
    return next((package for package in packages if package in ("pandas", "polars", "pyarrow")), "")


def _clock(time: np.datetime64) -> str:
    """Its time of day. A fraction of a second has six digits, or nine, as datetime and pandas write it."""
    seconds, _, fraction = str(time.astype(np.promote_types(time.dtype, "M8[s]"))).partition("T")[2].partition(".")
    digits = fraction.rstrip("0")
    return f"{seconds}.{digits:0<{6 if len(digits) <= 6 else 9}}" if digits else seconds


def _time_text(time: np.datetime64, zone: str = "") -> str:
    day, clock = str(time.astype("M8[D]")), _clock(time)
    return f"{day} {clock}{zone}" if clock.strip("0:") or zone else day


def _duration_text(label: datetime.timedelta | np.timedelta64) -> str:
    """As pandas writes it: 1 days 10:30:00."""
    if isinstance(label, np.timedelta64):
        day = np.timedelta64(1, "D")
        days, clock = int(label // day), label % day
    else:  # days apart, since NumPy has not all that Python has
        days, rest = label.days, label - datetime.timedelta(label.days)
        clock = rest.to_timedelta64() if hasattr(rest, "to_timedelta64") else np.timedelta64(rest)
    return f"{days} days {'+' if days < 0 else ''}{_clock(np.datetime64(0, 'D') + clock)}"


def _numpy_time(label: datetime.datetime) -> tuple[np.datetime64, str]:
    """The same time as NumPy has it, which has every year, and its zone: that of UTC, or none."""
    if hasattr(label, "to_datetime64"):  # of pandas, whose nanoseconds a datetime has not
        return label.to_datetime64(), _UTC if label.tzinfo else ""
    try:
        offset = label.utcoffset()
    except Exception:  # noqa: BLE001 (a label must not decide whether a fit ends, nor may the zone that it comes with)
        offset = None
    local = np.datetime64(label.replace(tzinfo=None))
    return (local, "") if offset is None else (local - np.timedelta64(offset), _UTC)


def _in_common_type(label: Any) -> Any:
    """The same label in a type that all packages share: whole numbers, fractions, dates without a time, times of UTC."""
    if isinstance(label, decimal.Decimal) and label.is_finite() and abs(label.adjusted()) < _MOST_DIGITS:
        if label == label.to_integral_value():
            return int(label)
        # All digits: what computes with a Decimal rounds it to the precision of the current context.
        return float(label) if decimal.Decimal(repr(float(label))) == label else f"{label:f}".rstrip("0")
    if isinstance(label, decimal.Decimal) and label.is_finite():
        sign, digits, exponent = label.as_tuple()
        kept = "".join(map(str, digits)).rstrip("0")  # 10E+399 is 1E+400
        return f"{'-' * sign}{kept}E{int(exponent) + len(digits) - len(kept):+}"
    if isinstance(label, np.longdouble) and label != float(label):
        return str(label)
    if isinstance(label, (float, complex, np.inexact)) and not label.imag:
        number = float(label.real)
        return int(number) if number.is_integer() else number
    if isinstance(label, datetime.datetime):
        return _time_text(*_numpy_time(label))
    if isinstance(label, np.datetime64):
        return _time_text(label)
    if isinstance(label, datetime.timedelta) or isinstance(label, np.timedelta64) and not np.isnat(label):
        return _duration_text(label)
    return label


def label_text(label: Any) -> str:
    """What a label is called, which follows from it alone: a single row of a column turns all its whole numbers into fractions.
    A user whom one table has as 1 and another as Decimal("1.0"), or by a date of another package, is the same."""
    try:
        label = _in_common_type(label)
    except (ArithmeticError, TypeError, ValueError):  # of a duration in years, which has no days: it is named as it is
        pass
    try:
        text = str.__str__(label) if isinstance(label, str) else str(label)
    except ValueError:  # of an integer of thousands of digits
        text = hex(label)
    if text.isascii() and "\\" not in text:  # as nearly all are
        return text
    return ascii(text) if _NOT_IN_UTF8.search(text) else text


def _times_of(column: Any) -> tuple[np.ndarray, str] | None:
    """Of a column of times or durations, what NumPy has for them: Python's own have no nanoseconds, and no year above 9999."""
    package = package_of(column) if hasattr(column, "dtype") or hasattr(column, "type") else ""
    if package == "polars":
        return (column.to_numpy(), _UTC if getattr(column.dtype, "time_zone", None) else "") if column.dtype.is_temporal() else None
    if package == "pandas":
        import pandas

        if hasattr(column.dtype, "pyarrow_dtype"):
            return _times_of(column.array.__arrow_array__())
        if getattr(column.dtype, "tz", None):
            return pandas.DatetimeIndex(column).tz_convert(None).to_numpy(), _UTC
        return (np.asarray(column), "") if column.dtype.kind in "mM" else None
    if package == "pyarrow":
        from pyarrow import types

        if types.is_timestamp(column.type) or types.is_date(column.type) or types.is_duration(column.type):
            return column.to_numpy(zero_copy_only=False), _UTC if getattr(column.type, "tz", None) else ""
    return None


def _clocks_of(column: Any) -> np.ndarray | None:
    """Of a column of times of day, with nanoseconds, since midnight."""
    package = package_of(column) if hasattr(column, "dtype") or hasattr(column, "type") else ""
    if package == "polars" and str(column.dtype) == "Time":
        return column.to_physical().to_numpy().astype("m8[ns]")
    if package == "pandas" and hasattr(column.dtype, "pyarrow_dtype"):
        return _clocks_of(column.array.__arrow_array__())
    if package == "pyarrow":
        from pyarrow import types

        if types.is_time(column.type):
            whole = column.cast("int32" if types.is_time32(column.type) else "int64")
            return whole.to_numpy(zero_copy_only=False).astype(f"m8[{column.type.unit}]")
    return None


def label_texts(labels: Any) -> list[str]:
    """What the labels of a list or of a column are called."""
    clocks = _clocks_of(labels)
    if clocks is not None:
        return [label_text(clock) if np.isnat(clock) else _clock(np.datetime64(0, "D") + clock) for clock in clocks]
    found = _times_of(labels)
    if found:
        times, zone = found
        return [_time_text(time, zone) if times.dtype.kind == "M" else label_text(time) for time in times]
    return [label_text(label) for label in (labels.to_pylist() if package_of(labels) == "pyarrow" else labels)]


def coded(column: Any) -> tuple[np.ndarray, list[str]]:
    """Of labels in an array or a list, the place of each in a list of them all; -1 of what is missing."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "biufSU":
        labels, places = np.unique(column, return_inverse=True)
        missing = np.isnan(column) if column.dtype.kind == "f" else False
        return positions(np.where(missing, -1, places.ravel())), label_texts(labels)
    found: dict[str, int] = {}
    codes = [-1 if is_missing(label) else found.setdefault(label_text(label), len(found)) for label in column]
    return np.array(codes, dtype=np.int64), list(found)


def column_numbers(column: Any, name: str) -> np.ndarray:
    """Values of a column of any package, or of an array."""
    if package_of(column) == "pandas" and column.dtype.kind not in "cmM":
        try:
            column = column.to_numpy(dtype=None if column.dtype.kind == "f" else np.float64, na_value=np.nan)
        except OverflowError:  # of an integer, which `numbers` makes smaller
            column = column.to_numpy(dtype=object, na_value=np.nan)
        except (TypeError, ValueError):
            raise not_numbers(name) from None
    return numbers(column.to_numpy() if hasattr(column, "to_numpy") else column, name)


def is_missing(value: Any) -> bool:
    """None, NaN, or what pandas has in their place, which is not to be compared."""
    is_nan = isinstance(value, (float, np.floating)) and np.isnan(value)
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


def is_table(data: Any) -> bool:
    return any(hasattr(type(data), name) for name in ("columns", "column_names"))


Choice = str | int  # a column, by its name or by its place from 0


def is_place(choice: Any) -> TypeGuard[int]:
    return isinstance(choice, (int, np.integer)) and not isinstance(choice, bool)


def chosen_columns(columns: Any) -> list[Choice]:
    if columns is None:
        return []
    if isinstance(columns, str):
        return list(columns.split(","))
    return [column if is_place(column) else str(column) for column in columns]


def column_at(names: list[str], choice: Choice, where: str) -> str:
    """The name that is chosen, or that is at the place."""
    if not is_place(choice):
        return str(choice)
    if not 0 <= choice < len(names):
        raise _core.UsageError(f"{where}: there is no column {choice}; columns count from 0 to {len(names) - 1}: {', '.join(names)}")
    return names[choice]


def binned(choice: str) -> tuple[str, float] | None:
    """Of ``time/3600``, the column and the width of its bins."""
    found = re.fullmatch(r"(.*)/([0-9.eE+-]+)", choice)
    try:
        width = float(found[2]) if found else 0.0
    except ValueError:
        return None
    return (found[1], width) if found and 0 < width < np.inf else None


class Table:
    """The columns of a DataFrame of pandas or polars, or of a table of Arrow."""

    def __init__(self, table: Any, name: str):
        self.kind = package_of(table)
        if not self.kind:
            raise _core.Error(f"{name}: a table of {type(table).__module__.partition('.')[0]}; "
                              "give one of pandas, polars or Arrow, or an array")
        if hasattr(table, "collect"):  # of polars, lazy
            table = table.collect()
        self.table, self.name = table, name
        self.labels = list(table.column_names if self.kind == "pyarrow" else table.columns)
        self.names = [str(column) for column in self.labels]

    def chosen(self, choice: Choice) -> str:
        """An integer is the name of a column of pandas that has it, otherwise its place."""
        return str(choice) if choice in self.labels else column_at(self.names, choice, self.name)

    def _place(self, name: str) -> int:
        if self.names.count(name) > 1:
            raise _core.UsageError(f"{self.name}: there are several columns '{name}'; rename them")
        if name in self.names:
            return self.names.index(name)
        if name.isdigit() and 1 <= int(name) <= len(self.names):
            return int(name) - 1
        raise _core.UsageError(f"{self.name}: there is no column '{name}'; there is {', '.join(self.names)}")

    def _column(self, name: str) -> Any:
        place = self._place(name)
        if self.kind == "pandas":
            return self.table.iloc[:, place]
        return self.table.to_series(place) if self.kind == "polars" else self.table.column(place)

    def values(self, name: str) -> np.ndarray:
        return column_numbers(self._column(name), f"{self.name} column {name}")

    def holds_fractions(self, name: str) -> bool:
        """Whether its type is that of numbers with a fraction, and not all are whole: NaN is not."""
        column = self._column(name)
        kind = str(column.type if self.kind == "pyarrow" else column.dtype).lower()
        if not kind.startswith(("float", "double", "halffloat")):
            return False
        found = self.values(name)
        return not bool((found == np.floor(found)).all())

    def _codes(self, name: str) -> tuple[np.ndarray, list[str]]:
        column = self._column(name)
        if self.kind == "pandas":
            import pandas

            # pandas takes 1 and True for the same, and cannot compare lists: such objects are told apart by their texts.
            if column.dtype == object and pandas.api.types.infer_dtype(column) not in _EQUAL_IN_TEXT:
                codes, texts = pandas.factorize(column.map(label_text, na_action="ignore"))
                return positions(codes), list(texts)
            codes, labels = pandas.factorize(column)
            return positions(codes), label_texts(labels)
        if self.kind == "polars":
            labels = column.unique(maintain_order=True).drop_nulls()
            codes = column.replace_strict(labels, np.arange(len(labels)), default=-1) if len(labels) else np.full(len(column), -1)
            return positions(codes), label_texts(labels)
        whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column  # of a batch: in one piece
        encoded = whole.dictionary_encode()
        return positions(encoded.indices.fill_null(-1).to_numpy()), label_texts(encoded.dictionary)

    def mode(self, choice: str) -> tuple[str, np.ndarray, list[str]]:
        """A column of positions: a name, or ``time/3600`` for bins of a numeric one."""
        bins = binned(choice)
        if not bins or choice in self.names:
            return (choice, *self._codes(choice))
        numbered = np.floor(self.values(bins[0]).astype(np.float64) / bins[1])
        if not (np.abs(numbered) <= _LARGEST_BIN).all():
            raise _core.Error(f"{self.name} column {bins[0]} cannot be divided into bins; it must hold numbers")
        labels, codes = np.unique(numbered.astype(np.int64), return_inverse=True)
        return choice, positions(codes.ravel()), [str(label) for label in labels]

    def has(self, choice: str) -> bool:
        """Whether there is a column of this name, or one that it divides into bins."""
        bins = binned(choice)
        return choice in self.names or (bins is not None and bins[0] in self.names)


def read_parquet(path: str, columns: list[Choice]) -> Any:
    """The columns that are chosen by their names, or all of them."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise _core.Error(f"{path}: needs pyarrow; pip install tulle[parquet]") from None
    try:
        stored = parquet.read_schema(path).names
        names = [column_at(stored, choice, path) for choice in columns]
        sources = [name if name in stored else (binned(name) or (name, 1))[0] for name in names if name != "-"]
        return parquet.read_table(path, columns=sources if sources and set(sources) <= set(stored) else None)
    except FileNotFoundError:
        raise _core.Error(f"{path}: No such file or directory") from None
    except (OSError, pyarrow.ArrowException) as error:
        raise _core.Error(f"{path}: {str(error).splitlines()[0]}") from None
