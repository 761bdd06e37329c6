"""tulle count, query and synthesize, end to end: what they print and save, and what they refuse."""
import json
import zipfile

import numpy as np
import pytest

SHAPE = (4, 5, 6)
LISTS = ("--public", "from=from.txt", "--public", "to=to.txt", "--public", "hour=hour.txt")
MODES = ("--columns", "from,to,hour")


@pytest.fixture
def trips(tulle):
    """A log of trips, a row each, the same as a table with their numbers and as an array, and public lists."""
    random = np.random.default_rng(1)
    counts = random.poisson(random.gamma(1, 3, SHAPE))
    lines = [f"f{i},t{j},{k}" for i, j, k in np.ndindex(SHAPE) for _ in range(counts[i, j, k])]
    random.shuffle(lines)
    (tulle.folder / "trips.csv").write_text("from,to,hour\n" + "\n".join(lines) + "\n")
    rows = [f"f{i},t{j},{k},{counts[i, j, k]}" for i, j, k in np.ndindex(SHAPE) if counts[i, j, k]]
    (tulle.folder / "sums.csv").write_text("from,to,hour,n\n" + "\n".join(rows) + "\n")
    np.save(tulle.folder / "trips.npy", counts.astype(np.float32))
    for name, labels in {"from": [f"f{i}" for i in range(4)], "to": [f"t{i}" for i in range(5)], "hour": range(6)}.items():
        (tulle.folder / f"{name}.txt").write_text("".join(f"{label}\n" for label in labels))
    tulle.counts = counts
    return tulle


def count(trips, *args, data=("trips.csv", *MODES, *LISTS), epsilon=1):
    return trips("count", *data, "--epsilon", epsilon, "-o", "model.npz", "--json", *args).json


def cells(trips):
    return np.load(trips.folder / "model.npz")["counts"]


def test_events_are_counted_and_the_guarantee_travels_along(trips):
    report = count(trips, "--seed", 1)
    assert report["method"] == "margins" and report["shape"] == "4x5x6"
    assert abs(report["events"]["mean"] - trips.counts.sum()) < 6 * report["events"]["stddev"]
    guarantee = report["guarantee"]
    assert guarantee["epsilon"] == 1 and guarantee["delta"] == 0
    assert guarantee["unit"] == "event" and guarantee["relation"] == "add-remove"
    assert any("positions of mode from" in fact for fact in guarantee["public"])
    saved = json.loads(bytes(np.load(trips.folder / "model.npz")["tulle.json"]))
    assert saved["kind"] == "counts" and saved["guarantee"]["epsilon"] == 1
    assert [mode["name"] for mode in saved["modes"]] == ["from", "to", "hour"]
    text = trips("info", "model.npz").out
    assert "epsilon 1 (pure) for any one event under add-remove" in text and "rank" not in text


@pytest.mark.parametrize("data", [
    ("trips.csv", *MODES, *LISTS),
    ("sums.csv", *MODES, "--events", "n", *LISTS),
    ("trips.npy",),
])
@pytest.mark.parametrize("method", ["margins", "histogram"])
def test_logs_numbers_of_events_and_arrays_are_the_same(trips, data, method):
    """With hardly any noise they are the counts."""
    count(trips, "--method", method, data=data, epsilon=1000)
    assert np.abs(cells(trips) - trips.counts).max() < 1e-3


def test_a_position_that_is_not_public_does_not_count(trips):
    (trips.folder / "from.txt").write_text("f0\nf2\nnobody\n")
    report = count(trips, "--accept-losses", epsilon=1000)
    assert report["shape"] == "3x5x6"
    assert "positions that are not public" in report["owner_notes"][0]
    assert np.abs(cells(trips)[1] - trips.counts[2]).max() < 1e-3 and cells(trips)[2].max() < 1e-3


def test_which_positions_there_are_is_private(trips):
    out = trips("count", "trips.csv", *MODES, "--epsilon", 1, status=2).err
    assert "the positions of mode from are private" in out and "--public" in out


