"""Integers name axes and columns from 0, as in NumPy; texts name modes. What is public the owner says."""
import numpy as np
import pytest
import tulle

pandas, sparse = pytest.importorskip("pandas"), pytest.importorskip("scipy.sparse")

FEW = "that public lists leave out, and the range changes, at most 1 % of the data"
PERSON = dict(rank=2, epsilon=1, delta=1e-6, range=(1, 5), unit="user", method="als", seed=1)


@pytest.fixture
def X():
    X = np.random.default_rng(1).uniform(1, 5, (300, 6, 4))
    X[X < 3] = np.nan
    return X


def listed(X):
    axes = np.nonzero(~np.isnan(X))
    return pandas.DataFrame({"user": axes[0], "film": axes[1], "week": axes[2], "rating": X[axes]}).astype({"user": str, "film": str, "week": str})


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_an_integer_is_an_axis_and_the_guarantee_names_it(X, axis, tmp_path):
    other = [each for each in range(3) if each != axis]
    swapped = np.moveaxis(X, axis, 0)  # users first, then the others in their order
    expected = tulle.CP(**PERSON, user_mode=0, public=[1, 2]).fit(swapped)
    for given in (axis, np.int32(axis), np.array(axis), f"axis {axis}"):
        model = tulle.CP(**PERSON, user_mode=given, public=other).fit(X)
        assert f"for any one user of mode axis {axis} under add-remove" in str(model.guarantee_)
        assert model.guarantee_["public"] == [*(f"the positions of mode axis {each} (found in the data; the owner's word)" for each in other), FEW]
        assert model.mode_names_ == ["axis 0", "axis 1", "axis 2"] and model.factors_[axis].shape[0] == 1
        assert expected.factors_[0].shape[0] == 1
    named = tulle.CP(**PERSON, user_mode=axis, public=other, columns=["user", "film", "week", "rating"]).fit(listed(X))
    assert f"for any one user of mode {['user', 'film', 'week'][axis]} under" in str(named.guarantee_)
    np.save(tmp_path / "x.npy", X)
    of_file = tulle.CP(**PERSON, user_mode=axis, public=other, nan_missing=True).fit(tmp_path / "x.npy")
    assert of_file.factors_[axis].shape[0] == 1 and f"for any one user of mode mode{axis + 1} under" in str(of_file.guarantee_)


def test_the_users_of_an_array_are_its_axis_0(X):
    assert "one user of mode axis 0" in str(tulle.CP(**PERSON, public=[1, 2]).fit(X).guarantee_)
    assert "one user of mode axis 0" in str(tulle.CP(**PERSON, public=1).fit(sparse.coo_matrix(np.nan_to_num(X[:, :, 0]))).guarantee_)


def span(factor):
    """Components may be scaled and sorted."""
    return factor @ np.linalg.pinv(factor)


def test_held_modes_are_axes_too(X):
    first = tulle.CP(rank=2, method="plain", seed=2).fit(X[::-1, ::-1, ::-1])  # of other cells
    for hold, axis in ((0, 0), ("axis 1", 1), ([2], 2)):
        model = tulle.CP(method="plain", seed=1, from_model=first, hold=hold).fit(X)
        assert [np.allclose(span(model.factors_[each]), span(first.factors_[each])) for each in range(3)] == [each == axis for each in range(3)]


@pytest.mark.parametrize("keyword", ["user_mode", "public", "hold"])
def test_what_is_no_axis_is_refused(X, keyword):
    held = dict(method="plain", from_model=tulle.CP(rank=2, method="plain").fit(X))
    others = {"user_mode": {**PERSON, "public": [1, 2]}, "public": PERSON, "hold": held}[keyword]
    for wrong, message in [(-1, f"{keyword} is -1; give the name of a mode, or its axis as an integer from 0"), (1.0, f"{keyword} is 1.0; give the name"),
                           (True, f"{keyword} is True; give"), ("1", f"{keyword}: '1' is a text; give the integer 1 for an axis, which counts from 0"),
                           (3, "there is no such axis; axes count from 0 to 2"), ("mode1", "there is no such mode")]:
        with pytest.raises(tulle.UsageError, match=message):
            tulle.CP(**{**others, keyword: wrong}).fit(X)


