"""tulle.load: the file of a model as a fitted estimator."""
import os
import subprocess

import numpy as np
import pytest
import tulle


@pytest.mark.parametrize("cls", [tulle.CP, tulle.Tucker, tulle.Tubal])
def test_a_completion_comes_back(cls, tmp_path):
    values = np.random.default_rng(1).uniform(1, 5, size=(6, 5, 4))
    model = cls(rank=1, epsilon=1, range=(1, 5)).fit(values)
    model.save(tmp_path / "model.npz")
    same = tulle.load(tmp_path / "model.npz")
    assert type(same) is cls and np.array_equal(same.reconstruct(), model.reconstruct())
    assert same.guarantee_ == model.guarantee_ and str(same.guarantee_) == str(model.guarantee_)
    assert same.report_["model"] == cls.__name__.lower() and same.owner_ == {} and same.remarks_ == []
    same.report(tmp_path / "page.html")
    assert str(model.guarantee_)[:20] in (tmp_path / "page.html").read_text()


def test_labels_come_back(table, tmp_path):
    model = tulle.CP(epsilon=1, delta=1e-6, range=(1, 5), unit="user", public="film").fit(table)
    model.save(tmp_path / "model.npz")
    same = tulle.load(str(tmp_path / "model.npz"))
    assert same.labels_ == model.labels_ and np.array_equal(same.predict(table), model.predict(table))


def test_topics_come_back(tmp_path):
    model = tulle.Topics(topics=2, words=4, method="plain", seed=1).fit(np.tile([[1, 2, 1], [3, 4, 4]], (50, 1)))
    model.save(tmp_path / "model.npz")
    same = tulle.load(tmp_path / "model.npz")
    assert type(same) is tulle.Topics and np.array_equal(same.topics_, model.topics_) and str(same.guarantee_) == "none"


def test_a_coupled_model_comes_back(tmp_path):
    relation = {"formula": "X[u,f] = U[u,k] V[f,k]", "entities": ["user", "film"], "file": np.outer([1.0, 2, 3], [1.0, 2])}
    model = tulle.Coupled(rank=1, seed=1).fit({"entities": ["user", "film"], "relations": [relation]})
    model.save(tmp_path / "model.npz")
    same = tulle.load(tmp_path / "model.npz")
    assert type(same) is tulle.Coupled and same.predict([(2, 1)]) == model.predict([(2, 1)])


@pytest.mark.parametrize("labels", [("up", "down"), (3, 8), ("1", "02")])
def test_a_classifier_comes_back_with_its_labels(labels, tmp_path):
    examples = np.array([[0.0, 1], [1, 0]] * 20)
    model = tulle.Classifier(method="plain", range=(0, 1), hidden=4, seed=1, threads=1).fit(examples, np.array(labels * 20))
    model.save(tmp_path / "model.npz")
    same = tulle.load(tmp_path / "model.npz")
    assert np.array_equal(same.classes_, model.classes_) and same.classes_.dtype.kind == model.classes_.dtype.kind
    assert np.array_equal(same.predict(examples), model.predict(examples))
    assert same.score(examples, np.array(labels * 20)) == 1


def test_what_the_command_wrote_is_loaded(tmp_path):
    lines = [f"{i} {j} {1 + (i * j) % 5}" for i in range(1, 7) for j in range(1, 6)]
    (tmp_path / "data.tns").write_text("\n".join(lines) + "\n")
    subprocess.run([os.environ["TULLE_COMMAND"], "complete", "data.tns", "--epsilon", "1", "--range", "1:5", "-o", "model.npz"], cwd=tmp_path,
                   check=True, capture_output=True)
    model = tulle.load(tmp_path / "model.npz")
    assert "epsilon 1" in str(model.guarantee_) and model.predict([(0, 0)]).shape == (1,)


def test_what_is_no_model_is_refused(tmp_path):
    (tmp_path / "text.npz").write_text("no model")
    for name in ("text.npz", "none.npz"):
        with pytest.raises(tulle.Error, match=name):
            tulle.load(tmp_path / name)
