"""Every example that the help, the man page, the README and the other pages show is run."""
import gzip
import os
import pathlib
import re
import shutil
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).parents[2]
COMMAND = pathlib.Path(os.environ["TULLE_COMMAND"])
PAGES = ["README.md", *(str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs").rglob("*.md")) if "```" in page.read_text())]
VIOLATED = 3  # what an audit of a published form ends with


def shell(line, folder, statuses=(0,)):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TULLE_")}
    environment["PATH"] = f"{COMMAND.parent}:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", line], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode in statuses, f"{line}\nexit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def verbs(folder, *above):
    """Every verb, and every verb of a verb, with its help."""
    page = shell(f"tulle {' '.join(above)} --help", folder)
    yield above, page
    for name in re.findall(r"^  (\w+)", page.partition("\nSubcommands:\n")[2].partition("Example:")[0], re.MULTILINE):
        yield from verbs(folder, *above, name)


def examples_in(page):
    return [line.strip() for line in page.partition("Example:\n")[2].splitlines() if line.strip()]


def write_idx(path, array):
    sizes = b"".join(size.to_bytes(4, "big") for size in array.shape)
    path.write_bytes(gzip.compress(bytes([0, 0, 8, array.ndim]) + sizes + array.astype(np.uint8).tobytes()))


def blocks(text, language):
    """Fenced blocks of these languages."""
    return [body for tag, body in re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL) if tag in language]


@pytest.fixture
def folder(tmp_path):
    """Files of the names that examples use."""
    random = np.random.default_rng(1)
    users, films = ["ann", "bob", *(f"user{i}" for i in range(40))], ["Alien", "Brazil", "Cube", "Dune"]
    lines = [f"{user},{film},{random.integers(1, 6)}" for user in users for film in films if random.random() < 0.8 or film == "Alien"]
    header = "user,film,rating\n"
    (tmp_path / "ratings.csv").write_text(header + "\n".join(lines) + "\n")
    (tmp_path / "test.csv").write_text(header + "\n".join(lines[:50]) + "\n")
    (tmp_path / "new.csv").write_text(header + "eve,Alien,5\neve,Cube,1\n")
    (tmp_path / "wanted.csv").write_text("user,film\nann,Dune\nbob,Cube\n")
    (tmp_path / "ratings.tns").write_text("1 1 1 0.5\n2 1 1 1.5\n")
    subprocess.run(["gzip", "-k", "ratings.tns"], cwd=tmp_path, check=True)
    np.save(tmp_path / "words.npy", random.integers(1, 301, (2000, 4)))
    vocabulary = "goal team match vote party law rain sun wind".split()
    (tmp_path / "vocabulary.txt").write_text("\n".join(vocabulary) + "\n")
    (tmp_path / "letters.txt").write_text("\n".join(" ".join(random.choice(vocabulary[3 * t:3 * t + 3], 6)) for t in random.integers(3, size=900)) + "\n")
    for name in ("ua.base", "ua.test"):
        rows = {(u, f): (random.integers(1, 6), 604800 * random.integers(8)) for u, f in random.integers(1, 20, (150, 2))}
        (tmp_path / name).write_text("".join(f"{u}\t{f}\t{value}\t{time}\n" for (u, f), (value, time) in rows.items()))
    np.save(tmp_path / "suzie.npy", random.random((12, 10, 6)))
    for name in ("train", "t10k"):
        write_idx(tmp_path / f"{name}-images-idx3-ubyte.gz", random.integers(256, size=(100, 8, 8)))
        write_idx(tmp_path / f"{name}-labels-idx1-ubyte.gz", random.integers(10, size=100))
    np.savetxt(tmp_path / "digits.csv", np.column_stack([random.integers(17, size=(100, 64)), random.integers(10, size=100)]), fmt="%d", delimiter=",")
    (tmp_path / "study.toml").write_text(
        'entities = ["user", "film"]\nrank = 2\n[[relations]]\nname = "ratings"\nfile = "ratings.csv"\n'
        'entities = ["user", "film"]\nunlisted = "zero"\n')
    (tmp_path / "films.txt").write_text("\n".join(films) + "\n")
    (tmp_path / "shops.toml").write_text(
        'entities = ["user", "film"]\nprivate = ["user"]\n[positions]\nfilm = "films.txt"\n[[relations]]\nname = "ratings"\n'
        'entities = ["user", "film"]\ncolumns = ["user", "film", "rating"]\n[split]\nfile = "ratings.csv"\n')
    (tmp_path / "private.toml").write_text(
        'entities = ["user", "film"]\nprivate = ["user"]\n[positions]\nfilm = "films.txt"\n[[relations]]\nname = "ratings"\n'
        'entities = ["user", "film"]\ncolumns = ["user", "film", "rating"]\nfile = "ratings.csv"\n')
    stations = [str(station) for station in range(10, 16)]
    (tmp_path / "trips.csv").write_text("from,to,hour\n" + "".join(
        f"{random.choice(stations)},{random.choice(stations)},{random.integers(24)}\n" for _ in range(500)))
    (tmp_path / "log.csv").write_text("rider,from,to,hour\n" + "".join(
        f"r{rider},{random.choice(stations)},{random.choice(stations)},{random.integers(24)}\n" for rider in range(40) for _ in range(12)))
    (tmp_path / "visits.csv").write_text("shop,hour\n" + "".join(f"shop{random.integers(3)},{random.integers(24)}\n" for _ in range(900)))
    (tmp_path / "stations.txt").write_text("\n".join(stations) + "\n")
    (tmp_path / "hours.txt").write_text("".join(f"{hour}\n" for hour in range(24)))
    (tmp_path / "cells.csv").write_text("from,to,hour\n12,13,8\n")
    (tmp_path / "links.tns").write_text("".join(f"{1 + i % 40} {1 + i % 7} {1 + i % 500} 60\n" for i in range(200)))
    shell("tulle count trips.csv --columns from,to,hour --public from=stations.txt --public to=stations.txt --public hour=hours.txt --epsilon 1 -o trips.npz",
          tmp_path)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    shell("tulle complete ratings.csv --columns user,film,rating --method plain --rank 1 --biases -o model.npz", tmp_path)
    return tmp_path


def run_example(line, folder):
    if line.startswith("tulle reproduce"):
        line += " --seeds 1"
    shell(line, folder, (0, VIOLATED) if "--calibration published" in line else (0,))


def test_every_example_of_the_help_runs_and_is_in_the_man_page(folder):
    page = shell("tulle man", folder).replace("\\-", "-").replace("\\e", "\\")
    for above, help_page in verbs(folder):
        if not above:
            continue
        examples = examples_in(help_page)
        assert examples, above
        for line in examples:
            assert line in page
            if above != ("budget",):  # its examples are those of the verbs below it
                run_example(line, folder)


@pytest.mark.parametrize("name", PAGES)
def test_every_example_of_a_page_runs(folder, name):
    text = (ROOT / name).read_text()
    for block in blocks(text, ("toml",)):
        (folder / "curve.toml").write_text(block)
    for block in blocks(text, ("", "sh")):
        for line in block.splitlines():
            if re.match(r"(tulle|jq) ", line):
                run_example(line, folder)
    if name in ("docs/json.md", "docs/model-file.md"):
        for block in blocks(text, ("python",)):
            done = subprocess.run(["/usr/bin/python3", "-c", block], cwd=folder, capture_output=True, text=True)
            assert done.returncode == 0, f"{block}\n{done.stderr}"


def test_the_man_page_names_every_option(folder):
    page = shell("tulle man", folder)
    entries = re.findall(r"^\.TP\n(.*)$", page, re.MULTILINE)
    assert len(entries) > 150 and not [entry for entry in entries if entry.startswith("\\fB\\fR")]
    plain = page.replace("\\-", "-")
    for above, help_page in verbs(folder):
        for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", help_page, re.MULTILINE):
            if above and option != "--version":
                assert option in plain
    if shutil.which("man"):
        assert "warning" not in subprocess.run(["man", "--warnings", "-l", "-"], input=page, capture_output=True, text=True).stderr
