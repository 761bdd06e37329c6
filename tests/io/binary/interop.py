"""The other side of interop_test.cpp: `make` writes files with NumPy and SciPy, `check` reads those that Tulle wrote."""
import itertools
import json
import pathlib
import sys

import numpy
import scipy.io
import scipy.sparse

CUBE = numpy.arange(2 * 3 * 4).reshape(2, 3, 4)
MATRIX = scipy.sparse.coo_matrix(([1.5, 2.5, 3.5], ([0, 2, 1], [3, 0, 2])), shape=(3, 4))
DTYPES = ["?", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"]


def make(folder):
    for dtype, order, endian in itertools.product(DTYPES, "CF", "<>"):
        array = numpy.array(CUBE.astype(dtype), order=order)
        array = array.astype(array.dtype.newbyteorder(endian), order=order)
        numpy.save(folder / f"{'bool' if dtype == '?' else dtype}-{order}-{'le' if endian == '<' else 'be'}.npy", array)
    for version in [(1, 0), (2, 0), (3, 0)]:
        with open(folder / f"version{version[0]}.npy", "wb") as file:
            numpy.lib.format.write_array(file, CUBE.astype(float), version=version)
    numpy.savez(folder / "stored.npz", a=CUBE, b=-CUBE)
    numpy.savez_compressed(folder / "deflated.npz", a=CUBE)
    for form in ["coo", "csr", "csc"]:
        scipy.sparse.save_npz(folder / f"scipy-{form}.npz", MATRIX.asformat(form))
    numpy.save(folder / "objects.npy", numpy.array([[{}], [1]], dtype=object), allow_pickle=True)
    for compressed in [False, True]:
        name = "deflated" if compressed else "stored"
        variables = {"cube": CUBE.astype(float), "small": CUBE.astype("i2"), "matrix": MATRIX, "text": "hello", "z": 1j}
        scipy.io.savemat(folder / f"{name}.mat", variables, do_compression=compressed)
    scipy.io.savemat(folder / "old.mat", {"x": numpy.ones((20, 20))}, format="4")


def check(folder):
    cube = CUBE.astype(float)
    assert numpy.array_equal(numpy.load(folder / "cube.npy"), cube)
    assert scipy.io.loadmat(folder / "cube.mat")["tensor"].tolist() == cube.tolist()

    with numpy.load(folder / "cube.npz") as file:
        assert sorted(file) == ["tensor", "tulle.json"]
        assert numpy.array_equal(file["tensor"], cube)

    matrix = scipy.io.loadmat(folder / "matrix.mat")["tensor"]
    assert scipy.sparse.issparse(matrix) and matrix.shape == (3, 4)
    assert numpy.array_equal(matrix.toarray(), MATRIX.toarray())
    with numpy.load(folder / "matrix.npz") as file:
        back = scipy.sparse.coo_matrix((file["values"], tuple(file["indices"].T)), shape=tuple(file["shape"]))
        assert numpy.array_equal(back.toarray(), MATRIX.toarray())
        assert file["indices"].dtype == numpy.uint32 and file["values"].dtype == numpy.float32
        assert json.loads(file["tulle.json"])["modes"][0] == {"name": "user", "labels": ["a", "b", "ü"]}

    listed = scipy.io.loadmat(folder / "listed.mat")
    assert listed["subs"].tolist() == [[1, 3, 4], [2, 1, 2]]
    assert listed["vals"].tolist() == [[5], [6]] and listed["shape"].tolist() == [[2, 3, 4]]

    with numpy.load(folder / "model.npz") as file:
        assert sorted(file) == ["bias1", "bias2", "bias_global", "factor1", "factor2", "tulle.json", "weights"]
        tensor = numpy.einsum("r,ir,jr->ij", file["weights"], file["factor1"], file["factor2"])
        tensor += file["bias_global"] + file["bias1"][:, None] + file["bias2"]
        assert tensor.tolist() == [[7, 11], [10, 16]]
        about = json.loads(file["tulle.json"])
        assert about["kind"] == "cp" and about["shape"] == [2, 2] and about["guarantee"] is None


if __name__ == "__main__":
    {"make": make, "check": check}[sys.argv[1]](pathlib.Path(sys.argv[2]))
