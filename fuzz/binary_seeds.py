#!/usr/bin/env python3
"""Writes seeds for the fuzz targets of binary formats: binary_seeds.py FOLDER makes FOLDER/npy, npz, mat and model."""
import io
import pathlib
import shutil
import struct
import sys

import numpy
import scipy.io
import scipy.sparse

MEMBERS = """tulle.json indices values shape format data row col indptr tensor weights factor1 factor2 factor3 core u s v
bias1 bias2 bias3 bias_global x y weights1 weights2 sample1_weights1""".split()  # the order of members.hpp


def npy(array):
    file = io.BytesIO()
    numpy.save(file, numpy.asarray(array))
    return file.getvalue()


def members(**arrays):
    parts = []
    for name, value in arrays.items():
        data = value.encode() if name == "json" else npy(value)
        number = 0 if name == "json" else MEMBERS.index(name)
        parts.append(struct.pack("<BH", number, len(data)) + data)
    return b"".join(parts)


def described(format, order, **extra):
    modes = ",".join('{"name":"m%d","labels":["a","b"]}' % mode for mode in range(order))
    text = ",".join(f'"{key}":{value}' for key, value in extra.items())
    return '{"format":"tulle %s","version":1,%s,"modes":[%s]}' % (format, text, modes)


def seeds():
    small = numpy.arange(8.0).reshape(2, 2, 2)
    for descr in ["|b1", "|u1", "<u2", ">u4", "<u8", "|i1", ">i2", "<i4", "<i8", "<f2", ">f4", "<f8"]:
        yield "npy", small.astype(descr)
        yield "npy", numpy.asfortranarray(small.astype(descr))
    yield "npy", numpy.array([[1, numpy.nan], [numpy.inf, 2]])

    matrix = scipy.sparse.random(4, 3, 0.5, format="coo", random_state=1)
    csr = matrix.tocsr()
    yield "npz", members(tensor=small)
    yield "npz", members(shape=[4, 3], data=matrix.data, row=matrix.row, col=matrix.col, format=b"coo")
    yield "npz", members(shape=[4, 3], data=csr.data, indices=csr.indices, indptr=csr.indptr, format=b"csr")
    listed = dict(shape=[2, 2, 2], indices=numpy.array([[0, 0, 1], [1, 1, 0]], "u4"), values=numpy.array([1, 2], "f4"))
    yield "npz", members(**listed)
    yield "npz", members(json=described("tensor", 3, unlisted='"zero"'), **listed)
    file = io.BytesIO()
    numpy.savez_compressed(file, tensor=small)
    yield "npz", file.getvalue()

    for compressed in [False, True]:
        for value in [small, matrix.tocsc(), small.astype("i2"), "text", 1j, {"a": 1}]:
            file = io.BytesIO()
            scipy.io.savemat(file, {"x": value, "rank": 3}, do_compression=compressed)
            yield "mat", file.getvalue()
    file = io.BytesIO()
    scipy.io.savemat(file, {"subs": [[1.0, 1, 2]], "vals": [[5.0]], "shape": [[2.0, 2, 2]]})
    yield "mat", file.getvalue()

    factors = dict(factor1=numpy.ones((2, 2)), factor2=numpy.ones((2, 2)), factor3=numpy.ones((2, 2)))
    biases = dict(bias_global=1.0, bias1=numpy.ones(2), bias2=numpy.ones(2), bias3=numpy.ones(2))
    cube = numpy.ones((2, 2, 2))
    for kind, arrays in {
        "cp": dict(weights=numpy.ones(2), **factors, **biases),
        "tucker": dict(core=cube, **factors),
        "tubal": dict(u=cube, s=numpy.ones((2, 2)), v=cube),
    }.items():
        json = described("model", 3, kind=f'"{kind}"', method='"als"', shape="[2,2,2]", guarantee="null")
        yield "model", members(json=json, **arrays)
    json = described("network", 0, method='"plain"', layers="1", samples="0", activation='"tanh"', range="[0,1]", image_features="[0,0]",
                     classes='["a","b"]', guarantee="null")
    yield "model", members(json=json, weights1=numpy.ones((2, 2), "f4"), bias1=numpy.ones(2, "f4"))
    json = described("coupled model", 0, inference='"vb"', samples="0", axes='[{"letter":"a","entity":"x","size":2}]',
                     factors='[{"name":"u","axes":[0]}]', relations='[{"name":"r","axes":[0],"factors":[0],"dispersion":1}]',
                     entities='[{"name":"x"}]')
    yield "model", members(json=json, u=numpy.ones(2))


def main(folder):
    for number, (target, seed) in enumerate(seeds()):
        path = pathlib.Path(folder) / target / f"seed{number}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(seed if isinstance(seed, bytes) else npy(seed))
    fixture = pathlib.Path(__file__).parent.parent / "tests/io/binary/data/matio73.mat"
    shutil.copy(fixture, pathlib.Path(folder) / "mat")


if __name__ == "__main__":
    main(sys.argv[1])