@pytest.mark.parametrize(("args", "message"), [
    (("trips.csv", *LISTS, "--epsilon", 1), "--columns"),
    (("trips.csv", *MODES, *LISTS), "--epsilon"),
    (("trips.npy", "--columns", "a,b", "--epsilon", 1), "named columns"),
    (("trips.csv", *MODES, *LISTS, "--epsilon", 1, "--relation", "zero-out"), "does not protect unit event under zero-out"),
    (("trips.csv", *MODES, *LISTS, "--epsilon", 1, "--calibration", "published"), "no published form"),
    (("trips.csv", *MODES, *LISTS, "--epsilon", 1, "-o", "model.csv"), ".npz"),
])
def test_wrong_use_is_one_line_that_says_what_to_do(trips, args, message):
    assert message in trips("count", *args, status=2).err


@pytest.mark.parametrize("value", [-1, 0.5])
def test_what_is_no_number_of_events_is_refused(trips, value):
    (trips.folder / "bad.csv").write_text(f"from,to,hour,n\nf0,t0,1,{value}\n")
    assert "no number of events" in trips("count", "bad.csv", *MODES, "--events", "n", *LISTS, "--epsilon", 1, status=1).err


def test_sums_have_intervals(trips):
    count(trips, "--seed", 3)
    report = trips("query", "model.npz", "--sum-over", "hour", "--where", "from=f1,f2", "--where", "to=t0", "--json").json
    assert report["modes"] == ["from", "to"]
    assert [line["positions"] for line in report["sums"]] == [["f1", "t0"], ["f2", "t0"]]
    for line in report["sums"]:
        assert 0 <= line["low"] <= line["count"] <= line["high"]
    trips("query", "model.npz", "--sum-over", "from,to", "-o", "hours.csv")
    lines = (trips.folder / "hours.csv").read_text().splitlines()
    assert lines[0] == "hour,count,stddev,low,high" and len(lines) == 7
    everything = trips("query", "model.npz", "--sum-over", "from,to,hour", "--interval", 0.5, "--json").json["sums"][0]
    assert np.isclose(everything["count"], cells(trips).sum()) and everything["positions"] == []
    assert np.isclose(everything["high"] - everything["count"], 0.6745 * everything["stddev"], rtol=1e-3)


def test_a_range_is_from_one_position_to_another(trips):
    """In the order of the mode; its ends are positions, and left out they are those of the mode."""
    count(trips, epsilon=1000)
    total = lambda *where: trips("query", "model.npz", "--sum-over", "from,to,hour", *(w for each in where for w in ("--where", each)), "--json").json["sums"][0]["count"]
    for where, hours in [("hour=1:3", slice(1, 4)), ("hour=4:", slice(4, 6)), ("hour=:1", slice(0, 2)), ("hour=0,3:4", [0, 3, 4]), ("hour=:", slice(0, 6))]:
        assert abs(total(where) - trips.counts[..., hours].sum()) < 0.01
    assert abs(total("from=f1:f2", "hour=2") - trips.counts[1:3, :, 2].sum()) < 0.01
    lines = trips("query", "model.npz", "--sum-over", "from,to", "--where", "hour=2:4", "--json").json["sums"]
    assert [line["positions"] for line in lines] == [["2"], ["3"], ["4"]]
    for where, message in [("hour=3:1", "comes after"), ("hour=1:9", "not a position"), ("hour=1:3,2", "2 is there twice")]:
        assert message in trips("query", "model.npz", "--where", where, status=2).err


def test_labels_may_have_colons(trips):
    times = [f"0{hour}:30" for hour in range(6)]
    (trips.folder / "times.csv").write_text("from,time\n" + "".join(f"f{i},{time}\n" * int(trips.counts[i, 0, k]) for i in range(4) for k, time in enumerate(times)))
    (trips.folder / "times.txt").write_text("\n".join(times))
    count(trips, data=("times.csv", "--columns", "from,time", "--public", "from=from.txt", "--public", "time=times.txt"), epsilon=1000)
    for where, hours in [("time=02:30", [2]), ("time=02:30:04:30", slice(2, 5)), ("time=:01:30", slice(0, 2))]:
        sums = trips("query", "model.npz", "--sum-over", "from,time", "--where", where, "--json").json["sums"]
        assert abs(sums[0]["count"] - trips.counts[:, 0, hours].sum()) < 0.01


