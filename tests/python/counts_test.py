"""tulle.Counts: events of tables and arrays, sums of their counts, synthetic events."""
import pickle

import numpy as np
import pytest
import tulle

SHAPE = (3, 4, 5)
COUNTS = np.random.default_rng(1).poisson(4, SHAPE).astype(np.float32)


def log():
    pandas = pytest.importorskip("pandas")
    rows = [(f"f{i}", f"t{j}", k) for i, j, k in np.ndindex(SHAPE) for _ in range(int(COUNTS[i, j, k]))]
    return pandas.DataFrame(rows, columns=["from", "to", "hour"])


PUBLIC = {"from": ["f0", "f1", "f2"], "to": ["t0", "t1", "t2", "t3"], "hour": range(5)}


def test_an_array_of_numbers_is_counted():
    model = tulle.Counts(epsilon=1000).fit(COUNTS)
    assert np.abs(model.counts_ - COUNTS).max() < 1e-3
    assert model.guarantee_["unit"] == "event" and "seconds" in model.owner_


def test_a_table_with_a_row_per_event_is_the_same():
    model = tulle.Counts(epsilon=1000, columns=["from", "to", "hour"], public=PUBLIC).fit(log())
    assert np.abs(model.counts_ - COUNTS).max() < 1e-3
    assert model.labels_[0] == ["f0", "f1", "f2"] and model.mode_names_ == ["from", "to", "hour"]


def test_without_columns_every_column_of_a_table_is_counted_by(tmp_path):
    """The last one too, which is no number of events; a table, and a file of it."""
    log().to_parquet(tmp_path / "log.parquet")
    for given in (log(), tmp_path / "log.parquet"):
        model = tulle.Counts(epsilon=1000, public=PUBLIC).fit(given)
        assert model.mode_names_ == ["from", "to", "hour"] and np.abs(model.counts_ - COUNTS).max() < 1e-3


def test_rows_may_be_several_events():
    sums = log().value_counts().rename("n").reset_index()
    assert tulle.Counts(epsilon=1000, events="n", public=PUBLIC).fit(sums[["n", "from", "to", "hour"]]).mode_names_ == ["from", "to", "hour"]
    model = tulle.Counts(epsilon=1000, columns=["from", "to", "hour"], events="n", public=PUBLIC).fit(sums)
    assert np.abs(model.counts_ - COUNTS).max() < 1e-3


def test_of_each_user_so_many_rows_count():
    pandas = pytest.importorskip("pandas")
    rows = pandas.DataFrame([(f"r{rider}", f"f{trip % 3}", trip % 5) for rider in range(20) for trip in range(15)], columns=["rider", "from", "hour"])
    public = {name: PUBLIC[name] for name in ("from", "hour")}
    who = dict(epsilon=10000, columns=["rider", "from", "hour"], public=public, unit="user", user_mode="rider")
    assert np.abs(tulle.Counts(**who, rows_per_user=15).fit(rows).counts_ - 20).max() < 0.1
    model = tulle.Counts(**who, rows_per_user=6).fit(rows)
    assert abs(model.counts_.sum() - 120) < 0.1 and model.mode_names_ == ["from", "hour"]
    assert model.guarantee_["unit"] == "user" and model.guarantee_["mode"] == "rider"
    model = tulle.Counts(**who).fit(rows)  # 15 rows: a pilot chooses 16
    assert np.abs(model.counts_ - 20).max() < 0.1 and any("16 rows count at most" in remark for remark in model.remarks_)
    assert model.guarantee_["releases"][0]["what"] == "users by their number of rows"
    array = np.ones((20, 3, 4), np.float32)
    model = tulle.Counts(epsilon=10000, unit="user", user_mode=0, rows_per_user=12).fit(array)
    assert np.abs(model.counts_ - 20).max() < 0.1 and model.guarantee_["mode"] == "axis 0"


def test_a_huge_tensor_has_sums_and_cells_but_no_array(tmp_path):
    (tmp_path / "links.tns").write_text("".join(f"{i} {2 * i} {3 * i} 200\n" for i in range(1, 101)))
    model = tulle.Counts(epsilon=1, method="sparse", shape=(100000, 90000, 80000)).fit(tmp_path / "links.tns")
    assert not hasattr(model, "counts_")
    assert abs(model.query(sum_over=[0, 1, 2])["count"][0] - 20000) < 2000
    assert np.abs(model.predict(np.array([[4, 9, 14], [5, 5, 5]])) - [200, 0]).max() < 40
    assert {len(drawn) for drawn in model.sample(100, seed=1).values()} == {100}


