"""tulle.refit: another model from the releases of a fitted one."""
import numpy as np
import pytest
import tulle

OPTIONS = dict(epsilon=20, range=(0, 9), method="one-shot")
X = np.random.default_rng(1).uniform(0, 9, size=(8, 7, 6))


def test_the_model_is_that_of_the_first_fit(tmp_path):
    model = tulle.CP(rank=2, **OPTIONS).fit(X)
    model.save(tmp_path / "model.npz")
    for fitted in (model, tmp_path / "model.npz", tulle.load(tmp_path / "model.npz")):
        assert np.array_equal(tulle.refit(fitted, rank=2).reconstruct(), model.reconstruct())
        assert np.array_equal(tulle.refit(tulle.refit(fitted, rank=1), rank=2).reconstruct(), model.reconstruct())


def test_it_has_the_guarantee_of_the_releases_and_may_be_of_another_kind():
    model = tulle.CP(**OPTIONS).fit(X)
    other = tulle.refit(model, model="tucker", rank=(1, 1, 1))
    assert type(other) is tulle.Tucker and other.guarantee_ == model.guarantee_ and other.report_["refitted"]


@pytest.mark.parametrize("options", [dict(method="plain"), dict(OPTIONS, releases="drop"), dict(OPTIONS, seed=1)])
def test_a_model_without_releases_is_refused(options):
    with pytest.raises(tulle.Error, match="keeps no releases"):
        tulle.refit(tulle.CP(rank=1, **options).fit(X))


def test_a_private_study_keeps_its_releases_or_drops_them(tmp_path):
    study = {"entities": ["user", "film"], "private": ["user"], "sizes": {"film": 7},
             "relations": [{"name": "ratings", "entities": ["user", "film"], "file": X[:, :, 0]}]}
    options = dict(method="als", epsilon=20, delta=1e-3, range=(0, 9))
    tulle.Coupled(**options).fit(study).save(tmp_path / "kept.npz")
    assert tulle.refit(tmp_path / "kept.npz", rank=0).report_["refitted"]
    tulle.Coupled(**options, releases="drop").fit(study).save(tmp_path / "dropped.npz")
    with pytest.raises(tulle.Error, match="keeps no releases"):
        tulle.refit(tmp_path / "dropped.npz")
    with pytest.raises(tulle.Error, match="'flim' is not among the entities .did you mean 'film'.."):
        tulle.Coupled(**options).fit({**study, "sizes": {"film": 7, "flim": 7}})
    with pytest.raises(tulle.Error, match="no relation has entity ghost"):
        tulle.Coupled(**options).fit({**study, "entities": ["user", "film", "ghost"]})


def test_topics_are_refitted_with_another_number():
    documents = np.random.default_rng(1).integers(1, 7, size=(2000, 3))
    model = tulle.Topics(topics=2, words=6, epsilon=2).fit(documents)
    assert np.array_equal(tulle.refit(model).topics_, model.topics_)
    three = tulle.refit(model, topics=3)
    assert type(three) is tulle.Topics and three.topics_.shape == (6, 3) and three.guarantee_ == model.guarantee_
    with pytest.raises(tulle.UsageError, match="rank is for a completed tensor"):
        tulle.refit(model, rank=3)
    with pytest.raises(tulle.Error, match="keeps no releases"):
        tulle.refit(tulle.Topics(topics=2, words=6, epsilon=2, releases="drop").fit(documents))


def test_the_owner_is_told_that_the_model_lists_the_observed_cells():
    assert any("lists the 336 observed cells" in note for note in tulle.CP(rank=1, **OPTIONS).fit(X).owner_["owner_notes"])
    assert tulle.CP(rank=1, **OPTIONS, releases="drop").fit(X).owner_["owner_notes"] == []


@pytest.mark.parametrize("option", [dict(ridge=1.0), dict(solver="als"), dict(biases=True), dict(iterations=3)])
def test_options_that_the_method_does_not_read_are_refused(option):
    options = dict(OPTIONS, method="als")
    expected = f"method als does not read {next(iter(option))}; omit it"
    with pytest.raises(tulle.UsageError, match=expected):
        tulle.CP(**options, **option).fit(X)
    model = tulle.CP(**options).fit(X)
    with pytest.raises(tulle.UsageError, match=expected):
        tulle.refit(model, **option)
    with pytest.raises(tulle.UsageError, match="method als does not read seed; omit it"):
        tulle.refit(model, seed=3)


def test_unknown_keywords_are_refused():
    with pytest.raises(TypeError, match="did you mean 'rank'"):
        tulle.refit(tulle.CP(**OPTIONS).fit(X), n_components=2)