def test_margins_go_out_as_a_table_and_come_back(trips):
    """Noise and all; and the model of the table is that of the file."""
    released = count(trips)["guarantee"]["releases"]
    assert f"{len(released)} noisy margins" in trips("query", "model.npz", "--margins", "margins.csv").out
    head, *lines = (trips.folder / "margins.csv").read_text().splitlines()
    assert head == "from,to,hour,release,count,stddev,noise"
    assert len(lines) == sum(release["coordinates"] for release in released)
    total = lines[0].split(",")
    assert total[:4] == ["", "", "", "1"] and float(total[5]) == released[0]["stddev"] and total[6] == released[0]["noise"]
    report = trips("refit", "margins.csv", "-o", "again.npz", "--json").json
    assert report["remarks"] == [f"Combined {len(released)} noisy margins."] and report["shape"] == "4x5x6"
    assert report["guarantee"]["status"] == "none" and "guarantee that these were released with" in report["guarantee"]["sentence"]
    one, other = (np.load(trips.folder / name) for name in ("model.npz", "again.npz"))
    assert np.array_equal(one["counts"], other["counts"])
    sums = [trips("query", name, "--sum-over", "from,to", "--where", "hour=1:3", "--json").json for name in ("model.npz", "again.npz")]
    assert sums[0] == sums[1]
    assert "none" in trips("info", "again.npz").out


def test_margins_need_releases_and_are_no_sums(trips):
    count(trips, "--seed", 1)
    assert "keeps no releases" in trips("query", "model.npz", "--margins", "margins.csv", status=1).err
    assert "--where is for sums" in trips("query", "model.npz", "--margins", "margins.csv", "--where", "hour=1", status=2).err
    assert "omit --json" in trips("query", "model.npz", "--margins", "margins.csv", "--json", status=2).err
    assert ".csv or .tsv" in trips("query", "model.npz", "--margins", "margins.npy", status=2).err
    assert "release, count, stddev and noise" in trips("refit", "trips.csv", status=1).err


def test_a_query_names_what_there_is(trips):
    count(trips)
    assert "'f9' is not a position of from" in trips("query", "model.npz", "--where", "from=f9", status=2).err
    assert "no such mode" in trips("query", "model.npz", "--sum-over", "day", status=2).err
    assert "between 0 and 1" in trips("query", "model.npz", "--interval", 90, status=2).err


def test_synthetic_events_have_the_estimated_counts(trips):
    count(trips, "--seed", 3)
    trips("synthesize", "model.npz", "-o", "rows.csv", "--seed", 1)
    drawn = trips("count", "rows.csv", *MODES, "--events", "value", *LISTS, "--epsilon", 1000, "-o", "again.npz", "--json").json
    assert abs(drawn["events"]["mean"] - round(cells(trips).sum())) < 0.01
    again = np.load(trips.folder / "again.npz")["counts"]
    assert np.abs(again - cells(trips)).max() < 1 + 1e-3  # each is rounded up or down, but for the share of the rounded total
    trips("synthesize", "model.npz", "-o", "few.tns", "--events", 10)
    assert sum(float(line.split()[-1]) for line in (trips.folder / "few.tns").read_text().splitlines()) == 10


def test_cells_are_predicted_and_scored(trips):
    count(trips, "--seed", 3)
    trips("predict", "model.npz", "--all", "-o", "all.npy")
    assert np.allclose(np.load(trips.folder / "all.npy"), cells(trips))
    report = trips("evaluate", "model.npz", "trips.npy", "--json").json
    assert np.isclose(report["test_rmse"], np.sqrt(((cells(trips) - trips.counts) ** 2).mean()), rtol=1e-5)


def test_a_refit_costs_nothing_and_makes_the_same(trips):
    count(trips)
    before = cells(trips)
    trips("refit", "model.npz", "-o", "again.npz")
    assert np.allclose(np.load(trips.folder / "again.npz")["counts"], before)
    assert "not for counts" in trips("refit", "model.npz", "--rank", 2, status=2).err