def test_private_keys_are_chosen_at_a_cost():
    model = tulle.Counts(epsilon=100, delta=1e-4, columns=["from", "to", "hour"], private_keys="from", public={name: PUBLIC[name] for name in ("to", "hour")})
    model.fit(log())
    assert model.labels_[0] == ["f0", "f1", "f2"] and np.abs(model.counts_ - COUNTS).max() < 5
    array = np.zeros((4, 3, 2), np.float32)
    array[1], array[3] = 200, 300
    model = tulle.Counts(epsilon=10, delta=1e-6, private_keys=0).fit(array)
    assert model.counts_.shape == (2, 3, 2)
    with pytest.raises(tulle.UsageError, match="delta"):
        tulle.Counts(epsilon=1, private_keys=0).fit(array)


def test_no_key_of_an_array_may_be_shown(tmp_path):
    array = np.zeros((50, 3), np.float32)
    array[4, 0] = 3
    model = tulle.Counts(epsilon=1, delta=1e-6, private_keys=[0]).fit(array)
    model.save(tmp_path / "model.npz")
    for same in (model, tulle.load(tmp_path / "model.npz"), pickle.loads(pickle.dumps(model))):
        assert same.counts_.shape == (1, 3) and same.labels_[0] == ["none"]
        assert same.query(sum_over=1)["axis 0"] == ["none"]
        assert same.predict([("none", 1)]).shape == (1,)
        with pytest.raises(tulle.Error, match="'4'"):
            same.predict([(4, 0)])


def test_which_positions_there_are_is_private():
    with pytest.raises(tulle.UsageError, match="positions of mode from are private"):
        tulle.Counts(epsilon=1, columns=["from", "to", "hour"]).fit(log())


def test_sums_have_intervals():
    model = tulle.Counts(epsilon=1000, columns=["from", "to", "hour"], public=PUBLIC).fit(log())
    sums = model.query(sum_over="hour", where={"from": ["f0", "f2"], "to": "t1"})
    assert sums["from"] == ["f0", "f2"] and sums["to"] == ["t1", "t1"]
    assert np.allclose(sums["count"], COUNTS[[0, 2], 1].sum(-1), atol=1e-3)
    array = tulle.Counts(epsilon=1).fit(COUNTS)
    sums = array.query(sum_over=[0, 1], where={2: 3})
    assert sums["axis 2"] == [3] and sums["low"][0] <= sums["count"][0] <= sums["high"][0]


def test_sums_may_be_over_ranges():
    model = tulle.Counts(epsilon=1000, columns=["from", "to", "hour"], public=PUBLIC).fit(log())
    total = lambda model, **where: model.query(sum_over=model.mode_names_, where=where)["count"][0]
    assert np.isclose(total(model, to=slice("t1", "t2")), COUNTS[:, 1:3].sum(), atol=1e-2)
    assert np.isclose(total(model, hour=slice(3, None)), COUNTS[:, :, 3:].sum(), atol=1e-2)
    array = tulle.Counts(epsilon=1000).fit(COUNTS)
    for part in (slice(1, 4), slice(None, 2), slice(2, None), slice(None)):
        assert np.isclose(array.query(sum_over=[0, 1, 2], where={2: part})["count"][0], COUNTS[:, :, part].sum(), atol=1e-2)
    with pytest.raises(tulle.UsageError, match="step"):
        array.query(where={2: slice(0, 4, 2)})


def test_margins_go_out_and_come_back(tmp_path):
    model = tulle.Counts(epsilon=1, delta=1e-6).fit(COUNTS)
    model.save_margins(tmp_path / "margins.csv")
    assert (tmp_path / "margins.csv").read_text().splitlines()[0].endswith(",release,count,stddev,noise")
    again = tulle.Counts.from_margins(tmp_path / "margins.csv")
    assert np.array_equal(again.counts_, model.counts_) and again.guarantee_["status"] == "none"
    assert np.array_equal(tulle.refit(tmp_path / "margins.csv").counts_, model.counts_)


def test_synthetic_events_are_rows():
    model = tulle.Counts(epsilon=1000, columns=["from", "to", "hour"], public=PUBLIC).fit(log())
    rows = model.sample(seed=1)
    assert len(rows["from"]) == COUNTS.sum() and set(rows["from"]) <= {"f0", "f1", "f2"}
    assert len(model.sample(7)["hour"]) == 7


def test_a_model_comes_back_from_its_file(tmp_path):
    model = tulle.Counts(epsilon=1).fit(COUNTS)
    model.save(tmp_path / "counts.npz")
    again = tulle.load(tmp_path / "counts.npz")
    assert np.array_equal(again.counts_, model.counts_)
    assert np.allclose(again.predict([(0, 1, 2)]), model.counts_[0, 1, 2])
    assert np.allclose(tulle.refit(model).counts_, model.counts_)
