"""Tables: which columns are read, and what is refused of them without a word on a value."""
import datetime
import decimal
import enum

import numpy as np
import pytest
import tulle
from tulle._tables import Table, label_text, label_texts

pandas = pytest.importorskip("pandas")

REMOVAL = dict(method="input", epsilon=1, range=(0, 5), rank=1, relation="add-remove", seed=1, threads=1)


def fitted(data, **keywords):
    return tulle.CP(**{"rank": 1, "method": "plain", "seed": 1, "threads": 1, **keywords}).fit(data)


def test_a_class_derived_from_a_dataframe_is_one(table):
    class Mine(pandas.DataFrame):
        pass

    numbered = table.assign(user=table.user.str[1:].astype(int), film=table.film.str[1:].astype(int))
    assert fitted(Mine(numbered)).report_["shape"] == fitted(numbered).report_["shape"]


def test_tables_of_other_packages_are_not_taken_for_arrays():
    class Frame:
        columns = ["user", "film", "rating"]

        def __array__(self, *arguments, **keywords):
            return np.ones((4, 3))

    with pytest.raises(tulle.Error, match="X: a table of .*; give one of pandas, polars or Arrow, or an array"):
        fitted(Frame())


def test_lazy_frames_and_batches(table):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    columns = {name: table[name].to_list() for name in table.columns}
    for same in (polars.DataFrame(columns).lazy(), pyarrow.RecordBatch.from_pydict(columns)):
        assert fitted(same).labels_ == fitted(table).labels_