def test_a_run_is_charged(trips):
    trips("budget", "create", "trips", "--unit", "event", "--relation", "add-remove")
    trips("budget", "grant", "trips", "--epsilon", 1)
    count(trips, "--account", "trips", epsilon=0.75)
    assert "0.25" in trips("budget", "show", "trips").out
    out = trips("count", "trips.csv", *MODES, *LISTS, "--epsilon", 0.5, "--account", "trips", status=1).err
    assert "trips" in out


@pytest.fixture
def riders(tulle):
    """A log of 30 riders with 20 trips each, of which 10 start at a stop that is on no list."""
    random = np.random.default_rng(2)
    lines = [f"r{rider},{'s9' if trip % 2 else f's{random.integers(3)}'},{random.integers(4)}" for rider in range(30) for trip in range(20)]
    random.shuffle(lines)
    (tulle.folder / "log.csv").write_text("rider,stop,hour\n" + "\n".join(lines) + "\n")
    (tulle.folder / "stops.txt").write_text("s0\ns1\ns2\n")
    (tulle.folder / "hours.txt").write_text("0\n1\n2\n3\n")
    return tulle


LOG = ("log.csv", "--columns", "rider,stop,hour", "--public", "stop=stops.txt", "--public", "hour=hours.txt", "--accept-losses")
RIDERS = (*LOG, "--unit", "user", "--user-mode", "rider")


def test_of_each_user_so_many_rows_count(riders):
    report = count(riders, "--rows-per-user", 20, data=RIDERS, epsilon=10000)
    assert report["shape"] == "3x4" and abs(cells(riders).sum() - 300) < 0.1
    few = count(riders, "--rows-per-user", 4, "--rows-per-cell", 1, data=RIDERS, epsilon=10000)
    assert abs(cells(riders).sum() - 120) < 0.1 and cells(riders).max() < 30.1
    assert few["guarantee"]["unit"] == "user" and few["guarantee"]["mode"] == "rider"
    assert "how many rows of a user count (4 at most, 1 in one cell)" in few["guarantee"]["public"]
    assert any("180 of the rows (60 %) are beyond" in note for note in few["owner_notes"])
    saved = json.loads(bytes(np.load(riders.folder / "model.npz")["tulle.json"]))
    assert [mode["name"] for mode in saved["modes"]] == ["stop", "hour"] and "r7" not in json.dumps(saved)


def test_rows_elsewhere_take_no_place_of_those_that_count(riders):
    """Each rider has 10 rows at listed stops: all of them count, whatever rows there are elsewhere."""
    count(riders, "--rows-per-user", 10, data=RIDERS, epsilon=10000)
    assert abs(cells(riders).sum() - 300) < 0.1


@pytest.mark.parametrize("method", ["margins", "histogram"])
@pytest.mark.parametrize("delta", [0, 1e-6])
def test_the_noise_is_for_all_rows_that_count(riders, method, delta):
    report = count(riders, "--rows-per-user", 9, "--rows-per-cell", 4, "--delta", delta, "--method", method, data=RIDERS)
    assert report["guarantee"]["epsilon"] <= 1 and report["guarantee"]["delta"] == delta
    for release in report["guarantee"]["releases"]:
        # In L2 two cells of 4 and one of 1; fewer modes add up several cells, which may all be those of a user.
        least = 9 if release["sensitivity"]["norm"] == "L1" else np.sqrt(33)
        assert least - 1e-9 <= release["sensitivity"]["value"] <= 9 + 1e-9


