"""Public lists as people have them, and what happens where they do not fit the data."""
import os
import threading

import pytest

COUNT = ("count", "trips.csv", "--columns", "from,to", "--public", "to", "--epsilon", 1, "--json")


@pytest.fixture
def trips(tulle):
    rows = [f'"Amsterdam, NL",t{k % 3}' if k % 2 else f"Paris,t{k % 3}" for k in range(60)]
    (tulle.folder / "trips.csv").write_text("from,to\n" + "\n".join(rows) + "\n")
    return tulle


@pytest.mark.parametrize("name, text", [
    ("list.txt", "Amsterdam, NL\nParis\n"),
    ("list.txt", '"Amsterdam, NL"\nParis\n'),
    ("list.txt", 'from\n"Amsterdam, NL"\nParis\n'),
    ("list.csv", '"Amsterdam, NL"\nParis\n'),
    ("list.csv", ',from\n0,"Amsterdam, NL"\n1,Paris\n'),
    ("list.csv:city", 'id,city\n0,"Amsterdam, NL"\n1,Paris\n'),
])
def test_lists_are_read_as_programs_write_them(trips, name, text):
    (trips.folder / name.split(":")[0]).write_text(text)
    report = trips(*COUNT, "--public", f"from={name}").json
    assert report["shape"] == "2x3" and report["owner_notes"] == []


def test_a_list_that_does_not_fit_stops_the_run_and_names_labels_and_lines(trips):
    (trips.folder / "list.txt").write_text("PARIS\nLondon\n")
    error = trips(*COUNT, "--public", "from=list.txt", "-o", "model.npz", status=1).err
    assert "6 of the cells with events (100 %) lie at positions that are not public" in error
    assert "'Paris' of mode from (trips.csv:2)" in error and "'Amsterdam, NL' of mode from (trips.csv:3)" in error
    assert error.count("\n") == 1 and "for the data owner" in error and not (trips.folder / "model.npz").exists()
    accepted = trips(*COUNT, "--public", "from=list.txt", "--accept-losses")
    assert "'Paris' of mode from (trips.csv:2)" in accepted.err and accepted.json["shape"] == "2x3"
    assert not any("Paris" in note for note in accepted.json["owner_notes"]), "examples are said, and not kept"


def test_labels_reach_the_terminal_without_control_characters(trips):
    (trips.folder / "trips.csv").write_text("from,to\n" + "\x1b[31mred,t1\nParis,t1\n" * 20)
    (trips.folder / "list.txt").write_text("Paris\n")
    error = trips(*COUNT, "--public", "from=list.txt", status=1).err
    assert "\x1b" not in error and "'?[31mred'" in error


def test_words_outside_of_a_vocabulary_stop_the_run(tulle):
    (tulle.folder / "letters.txt").write_text("sun rain\nsnow sun hail\n" * 30)
    (tulle.folder / "words.txt").write_text("storm\nice\n")
    run = ("topics", "letters.txt", "--vocabulary", "words.txt", "--topics", 1, "--epsilon", 1)
    error = tulle(*run, status=1).err
    assert "'sun' (letters.txt:1) and 'rain' (letters.txt:1)" in error and "--accept-losses" in error
    (tulle.folder / "words.txt").write_text("sun\nrain\n")
    assert "40 %" in tulle(*run).err, "most vocabularies leave words out on purpose"


@pytest.fixture
def piped(tulle):
    """Feeds a text to the file `name`, a pipe, which is gone as soon as it was opened if `gone`."""

    def feed(name, text, gone):
        pipe = tulle.folder / name
        os.mkfifo(pipe)

        def write():
            with open(pipe, "w") as opened:
                if gone:
                    pipe.unlink()
                opened.write(text)

        threading.Thread(target=write, daemon=True).start()

    (tulle.folder / "list.txt").write_text("a\nb\n")
    return tulle, feed


@pytest.mark.parametrize("gone", [False, True], ids=["once", "gone"])
@pytest.mark.parametrize("label", ["a", "elsewhere"])
@pytest.mark.parametrize("run", [
    ("count", "data.csv", "--columns", "at,hour", "--public", "at=list.txt", "--public", "hour=list.txt"),
    ("complete", "data.csv", "--columns", "at,hour,n", "--range", "0:1", "--relation", "add-remove", "--public", "at=list.txt", "--public", "hour=list.txt", "--rank", 1),
    ("topics", "data.csv", "--vocabulary", "list.txt", "--topics", 1),
], ids=lambda run: run[0])
def test_data_are_opened_once_whatever_lists_take_of_them(piped, run, label, gone):
    """Whether a run ends must not depend on how many of its rows are at public positions."""
    tulle, feed = piped
    feed("data.csv", "at,hour,n\n" + f"{label},b,1\n" * 1 + f"{label},a,1\n", gone)
    out = tulle(*run, "--epsilon", 1, "--accept-losses", "-o", "model.npz")
    assert ("(data.csv:2)" in out.err) == (label == "elsewhere" and run[0] != "topics") and (tulle.folder / "model.npz").exists()


def test_a_pipe_belongs_to_no_account(piped):
    """The ledger cannot compare its bytes: they are read once."""
    tulle, feed = piped
    (tulle.folder / "kept.csv").write_text("at,hour\n")
    tulle("budget", "create", "kept", "--unit", "event", "--relation", "add-remove", "--data", "kept.csv")
    feed("data.csv", "at,hour\na,b\n", False)
    assert tulle("count", "data.csv", "--columns", "at,hour", "--public", "at=list.txt", "--public", "hour=list.txt", "--epsilon", 1, "--json").json["shape"] == "2x2"
    assert "a pipe cannot be read again" in tulle("budget", "create", "other", "--data", "data.csv", status=2).err


def test_what_is_dropped_of_a_test_file_is_found_there(tulle):
    rows = "".join(f"u{k % 4},f{k // 4},1\n" for k in range(12))
    (tulle.folder / "train.csv").write_text("user,film,n\n" + rows)
    (tulle.folder / "test.csv").write_text("user,film,n\nu1,f0,1\nu0,f9,1\nu1,f9,1\n")
    (tulle.folder / "films.txt").write_text("f0\nf1\nf2\n")
    error = tulle("complete", "train.csv", "--test", "test.csv", "--range", "0:1", "--relation", "add-remove", "--public", "user", "--public", "film=films.txt",
                  "--epsilon", 1, status=1).err
    assert "For example 'f9' of mode film (test.csv:3)." in error


def test_bins_are_found_by_the_name_of_their_column(tulle):
    (tulle.folder / "log.csv").write_text("user,at\n" + "".join(f"u{k % 3},2026-11-{1 + k % 28:02}T10:00:00\n" for k in range(60)))
    run = ("count", "log.csv", "--columns", "user,at/week", "--public", "user", "--epsilon", 1)
    report = tulle(*run, "--public", "at", "--json").json
    assert report["shape"] == "3x5"
    (tulle.folder / "weeks.txt").write_text("".join(f"2026-W{week}\n" for week in range(44, 49)))
    assert tulle(*run, "--public", "at=weeks.txt", "--json").json["shape"] == "3x5"
    error = tulle(*run, "--public", "when", status=2).err
    assert "there are user, at/week" in error