def test_parquet_columns_are_chosen_binned_or_missed(table, tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "x.parquet"
    table.assign(time=np.arange(len(table)) * 60.0).to_parquet(path)
    assert fitted(path, columns="user,time/3600,rating", duplicates="mean").mode_names_ == ["user", "time/3600"]
    assert fitted(path, columns="1,2,3").report_["shape"] == fitted(table).report_["shape"]
    with pytest.raises(tulle.UsageError, match="X: there is no column 'stars'; there is user, film, rating, time"):
        fitted(path, columns="user,film,stars")
    with pytest.raises(tulle.Error, match="none.parquet: No such file or directory"):
        fitted(tmp_path / "none.parquet")
    (tmp_path / "bad.parquet").write_text("no")
    with pytest.raises(tulle.Error, match="bad.parquet: "):
        fitted(tmp_path / "bad.parquet")


def test_a_test_table_is_read_by_the_names_of_the_columns(table):
    model = tulle.CP(rank=1, method="plain", seed=1, threads=1)
    numbered = table.assign(user=table.user.str[1:], film=table.film.str[1:])  # labels that are of both modes
    scores = [model.fit(numbered, test=numbered[names]).report_["test_rmse"]
              for names in (["user", "film", "rating"], ["rating", "film", "user"])]
    assert scores[0] == scores[1]
    with pytest.raises(tulle.UsageError, match="test: there is no column 'film'"):
        model.fit(table, test=table.rename(columns={"film": "movie"}))


@pytest.mark.parametrize("column, message", [
    (["secret"] * 3, "holds something other than numbers"),
    (pandas.Categorical(["secret"] * 3), "holds something other than numbers"),
    ([["secret"]] * 3, "holds something other than numbers"),
    (pandas.to_datetime(["2020-01-01"] * 3), "holds dates or times; give numbers, such as seconds"),
    (pandas.to_timedelta([1, 2, 3], unit="h"), "holds dates or times"),
    ([1j, 2, 3], "Complex data not supported"),
])
def test_values_that_are_no_numbers_are_refused_and_not_repeated(column, message):
    wrong = pandas.DataFrame({"user": ["a", "b", "c"], "film": ["f", "g", "h"], "rating": column})
    with pytest.raises(tulle.Error, match=f"X column rating: {message}") as caught:
        fitted(wrong)
    assert "secret" not in str(caught.value) and "2020" not in str(caught.value)


def test_columns_that_leave_a_doubt_are_refused(table):
    twice = pandas.concat([table, table[["rating"]]], axis=1)
    for data, columns, message in [
        (twice, None, "X: column 'rating' is chosen twice"), (twice, "user,film,rating", "X: there are several columns 'rating'"),
        (table, "user,user,rating", "X: column 'user' is chosen twice"), (table[["rating"]], None, "X: give columns of positions"),
        (pandas.DataFrame(), None, "X: give columns of positions"), (table, "user,film/0,rating", "X: there is no column 'film/0'"),
        (table, "user,film/e,rating", "X: there is no column 'film/e'"),
    ]:
        with pytest.raises(tulle.Error, match=message):
            fitted(data, columns=columns)


def test_bins_that_have_no_numbers_are_refused(table):
    for time, width in ((np.arange(len(table)) * 60.0, "1e-18"), (np.full(len(table), np.nan), "60"),
                        (pandas.date_range("2020-01-01", periods=len(table)), "60")):
        with pytest.raises(tulle.Error, match="X column time"):
            fitted(table.assign(time=time), columns=f"user,time/{width},rating")


def test_an_empty_label_is_refused_as_in_a_file(table, tmp_path):
    table.loc[0, "user"] = ""
    table.to_csv(tmp_path / "x.csv", index=False)
    for data in (table, tmp_path / "x.csv"):
        with pytest.raises(tulle.Error, match="is empty; every cell needs a position in each mode"):
            fitted(data)


class Colour(str, enum.Enum):
    RED = "red"


def texts(column):
    """What each row of a column is called."""
    _, codes, labels = Table(pandas.DataFrame({"id": column}), "X").mode("id")
    return [labels[code] if code >= 0 else None for code in codes]


WHOLE = list(range(12, 0, -1))
ODD = [1.5, float("nan"), None, True, 1.0, "1", "x", "\ud800", 1j, 1 + 0j, 2**70, 10**5000, decimal.Decimal("1.0"), np.float32(0.1),
       (1, 2), [1], b"1", Colour.RED, pandas.Timestamp("2020-01-01"), datetime.date(2020, 1, 1)]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
@pytest.mark.parametrize("column", [WHOLE, [each + 0.5 for each in WHOLE], [True, False] * 6, ["red", "1", "1.0"] * 4,
                                    [1, 1.0, True, "1", None, 2.5] * 2, pandas.date_range("2020-01-01", periods=12)])
def test_a_row_does_not_rename_the_labels_of_others(column, odd):
    """pandas makes fractions of all whole numbers where a label is missing or a fraction, and takes 1, 1.0 and True for the same."""
    before = pandas.Series(column)
    row = pandas.Series([odd], dtype=object if odd == "\ud800" else None)
    for more in (pandas.concat([row, before]), pandas.concat([row.astype(object), before.astype(object)])):
        assert texts(more)[1:] == texts(before)


def test_labels_of_random_columns_follow_from_their_own_cells():
    random = np.random.default_rng(4)
    pool = [1, 1.0, True, "1", "1.0", 2, 2.5, "2.5", 0, False, -0.0, "x", None, float("nan"), 2**53 - 1, decimal.Decimal("2.50"), 1e300,
            (1, 2), datetime.datetime(2020, 1, 1), datetime.date(2020, 1, 1)]
    for _ in range(500):
        few = random.choice(len(pool), size=random.integers(1, 5), replace=False)
        column = [pool[place] for place in random.choice(few, size=random.integers(2, 9))]
        left_out = random.integers(len(column))
        without = column[:left_out] + column[left_out + 1:]
        found = texts(pandas.Series(column))
        assert texts(pandas.Series(without)) == found[:left_out] + found[left_out + 1:], column


def test_labels_of_polars_and_arrow_are_those_of_pandas():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    for column in ([2, 1, 2], [2.0, 1.0, 2.5], [2.0, None, 1e17], [True, None, False], ["1.0", "1", None]):
        expected = texts(pandas.Series(column))
        for table in (polars.DataFrame({"id": column}), pyarrow.table({"id": column})):
            _, codes, labels = Table(table, "X").mode("id")
            assert [labels[code] if code >= 0 else None for code in codes] == expected


DAY, HOUR = datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 1, 10, 30)
EAST = datetime.timezone(datetime.timedelta(hours=2))