def test_columns_count_from_0_too(X, tmp_path):
    table = listed(X)
    table.to_csv(tmp_path / "x.csv", index=False)
    keywords = dict(rank=2, method="plain", seed=1)
    for given in (table, tmp_path / "x.csv"):
        by_name = tulle.CP(**keywords, columns=["film", "user", "week", "rating"]).fit(given)
        by_place = tulle.CP(**keywords, columns=[1, 0, 2, 3]).fit(given)
        assert by_place.mode_names_ == ["film", "user", "week"] and by_place.labels_ == by_name.labels_
        for wrong in ([0, 1, 2, 4], [0, 1, 2, -1]):
            with pytest.raises(tulle.Error, match="column"):
                tulle.CP(**keywords, columns=wrong).fit(given)
    numbered = table.set_axis([1, 2, 3, 4], axis=1)  # pandas has integers for names
    assert tulle.CP(**keywords, columns=[2, 1, 3, 4]).fit(numbered).labels_ == by_name.labels_


def test_an_account_is_kept_for_an_axis(X, tmp_path):
    ledger = tulle.Ledger(tmp_path / "ledger.db")
    ledger.create("people", unit="user", relation="add-remove", mode=0)
    ledger.grant("people", epsilon=3, delta=1e-5)
    charged = dict(account="people", ledger=ledger, seed=None)
    tulle.CP(**{**PERSON, **charged}, public=[1, 2]).fit(X)
    with pytest.raises(tulle.Error, match="kept for users of mode axis 0, but this run protects users of mode axis 1"):
        tulle.CP(**{**PERSON, **charged}, user_mode=1, public=[0, 2]).fit(X)
    assert 0 < ledger.show("people")["spent"] <= 1


def test_the_shape_of_an_array_is_not_the_owners_word(X):
    """Where positions are private a row of one user more could be longer, so that the owner says what is public."""
    for given in (X, X[:, :, 0], sparse.coo_matrix(np.nan_to_num(X[:, :, 0])), X.tolist()):
        with pytest.raises(tulle.UsageError, match="under add-remove the positions of mode axis 1 are private; give their public list"):
            tulle.CP(**PERSON).fit(given)
    with pytest.raises(tulle.UsageError, match="positions of mode axis 2 are private"):
        tulle.CP(**PERSON, public=1).fit(X)
    with pytest.raises(tulle.UsageError, match="positions of mode axis 0 are private"):
        tulle.CP(epsilon=1, range=(1, 5), method="input", relation="add-remove").fit(X)
    stated = tulle.CP(**PERSON, shape=X.shape).fit(X)
    assert stated.guarantee_["public"] == ["the size of mode axis 1 (the owner's word)", "the size of mode axis 2 (the owner's word)", FEW]


def test_the_shape_of_an_array_is_public_where_its_cells_are(X):
    model = tulle.CP(rank=2, epsilon=1, range=(1, 5), seed=1).fit(X)
    assert model.guarantee_["relation"] == "replace" and model.guarantee_["public"] == ["which cells are observed, and their labels", FEW]


def test_a_refusal_charges_nothing(X, tmp_path):
    ledger = tulle.Ledger(tmp_path / "ledger.db")
    ledger.create("people", unit="user", relation="add-remove", mode=0)
    ledger.grant("people", epsilon=3, delta=1e-5)
    for wrong, y in ((dict(), None), (dict(public=[1, 2]), np.ones(300)), (dict(public=[1, 2], user_mode=7), None)):
        with pytest.raises((tulle.Error, TypeError)):
            tulle.CP(**{**PERSON, "seed": None}, **wrong, account="people", ledger=ledger).fit(X, y)
    assert ledger.show("people")["spent"] == 0
