"""tulle recommend: the best positions for a user, and predictions within the range."""
import time

import numpy as np
import pytest

FILMS = ["Alien", "Brazil", "Cube", "Dune"]
USER = ("--unit", "user", "--user-mode", "user", "--public", "film", "--epsilon", 5, "--delta", 1e-3, "--range", "1:5", "--seed", 1)


@pytest.fixture
def fitted(tulle):
    ratings = [f"user{i},{film},{rating}" for i in range(30)
               for film, rating in zip(FILMS, (5, 1, 4, 2) if i % 2 else (1, 5, 2, 4))]
    (tulle.folder / "ratings.csv").write_text("user,film,rating\n" + "\n".join(ratings))
    (tulle.folder / "new.csv").write_text("user,film,rating\neve,Alien,5\neve,Brazil,1\n")
    tulle("complete", "ratings.csv", "--method", "plain", "--rank", 1, "--biases", "--seed", 1, "-o", "model.npz")
    return tulle


def films(result):
    return [item["position"] for item in result.json]


def test_the_best_first(fitted):
    best = fitted("recommend", "model.npz", "--for", "user1", "--top", 2, "--json")
    assert films(best) == ["Alien", "Cube"] and best.json[0]["predicted"] > best.json[1]["predicted"]
    assert fitted("recommend", "model.npz", "--for", "user2", "--top", 1).out.split()[-1] == "Brazil"


def test_seen_items_are_left_out(fitted):
    (fitted.folder / "seen.csv").write_text("user,film\nuser1,Alien\nuser2,Cube\nuser1,Eraserhead\n")
    assert films(fitted("recommend", "model.npz", "--for", "user1", "--unseen", "seen.csv", "--json")) == ["Cube", "Dune", "Brazil"]
    assert films(fitted("recommend", "model.npz", "--for", "user1", "--unseen", "ratings.csv", "--json")) == []


def test_a_new_user(fitted):
    run = ("recommend", "model.npz", "--for", "eve", "--new", "new.csv", "--new-mode", "user", "--ridge", 0.1, "--json")
    assert films(fitted(*run)) == ["Alien", "Cube", "Dune", "Brazil"]
    assert films(fitted(*run, "--unseen", "new.csv")) == ["Cube", "Dune"]
    error = fitted("recommend", "model.npz", "--for", "usr1", status=1).err
    assert "did you mean 'user1'?" in error and "--new FILE" in error


def test_a_jointly_private_model_says_that_it_knows_no_single_user(fitted):
    fitted("complete", "ratings.csv", *USER, "-o", "private.npz")
    (fitted.folder / "wanted.csv").write_text("user,film\nuser1,Dune\n")
    assert "predicts the same for all of them" in fitted("predict", "private.npz", "wanted.csv").err
    assert "--new FILE" in fitted("recommend", "private.npz", "--for", "user1").err
    (fitted.folder / "wanted.csv").write_text("user,film\neve,Dune\n")
    assert "same for all" not in fitted("predict", "private.npz", "wanted.csv", "--new", "new.csv", "--new-mode", "user").err


def test_other_modes_are_stated(sample):
    sample("complete", "train.tns", "--method", "plain", "--rank", 1, "--seed", 1, "-o", "model.npz")
    assert "--at mode3=POSITION" in sample("recommend", "model.npz", "--for", 3, status=2).err
    best = sample("recommend", "model.npz", "--for", 3, "--at", "mode3=2", "--top", 1, "--json").json
    (sample.folder / "cells.tns").write_text("".join(f"3 {item} 2\n" for item in range(1, 16)))
    predicted = [float(line.split()[-1]) for line in sample("predict", "model.npz", "cells.tns").out.splitlines()]
    assert best[0]["position"] == str(1 + int(np.argmax(predicted)))
    assert "from 1 to 20" in sample("recommend", "model.npz", "--for", 21, "--at", "mode3=2", status=1).err


def test_a_million_items_are_fast(tulle):
    items = 1_000_000
    (tulle.folder / "big.tns").write_text(f"1 1 1\n2 {items} 2\n1 2 3\n")
    tulle("complete", "big.tns", "--method", "plain", "--rank", 2, "--iterations", 1, "--seed", 1, "-o", "big.npz")
    started = time.monotonic()
    assert len(tulle("recommend", "big.npz", "--for", 2, "--top", 10, "--json").json) == 10
    assert time.monotonic() - started < 10


def test_predictions_stay_in_the_range(fitted):
    fitted("complete", "ratings.csv", "--columns", "user,film,rating", "--method", "input", "--rank", 1, "--epsilon", 0.2, "--range", "1:5",
           "--seed", 1, "-o", "noisy.npz")
    values = lambda *more: np.array([float(line.split(",")[-1]) for line in fitted("predict", "noisy.npz", "wanted.csv", *more).out.splitlines()[1:]])
    (fitted.folder / "wanted.csv").write_text("user,film\n" + "".join(f"user{i},{film}\n" for i in range(30) for film in FILMS))
    free = values("--unclamped")
    assert free.min() < 1 or free.max() > 5
    assert np.allclose(values(), np.clip(free, 1, 5), atol=1e-5)
    fitted("predict", "noisy.npz", "--all", "-o", "all.npy")
    assert np.load(fitted.folder / "all.npy").max() <= 5


def test_the_owner_hears_of_values_outside_of_the_range(fitted):
    run = ("complete", "ratings.csv", "--columns", "user,film,rating", "--method", "input", "--rank", 1, "--epsilon", 1, "--seed", 1)
    out = fitted(*run, "--range", "10:20").out
    note, = [line for line in out.splitlines() if "clamped" in line]
    assert "120 of the values (100 %) lie outside of the range 10:20" in note and "owner" in note
    report = fitted(*run, "--range", "2:5", "--json").json
    assert "30 of the values (25 %)" in report["owner_notes"][0] and "owner_notes" in report["owner_only"]["fields"]
    assert "clamped" not in fitted(*run, "--range", "1:5").out