@pytest.mark.parametrize("labels, expected", [
    ([1, 1.0, decimal.Decimal(1), decimal.Decimal("1.00"), np.float32(1), np.int8(1)], "1"),
    ([2.5, decimal.Decimal("2.50"), np.float64(2.5)], "2.5"),
    ([1e-7, decimal.Decimal("0.0000001")], "1e-07"),
    ([1e20, decimal.Decimal("1E+20")], "1" + 20 * "0"),
    ([decimal.Decimal("1E+400"), decimal.Decimal("10E+399"), decimal.Decimal("1.00E+400")], "1E+400"),
    ([decimal.Decimal("-25E-500"), decimal.Decimal("-2.50E-499")], "-25E-500"),
    ([DAY, DAY.date(), pandas.Timestamp(DAY), "2020-01-01"], "2020-01-01"),
    ([HOUR, pandas.Timestamp(HOUR)], "2020-01-01 10:30:00"),
    ([DAY, np.datetime64("2020-01-01"), np.datetime64("2020-01-01", "ns"), np.datetime64("2020-01")], "2020-01-01"),
    ([HOUR, np.datetime64(HOUR), np.datetime64("2020-01-01T10:30"), np.datetime64(HOUR, "ns")], "2020-01-01 10:30:00"),
    ([HOUR.replace(microsecond=500000), np.datetime64("2020-01-01T10:30:00.5")], "2020-01-01 10:30:00.500000"),
    ([datetime.timedelta(hours=25), pandas.Timedelta("25h"), np.timedelta64(25, "h"), np.timedelta64(25 * 3600, "s")], "1 days 01:00:00"),
    ([datetime.timedelta(seconds=-1), pandas.Timedelta(seconds=-1), np.timedelta64(-1, "s")], "-1 days +23:59:59"),
    ([datetime.timedelta.max], "999999999 days 23:59:59.999999"),
    ([HOUR.replace(tzinfo=EAST), pandas.Timestamp(HOUR, tz=EAST), HOUR.replace(hour=8, tzinfo=datetime.timezone.utc)], "2020-01-01 08:30:00+00:00"),
], ids=["whole", "fraction", "small", "large", "huge", "tiny", "date", "time", "day of NumPy", "time of NumPy", "half a second", "duration", "negative", "longest",
        "zone"])
def test_a_label_has_one_name_whatever_its_type(labels, expected):
    """A user whom two tables name by different types would count as two."""
    assert {label_text(label) for label in labels} == {expected}


def test_dates_and_decimals_of_polars_and_arrow_are_those_of_pandas():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    for column in ([DAY.date()] * 2, [DAY, HOUR], [decimal.Decimal("1.00"), decimal.Decimal("2.50")]):
        expected = texts(pandas.Series(column))
        assert texts(pandas.Series(column, dtype=object)) == expected
        for table in (polars.DataFrame({"id": column}), pyarrow.table({"id": column})):
            _, codes, labels = Table(table, "X").mode("id")
            assert [labels[code] for code in codes] == expected


CLOSE = ["1.00000000000000000000000000001", "1.00000000000000000000000000002",
         "12345678901234567890123456789.12345678901", "12345678901234567890123456789.12345678902"]


@pytest.mark.parametrize("digits", [28, 4])
def test_decimals_keep_all_their_digits_in_any_context(digits):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    close = [decimal.Decimal(text) for text in CLOSE]
    tables = [pandas.DataFrame({"id": close}), polars.DataFrame({"id": close[:2]}), pyarrow.table({"id": close[:2]})]
    with decimal.localcontext() as context:
        context.prec = digits
        context.traps[decimal.Inexact] = context.traps[decimal.FloatOperation] = True
        named = [Table(table, "X").mode("id")[2] for table in tables]
    assert named == [CLOSE, CLOSE[:2], CLOSE[:2]]


