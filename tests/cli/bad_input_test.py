"""Bad input gets one line with file, line and reason, and exit status 1."""
import gzip
import struct

import numpy as np
import pytest

GOOD = "1 1 1 0.5\n2 1 1 1.5\n"


@pytest.mark.parametrize("text, where, reason", [
    (GOOD + "1 2 0.5\n", ":3", "column"),
    (GOOD + "1 2 1 nan\n", ":3", "nan"),
    (GOOD + "1 2 1 inf\n", ":3", "inf"),
    (GOOD + "0 2 1 1\n", ":3", "0"),
    (GOOD + "-1 2 1 1\n", ":3", "-1"),
    (GOOD + "99999999999 2 1 1\n", ":3", "99999999999"),
    (GOOD + "1 2 1 1e400\n", ":3", "1e400"),
    (GOOD + "1 2 1 1e39\n", ":3", "1e39"),
    (GOOD + "1 2 one 1\n", ":3", "one"),
    (GOOD + "1 1 1 7\n", ":3", "1"),
    ("", "", "no entries"),
])
def test_tns(tulle, text, where, reason):
    (tulle.folder / "x.tns").write_text(text)
    error = tulle("info", "x.tns", status=1).err
    assert f"x.tns{where}" in error and reason in error.lower() and error.count("\n") == 1


def test_truncated_gzip(tulle):
    (tulle.folder / "x.tns.gz").write_bytes(gzip.compress(GOOD.encode())[:-9])
    error = tulle("info", "x.tns.gz", status=1).err
    assert "x.tns.gz" in error and error.count("\n") == 1


def npy(header):
    padding = " " * ((64 - (10 + len(header) + 1) % 64) % 64)
    text = (header + padding + "\n").encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


@pytest.mark.parametrize("content", [
    npy("{'descr': '<f8', 'fortran_order': False, 'shape': (10, 10), }") + b"\0" * 8,
    npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 700000), }"),
    npy("{'descr': '<f8', 'fortran_order': False, 'shape': (18446744073709551615, 18446744073709551615), }"),
    npy("{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }") + b"\0" * 32,
    npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2"),
    b"\x93NUMPY\x01\x00\xff\xff{",
    b"not numpy",
])
def test_lying_npy_header(tulle, content):
    (tulle.folder / "x.npy").write_bytes(content)
    error = tulle("info", "x.npy", status=1).err
    assert "x.npy" in error and error.count("\n") == 1


def test_nan_in_npy_is_an_error_or_missing_when_asked(tulle):
    values = np.arange(6.0).reshape(2, 3)
    values[1, 2] = np.nan
    np.save(tulle.folder / "x.npy", values)
    assert "nan" in tulle("info", "x.npy", status=1).err.lower()
    assert tulle("info", "x.npy", "--nan-missing", "--json").json["listed_cells"] == 5


def test_a_model_file_that_is_not_one(tulle):
    np.savez(tulle.folder / "x.npz", a=np.eye(2))
    error = tulle("predict", "x.npz", "--all", status=1).err
    assert "x.npz" in error and error.count("\n") == 1


def test_unknown_ending_lists_the_formats(tulle):
    (tulle.folder / "x.doc").write_text(GOOD)
    error = tulle("info", "x.doc", status=1).err
    assert "tns" in error and "npy" in error