@pytest.mark.parametrize("method", ["margins", "histogram", "sparse"])
def test_how_many_rows_count_is_chosen_at_a_cost(riders, method):
    """Each rider has 10 rows at listed stops; 16 is the least power of 2 under which all count."""
    report = count(riders, "--method", method, "--delta", 1e-6, data=RIDERS, epsilon=200)
    guarantee = report["guarantee"]
    assert "that a release with 5 % of epsilon chooses how many rows of a user count: 16" in guarantee["public"]
    assert "16" in guarantee["sentence"] and guarantee["epsilon"] <= 200
    pilot, *tables = guarantee["releases"]
    assert pilot["what"] == "users by their number of rows" and pilot["sensitivity"]["value"] == 1
    assert {table["sensitivity"]["value"] for table in tables} == {16}
    assert any("16 rows count at most, 16 in one cell" in remark for remark in report["remarks"])
    assert abs(report["events"]["mean"] - 300) < 20 and not any("beyond" in note for note in report["owner_notes"])
    saved = json.loads(bytes(np.load(riders.folder / "model.npz")["tulle.json"]))
    assert "of a user count: 16" in saved["guarantee"]["sentence"]
    remarks = riders("refit", "model.npz", "-o", "again.npz", "--json").json["remarks"]
    assert any("16 rows count at most" in remark for remark in remarks)


def test_the_owner_sees_how_many_rows_are_beyond_those_that_were_chosen(riders):
    with open(riders.folder / "log.csv", "a") as log:
        log.write("r3,s1,1\n" * 1000)
    report = count(riders, data=RIDERS, epsilon=50)
    chosen = int(report["guarantee"]["sentence"].split("count: ")[1].split(";")[0])
    beyond = 1010 - chosen + 29 * max(0, 10 - chosen)
    assert chosen < 1000 and any(note.startswith(f"{beyond} of the rows") for note in report["owner_notes"])


def test_a_dry_run_says_that_a_pilot_chooses_how_many_rows_count(riders):
    plan = riders("count", *RIDERS, "--epsilon", 1, "--dry-run").out
    assert "users by their number of rows: 17 values" in plan
    assert "a release with 5 % of epsilon chooses how many rows of a user count" in plan


def test_users_are_told_by_a_column_and_a_limit(riders):
    assert "--user-mode" in riders("count", *LOG, "--unit", "user", "--rows-per-user", 2, "--epsilon", 1, status=2).err
    assert "--unit user" in riders("count", *LOG, "--user-mode", "rider", "--epsilon", 1, status=2).err
    assert "no such mode" in riders("count", *LOG, "--unit", "user", "--user-mode", "who", "--rows-per-user", 2, "--epsilon", 1, status=2).err
    out = riders("count", *RIDERS, "--rows-per-user", 2, "--public", "rider", "--epsilon", 1, status=2).err
    assert "who the users are stays private" in out
    two = ("log.csv", "--columns", "rider,stop", "--public", "stop=stops.txt", "--accept-losses", "--unit", "user", "--user-mode", "rider")
    assert "one is the users" in riders("count", *two, "--rows-per-user", 2, "--epsilon", 1, status=2).err


def test_users_are_charged_to_an_account_of_users(riders):
    riders("budget", "create", "trips", "--unit", "user", "--relation", "add-remove", "--mode", "rider")
    riders("budget", "grant", "trips", "--epsilon", 1)
    count(riders, "--rows-per-user", 2, "--account", "trips", data=RIDERS, epsilon=0.75)
    assert "0.25" in riders("budget", "show", "trips").out
    error = riders("count", *LOG, "--public", "rider", "--epsilon", 0.1, "--account", "trips", status=1).err
    assert "user" in error


KEYS = ("log.csv", "--columns", "rider,stop,hour", "--public", "hour=hours.txt", "--private-keys", "stop")