def test_times_of_day_that_differ_by_a_nanosecond_are_two():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    nanoseconds = pyarrow.array([0, 1, 2, 3_600_000_000_000], pyarrow.time64("ns"))
    expected = ["00:00:00", "00:00:00.000000001", "00:00:00.000000002", "01:00:00"]
    for column in (nanoseconds, polars.Series([0, 1, 2, 3_600_000_000_000]).cast(polars.Time),
                   pandas.Series(nanoseconds, dtype=pandas.ArrowDtype(pyarrow.time64("ns")))):
        assert label_texts(column) == expected
        table = {"polars": polars.DataFrame, "pandas": pandas.DataFrame}.get(type(column).__module__.partition(".")[0], pyarrow.table)
        _, codes, labels = Table(table({"id": column}), "X").mode("id")
        assert [labels[code] for code in codes] == expected
    assert label_texts(polars.Series([1, None]).cast(polars.Time)) == ["00:00:00.000000001", "NaT"]
    assert label_texts(pyarrow.array([datetime.time(1)], pyarrow.time32("s"))) == label_texts([datetime.time(1)]) == ["01:00:00"]


def test_times_that_differ_by_a_nanosecond_are_two():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    for unit, expected in (("M8[ns]", ["1970-01-01 00:00:00.000000001", "1970-01-01 00:00:00.000000002", "1970-01-01"]),
                           ("m8[ns]", ["0 days 00:00:00.000000001", "0 days 00:00:00.000000002", "0 days 00:00:00"])):
        column = np.array([1, 2, 0], dtype=unit)
        for table in (pandas.DataFrame({"id": column}), polars.DataFrame({"id": polars.Series(column)}), pyarrow.table({"id": pyarrow.array(column)})):
            _, codes, labels = Table(table, "X").mode("id")
            assert [labels[code] for code in codes] == expected
            assert label_texts(table["id"]) == expected


LAST, FIRST = datetime.datetime(9999, 12, 31, 23, 59, 59), datetime.datetime(1, 1, 1)
AMERICA = datetime.timezone(-datetime.timedelta(hours=5))


def test_times_whose_utc_python_has_not_have_names():
    assert label_text(LAST.replace(tzinfo=AMERICA)) == "10000-01-01 04:59:59+00:00"
    assert label_text(FIRST.replace(tzinfo=EAST)) == "0000-12-31 22:00:00+00:00"


def test_columns_of_times_that_python_has_not_have_names():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    late = np.array([2**61, 0], dtype="M8[us]")
    column = pyarrow.array(late, pyarrow.timestamp("us", "America/New_York"))
    for table in (pyarrow.table({"id": column}), polars.DataFrame({"id": polars.Series(late).dt.replace_time_zone("UTC")}),
                  pandas.DataFrame({"id": pandas.Series(late).dt.tz_localize("UTC")}),
                  pandas.DataFrame({"id": pandas.Series(column, dtype=pandas.ArrowDtype(column.type))})):
        _, codes, labels = Table(table, "X").mode("id")
        assert [labels[code] for code in codes] == ["75039-04-04 19:00:13.693952+00:00", "1970-01-01 00:00:00+00:00"]


def test_different_labels_have_different_texts():
    column = ["\ud800", "\\ud800", "'\\ud800'", "\ud800\\", "\\", "\udcff", "'\\\\ud800'"]
    found = [text for label in column for text in texts(pandas.Series([label], dtype=object))]
    assert len(set(found)) == len(column) and all(text.encode() for text in found) and found[4] == "\\"


@pytest.mark.parametrize("odd", [1.5, float("nan")])
def test_a_private_fit_counts_the_same_cells_with_a_row_more(odd):
    """Whose label is a fraction or missing, which makes fractions of all in the column."""
    films = [str(film) for film in range(1, 6)]
    rows = pandas.DataFrame([(user, film, user % 5) for user in range(1, 31) for film in range(1, 6)], columns=["user", "film", "rating"])
    more = pandas.concat([rows, pandas.DataFrame([(odd, odd, np.nan)], columns=rows.columns)], ignore_index=True)
    listed = {"user": [str(user) for user in range(1, 31)], "film": films}
    users = dict(method="als", epsilon=1e3, delta=1e-6, range=(0, 5), rank=1, unit="user", user_mode="user", public={"film": films}, seed=1, holdout=0.5)
    for model in (tulle.CP(**REMOVAL, public=listed), tulle.CP(**users)):
        owners = [model.fit(data).owner_ for data in (rows, more)]
        cells = [(owner["train_cells"], owner.get("test_cells", 0)) for owner in owners]
        assert cells[0] == cells[1] and sum(cells[0]) == len(rows)


