"""tulle complete --device: a fit on a GPU, or one line that says why there is none."""
import os
import pathlib
import subprocess

import numpy as np
import pytest

PLAIN = ("complete", "train.tns", "--method", "plain", "--rank", 2, "--ridge", 0.5, "--seed", 1)


def has_gpu(sample):
    return sample(*PLAIN, "--iterations", 1, "--device", "cuda", status=None).status == 0


def test_a_device_that_is_not_there_is_one_line_before_any_fit(sample):
    run = sample(*PLAIN, "--device", "cuda:99", "-o", "model.npz", status=1)
    assert "GPU" in run.err and run.err.count("\n") == 1
    assert not (sample.folder / "model.npz").exists()


def test_a_command_that_the_shell_looked_up_finds_the_kernels(sample):
    """Beside it, wherever the shell stands: where they are built, the driver is what is missing."""
    command = pathlib.Path(sample.command[0])
    if not (command.parent / "libtulle_cuda.so").exists():
        pytest.skip("no compiler for kernels")
    done = subprocess.run(["tulle", *map(str, PLAIN), "--device", "cuda:99"], cwd=sample.folder, capture_output=True, text=True,
                          env={**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}"})
    assert done.returncode == 1 and "libtulle_cuda.so" not in done.stderr, done.stderr


@pytest.mark.parametrize("name", ["gpu", "cuda:", "cuda:x", "cuda:-1"])
def test_an_unknown_device_names_the_known(sample, name):
    assert f"device {name} is unknown; it is one of: cpu, cuda, cuda:N" in sample(*PLAIN, "--device", name, status=2).err


def test_the_cpu_is_the_default(sample):
    for file, device in (("default.npz", ()), ("cpu.npz", ("--device", "cpu"))):
        sample(*PLAIN, *device, "-o", file)
    with np.load(sample.folder / "default.npz") as default, np.load(sample.folder / "cpu.npz") as cpu:
        assert all(np.array_equal(default[name], cpu[name]) for name in default.files if name.startswith("factor"))


def test_private_methods_compute_on_the_cpu(sample):
    run = sample("complete", "train.tns", "--epsilon", 1, "--range", "0:1", "--method", "gradient", "--device", "cuda", status=2)
    assert "method gradient computes on the CPU: a GPU runs fits without privacy so far; omit --device" in run.err


def test_a_gpu_fits_what_the_cpu_fits(sample):
    if not has_gpu(sample):
        pytest.skip("no GPU")
    errors = [sample(*PLAIN, "--test", "test.tns", "--device", device, "--json").json["test_rmse"] for device in ("cpu", "cuda")]
    assert errors[0] == pytest.approx(errors[1], rel=1e-9)
