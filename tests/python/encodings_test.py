"""Labels in Latin-1 are texts in Python, and different ones stay different."""
import json

import numpy as np
import pytest
import tulle

FILMS = ["été", "ètè", "Cube"]


@pytest.fixture
def path(tmp_path):
    rows = [f"user{i},{film},{rating}" for i in range(20) for film, rating in zip(FILMS, (5, 1, 4))]
    (tmp_path / "films.csv").write_bytes(("utilisé,film,note\n" + "\n".join(rows) + "\n").encode("latin-1"))
    return tmp_path / "films.csv"


def test_labels_are_texts_and_predicted_by(path, tmp_path):
    model = tulle.CP(rank=1, method="plain", seed=1).fit(path)
    assert model.mode_names_ == ["utilisé", "film"] and model.labels_[1] == FILMS
    model.save(tmp_path / "model.npz")
    for same in (model, tulle.load(tmp_path / "model.npz")):
        assert np.allclose(same.predict([("user3", film) for film in FILMS]), [5, 1, 4], atol=0.5)
    with pytest.raises(tulle.Error, match="'èté' is not among the known labels of film"):
        model.predict([("user3", "èté")])


def test_a_private_fit_has_its_report(path):
    model = tulle.CP(rank=1, epsilon=5, delta=1e-3, range=(1, 5), unit="user", user_mode="utilisé", public="film", header="yes").fit(path)
    assert "for any one user of mode utilisé" in str(model.guarantee_)
    json.dumps(model.report_)


def test_messages_quote_labels(path, tmp_path):
    (tmp_path / "test.csv").write_bytes("utilisé,film,note\nuser1,été\n".encode("latin-1"))
    with pytest.raises(tulle.Error, match="2 columns, but the first line has 3"):
        tulle.CP(rank=1, method="plain").fit(path, test=tmp_path / "test.csv")
    twice = path.read_bytes() + "user1,été,4\n".encode("latin-1")
    path.write_bytes(twice)
    with pytest.raises(tulle.Error, match=r"cell \(user1, été\) was given in line"):
        tulle.CP(rank=1, method="plain", duplicates="refuse").fit(path)


def test_entities_of_a_study(path, tmp_path):
    relation = {"formula": "X[u,f] = U[u,k] V[f,k]", "entities": ["user", "film"], "file": path}
    model = tulle.Coupled(rank=1, seed=1).fit({"entities": ["user", "film"], "relations": [relation]})
    model.save(tmp_path / "model.npz")
    for same in (model, tulle.load(tmp_path / "model.npz")):
        assert np.allclose(same.predict([("user3", film) for film in FILMS]), [5, 1, 4], atol=0.5)