@pytest.mark.parametrize("unit", [(), ("--unit", "user", "--user-mode", "rider", "--rows-per-user", 5)])
def test_private_keys_are_chosen_at_a_cost(riders, unit):
    """s9 has 300 rows of 30 riders, each other stop about 100; one more has a single row, which shows it with probability delta."""
    with open(riders.folder / "log.csv", "a") as log:
        log.write("r3,a secret stop,1\n")
    data = KEYS if unit else ("log.csv", "--columns", "stop,hour", *KEYS[3:])
    report = count(riders, "--delta", 1e-7, *unit, data=data, epsilon=100)
    guarantee = report["guarantee"]
    assert report["shape"] == "4x4" and guarantee["epsilon"] <= 100 and np.isclose(guarantee["delta"], 1e-7) and guarantee["delta"] <= 1e-7
    assert guarantee["public"][0].startswith("the positions of mode hour") and not any("stop" in fact for fact in guarantee["public"])
    assert guarantee["releases"][0]["what"] == "positions of mode 1" and guarantee["releases"][0]["coordinates"] == 4
    saved = json.loads(bytes(np.load(riders.folder / "model.npz")["tulle.json"]))
    assert saved["modes"][0]["labels"] == ["s0", "s1", "s2", "s9"]
    assert "secret" not in json.dumps(saved) + json.dumps(report)
    assert abs(cells(riders)[3].sum() / cells(riders).sum() - 0.5) < 0.1


def test_the_order_of_shown_keys_says_nothing_of_others(riders):
    shown = "".join(f"{stop},1\n" * 500 for stop in (10, 9))
    for other in ("", "a word,1\n"):
        (riders.folder / "numbers.csv").write_text("stop,hour\n" + other + shown)
        count(riders, "--delta", 1e-6, data=("numbers.csv", "--columns", "stop,hour", "--public", "hour=hours.txt", "--private-keys", "stop"))
        saved = json.loads(bytes(np.load(riders.folder / "model.npz")["tulle.json"]))
        assert saved["modes"][0]["labels"] == ["9", "10"]


def test_a_model_of_private_keys_shows_nothing_of_rows_that_are_not_shown(riders):
    """Whether a log has rows at all, in which order a file lists labels, and how many labels it has."""
    modes = lambda: json.loads(bytes(np.load(riders.folder / "model.npz")["tulle.json"]))["modes"]
    private = ("--public", "hour=hours.txt", "--private-keys", "stop")
    saved = []
    for rows in ("", "A,1\n"):
        (riders.folder / "few.csv").write_text("stop,hour\n" + rows)
        count(riders, "--delta", 1e-6, data=("few.csv", "--columns", "stop,hour", *private))
        saved.append(modes())
    assert saved[0] == saved[1]
    (riders.folder / "numbers.txt").write_text("1\n2\n")
    for rows in ("", "1 1 1\n"):
        (riders.folder / "few.tns").write_text(rows)
        count(riders, "--delta", 1e-6, data=("few.tns", "--public", "1=numbers.txt", "--private-keys", 2))
    for labels in (["b", "a"], ["a", "b"], ["b"]):
        about = {"format": "tulle tensor", "version": 1, "unlisted": "missing",
                 "modes": [{"name": "stop", "labels": labels}, {"name": "hour", "labels": ["0", "1"]}]}
        np.savez(riders.folder / "few.npz", shape=[2, 2], values=np.float32([5000, 5000]), indices=np.uint32([[0, 0], [1, 1]]))
        with zipfile.ZipFile(riders.folder / "few.npz", "a") as file:
            file.writestr("tulle.json", json.dumps(about))
        count(riders, "--delta", 1e-6, data=("few.npz", *private))
        assert modes()[0]["labels"] == (["2", "b"] if len(labels) == 1 else ["a", "b"])


def test_private_keys_need_a_delta_and_no_list(riders):
    assert "--delta" in riders("count", *KEYS, "--epsilon", 1, status=2).err
    assert "not both" in riders("count", "log.csv", "--columns", "stop,hour", *KEYS[3:], "--public", "stop=stops.txt", "--epsilon", 1, "--delta", 1e-4, status=2).err
    assert "no such mode" in riders("count", *KEYS[:-1], "shop", "--epsilon", 1, "--delta", 1e-4, status=2).err
    assert "add-remove" in riders("count", *KEYS, "--public", "rider", "--relation", "replace", "--epsilon", 1, "--delta", 1e-4, status=2).err


def test_no_key_may_be_shown(riders):
    (riders.folder / "few.csv").write_text("stop,hour\na,1\nb,2\n")
    data = ("few.csv", "--columns", "stop,hour", "--public", "hour=hours.txt", "--private-keys", "stop")
    report = count(riders, "--delta", 1e-6, data=data)
    assert report["shape"] == "1x4" and any("one stands for none" in remark for remark in report["remarks"])


