"""Tables: which columns are read, and what is refused of them without a word on a value."""
import numpy as np
import pytest

import tulle

pandas = pytest.importorskip("pandas")


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


def test_labels_that_are_no_texts_are_refused(table):
    broken = table.astype({"user": object})
    for label, message in (("\ud800", "X: labels must be texts that UTF-8 has"), ([1], "X column user: labels are texts or numbers")):
        broken.at[0, "user"] = label
        with pytest.raises(tulle.Error, match=message):
            fitted(broken)