def test_whole_numbers_name_positions_whatever_their_type():
    rows = pandas.DataFrame([(user, film, user + film) for user in range(4) for film in range(3)], columns=["user", "film", "rating"])
    fractions = rows.astype({"user": float, "film": float})
    model = fitted(rows)
    assert fitted(fractions).labels_ == model.labels_ == [["0", "1", "2", "3"], ["0", "1", "2"]]
    expected = model.predict(rows)
    for cells in (fractions, fractions[["user", "film"]].to_numpy(), [("0", 0.0)]):
        assert np.array_equal(model.predict(cells), expected[: len(cells)])
    public = {"user": fractions.user.unique(), "film": [0, 1.0, "2"]}
    assert tulle.CP(**REMOVAL, public=public).fit(fractions).owner_["train_cells"] == len(rows)


@pytest.mark.parametrize("kind", [list, np.array, pandas.Series, "polars", "pyarrow"])
def test_public_times_are_given_as_any_column(kind):
    days = np.array(["2020-01-01", "2020-01-02", "2020-01-03"], dtype="M8[ns]")
    if isinstance(kind, str):
        package = pytest.importorskip(kind)
        kind = package.Series if kind == "polars" else package.array
    rows = pandas.DataFrame({"user": ["u"] * 6, "day": np.tile(days, 2) + np.repeat(np.array([0, 1], dtype="m8[ns]"), 3), "rating": 3.0})
    public = {"user": ["u"], "day": kind(np.unique(rows.day.to_numpy()))}
    assert tulle.CP(**REMOVAL, public=public).fit(rows).owner_["train_cells"] == 6


@pytest.mark.parametrize("label", ["\ud800", [1], ("a",), 10**5000, LAST.replace(tzinfo=AMERICA), FIRST.replace(tzinfo=EAST), DAY.replace(tzinfo=datetime.tzinfo())],
                         ids=["surrogate", "list", "tuple", "long", "last", "first", "nowhere"])
def test_a_label_does_not_decide_whether_a_table_is_fitted(label):
    rows = pandas.DataFrame({"user": ["1"] * 60, "film": [f"f{film}" for film in range(60)], "rating": [3.0] * 60})
    rows["film"] = rows.film.astype(object)
    rows.at[59, "film"] = label
    model = tulle.CP(**REMOVAL, public={"user": ["1"], "film": ["f0", "f1", label]}, accept_losses=True)
    with pytest.warns(UserWarning, match="57 of the entries"):
        assert model.fit(rows).owner_["train_cells"] == 3


@pytest.mark.parametrize("value", [10**400, -10**400], ids=["above", "below"])
def test_a_finite_value_beyond_float64_is_clamped_to_the_range(value):
    clamped, large = (pandas.Series([1.0, 2.0, each, None], dtype=object) for each in (value, np.sign(value) * 1e300))
    rows = pandas.DataFrame({"user": list("abcd"), "film": list("abcd"), "rating": clamped})
    run = dict(method="input", epsilon=1, range=(0, 5), rank=1, seed=1, threads=1, accept_losses=True)
    for data, same in ((rows, rows.assign(rating=large)), ([[1.0, value]], [[1.0, np.sign(value) * 1e300]])):
        with pytest.warns(UserWarning, match="1 of the values .* were clamped"):
            assert np.array_equal(tulle.CP(**run).fit(data).reconstruct(), tulle.CP(**run).fit(same).reconstruct())


def test_names_of_columns_are_texts_that_utf8_has(table):
    with pytest.raises(tulle.Error, match="X: names of columns must be texts that UTF-8 has"):
        fitted(table.set_axis(pandas.Index(["\ud800", "film", "rating"], dtype=object), axis=1))