def test_positions_that_are_numbers_may_be_private(riders):
    (riders.folder / "numbers.tns").write_text("7 1 500\n3 2 400\n9 1 1\n")
    data = ("numbers.tns", "--shape", "9x4", "--private-keys", 1)
    report = count(riders, "--delta", 1e-6, data=data)
    assert report["shape"] == "2x4"
    lines = riders("query", "model.npz", "--sum-over", 2, "--json").json["sums"]
    assert [line["positions"] for line in lines] == [["3"], ["7"]]
    assert abs(lines[1]["count"] - 500) < 50
    assert "The size 9 of mode mode1 is not used: its positions are chosen privately." in report["remarks"]
    for name in ("rows.tns", "rows.csv"):
        riders("synthesize", "model.npz", "-o", name)
    keys = [line.split()[0] for line in (riders.folder / "rows.tns").read_text().splitlines()]
    assert set(keys) == {"3", "7"}
    assert {line.split(",")[0] for line in (riders.folder / "rows.csv").read_text().splitlines()[1:]} == {"3", "7"}
    (riders.folder / "cells.tns").write_text("7 1\n3 2\n")
    riders("predict", "model.npz", "cells.tns", "-o", "found.tns")
    assert [line.split()[:2] for line in (riders.folder / "found.tns").read_text().splitlines()] == [["7", "1"], ["3", "2"]]


def test_where_all_positions_are_private_the_number_of_modes_is_public(riders):
    """With and without a stop where much is lost."""
    for accept in ((), ("--accept-losses",)):
        report = count(riders, "--delta", 1e-6, *accept, data=("log.csv", "--columns", "stop,hour", "--private-keys", "stop,hour"))
        assert "the number of modes" in report["guarantee"]["public"]


def test_the_report_is_a_page_of_public_facts(trips):
    count(trips, "--report", "page.html")
    page = (trips.folder / "page.html").read_text()
    assert "one event" in page and "Counts of hour" in page


LINKS = ("links.tns", "--shape", "100000x90000x80000")


@pytest.fixture
def links(tulle):
    """Events in 7.2e14 cells: 200 cells have 120 each."""
    random = np.random.default_rng(2)
    tulle.cells = np.unique(random.integers(1, 80001, (200, 3)), axis=0)
    (tulle.folder / "links.tns").write_text("".join(f"{i} {j} {k} 120\n" for i, j, k in tulle.cells))
    return tulle


def test_a_huge_tensor_is_counted_asked_and_drawn_from(links):
    report = count(links, "--method", "sparse", data=LINKS)
    assert report["shape"] == "100000x90000x80000" and report["guarantee"]["epsilon"] == 1
    assert abs(report["events"]["mean"] - 120 * len(links.cells)) < 6 * report["events"]["stddev"]
    i, j, k = links.cells[0]
    where = ("--where", f"1={i}", "--where", f"2={j}", "--where", f"3={k}")
    line = links("query", "model.npz", *where, "--json").json["sums"][0]
    assert abs(line["count"] - 120) < 40 and line["low"] <= line["count"] <= line["high"]
    refused = links("query", "model.npz", status=2).err
    assert "7.2e+14 sums" in refused and "--sum-over" in refused
    links("refit", "model.npz", "-o", "again.npz")
    one, other = (np.load(links.folder / name) for name in ("model.npz", "again.npz"))
    assert np.array_equal(one["places"], other["places"]) and np.array_equal(one["kept"], other["kept"])
    links("synthesize", "model.npz", "-o", "rows.tns", "--events", 5000)
    assert sum(float(line.split()[-1]) for line in (links.folder / "rows.tns").read_text().splitlines()) == 5000
    assert "too many cells for an array" in links("predict", "model.npz", "--all", "-o", "all.npy", status=1).err


def test_a_huge_tensor_is_for_method_sparse(links):
    assert "take method sparse" in links("count", *LINKS, "--epsilon", 1, status=2).err
