"""tulle recommend: the best positions for a user, and predictions within the range."""
import time

import numpy as np
import pytest

FILMS = ["Alien", "Brazil", "Cube", "Dune"]
FOR_USERS = ("--unit", "user", "--user-mode", "user", "--public", "film", "--delta", 1e-3, "--range", "1:5", "--seed", 1)
USER = (*FOR_USERS, "--epsilon", 5)


@pytest.fixture
def fitted(tulle):
    ratings = [f"user{i},{film},{rating}" for i in range(30)
               for film, rating in zip(FILMS, (5, 1, 4, 2) if i % 2 else (1, 5, 2, 4))]
    (tulle.folder / "ratings.csv").write_text("user,film,rating\n" + "\n".join(ratings))
    (tulle.folder / "new.csv").write_text("user,film,rating\neve,Alien,5\neve,Brazil,1\n")
    tulle("complete", "ratings.csv", "--method", "plain", "--rank", 1, "--biases", "--seed", 1, "-o", "model.npz")
    return tulle


def films(result):
    return [item["position"] for item in result.json["recommended"]]


def test_the_best_first(fitted):
    best = fitted("recommend", "model.npz", "--for", "user1", "--top", 2, "--json")
    assert films(best) == ["Alien", "Cube"] and best.json["recommended"][0]["predicted"] > best.json["recommended"][1]["predicted"]
    assert fitted("recommend", "model.npz", "--for", "user2", "--top", 1).out.split()[-1] == "Brazil"


def test_seen_items_are_left_out(fitted):
    (fitted.folder / "seen.csv").write_text("user,film\nuser1,Alien\nuser2,Cube\nuser1,Eraserhead\n")
    assert films(fitted("recommend", "model.npz", "--for", "user1", "--by", "rating", "--unseen", "seen.csv", "--json")) == ["Cube", "Dune", "Brazil"]
    assert films(fitted("recommend", "model.npz", "--for", "user1", "--unseen", "ratings.csv", "--json")) == []


def tastes(folder):
    """Two kinds of people, who rate what they see at random: what they see says what they see next."""
    random = np.random.default_rng(1)
    rows = [f"user{u},{kind}{i},{random.integers(1, 6)}" for u in range(200) for kind in "ab" for i in range(20)
            if random.random() < (0.6 if (u % 2 == 0) == (kind == "a") else 0.05)]
    (folder / "all.csv").write_text("user,film,rating\n" + "\n".join(rows))
    held = random.random(len(rows)) < 0.3
    for name, part in ("known", ~held), ("test", held):
        (folder / f"{name}.csv").write_text("user,film,rating\n" + "\n".join(row for row, kept in zip(rows, part) if kept))


def test_popularity_goes_by_what_others_have_together(tulle):
    tastes(tulle.folder)
    tulle("complete", "known.csv", "--method", "plain", "--rank", 1, "--biases", "--seed", 1, "-o", "model.npz")
    run = ("recommend", "model.npz", "--for", "user0", "--top", 5, "--unseen", "known.csv", "--json")
    for by in ("--by", "popularity"), ("--by", "both"), ():
        assert all(film.startswith("a") for film in films(tulle(*run, *by)))
    assert "--by taste: give rating, popularity or both" in tulle(*run, "--by", "taste", status=2).err
    assert "--unseen" in tulle("recommend", "model.npz", "--for", "user0", "--by", "popularity", status=1).err


def test_ranking_is_evaluated_over_all_unseen_items(tulle):
    tastes(tulle.folder)
    tulle("complete", "known.csv", "--method", "plain", "--rank", 1, "--biases", "--seed", 1, "-o", "model.npz")
    run = ("evaluate", "model.npz", "test.csv", "--ranking", "known.csv", "--top", 5)
    report = tulle(*run, "--json").json
    model, popularity = report["test_ranking"], report["test_ranking_by_popularity"]
    assert model["recall"] > 1.2 * popularity["recall"] and model["users"] == popularity["users"]
    assert {"test_ranking", "test_ranking_by_popularity"} <= set(report["owner_only"]["fields"])
    assert "Popularity alone: recall" in tulle(*run).out
    assert tulle(*run, "--rank-by", "rating", "--json").json["test_ranking"]["recall"] < model["recall"]
    assert "--ranking" in tulle("evaluate", "model.npz", "test.csv", "--rank-by", "both", status=2).err


def test_items_that_are_known_already_are_not_looked_for(tulle):
    tastes(tulle.folder)
    tulle("complete", "known.csv", "--method", "plain", "--rank", 1, "--biases", "--seed", 1, "-o", "model.npz")
    (tulle.folder / "both.csv").write_text((tulle.folder / "known.csv").read_text() + "\n" + "".join((tulle.folder / "test.csv").read_text().splitlines(True)[1:]))
    reports = [tulle("evaluate", "model.npz", test, "--ranking", "known.csv", "--json").json["test_ranking"] for test in ("test.csv", "both.csv")]
    assert reports[0] == reports[1]
    assert tulle("evaluate", "model.npz", "known.csv", "--ranking", "known.csv", "--json").json["test_ranking"]["users"] == 0


def test_a_jointly_private_model_knows_what_is_popular(tulle):
    """With more films than all pairs are released of; so few people need a large budget."""
    random = np.random.default_rng(2)
    rows = [f"user{u},film{i},{random.integers(1, 6)}" for u in range(200) for i in range(150)
            if random.random() < (0.5 if (u + i) % 2 == 0 else 0.05) / (1 + i / 40)]
    (tulle.folder / "known.csv").write_text("user,film,rating\n" + "\n".join(rows))
    tulle("complete", "known.csv", *FOR_USERS, "--epsilon", 50, "-o", "model.npz", "--user-output", "own.npz")
    run = ("recommend", "model.npz", "--for", "user0", "--by", "popularity", "--top", 5, "--json")
    assert films(tulle(*run)) != []
    even = [int(film.removeprefix("film")) % 2 == 0 for film in films(tulle(*run, "--unseen", "known.csv"))]
    assert sum(even) >= 4
    assert "has the items of this model; give --by user" in tulle("evaluate", "model.npz", "known.csv", "--ranking", "known.csv", "--by", "film", status=2).err
    (tulle.folder / "new.csv").write_text("user,film,rating\n" + "".join(f"user{u},new{i},{1 + i % 5}\n" for u in range(3) for i in range(300)))
    assert len(films(tulle("recommend", "own.npz", "--for", "user0", "--new", "new.csv", "--new-mode", "film", "--json"))) == 10


def test_a_new_user(fitted):
    run = ("recommend", "model.npz", "--for", "eve", "--new", "new.csv", "--new-mode", "user", "--ridge", 0.1, "--json")
    assert films(fitted(*run)) == ["Alien", "Cube", "Dune", "Brazil"]
    assert films(fitted(*run, "--by", "rating", "--unseen", "new.csv")) == ["Cube", "Dune"]
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
    best = sample("recommend", "model.npz", "--for", 3, "--at", "mode3=2", "--top", 1, "--json").json["recommended"]
    (sample.folder / "cells.tns").write_text("".join(f"3 {item} 2\n" for item in range(1, 16)))
    predicted = [float(line.split()[-1]) for line in sample("predict", "model.npz", "cells.tns").out.splitlines()]
    assert best[0]["position"] == str(1 + int(np.argmax(predicted)))
    assert "from 1 to 20" in sample("recommend", "model.npz", "--for", 21, "--at", "mode3=2", status=1).err


def test_a_million_items_are_fast(tulle):
    items = 1_000_000
    (tulle.folder / "big.tns").write_text(f"1 1 1\n2 {items} 2\n1 2 3\n")
    tulle("complete", "big.tns", "--method", "plain", "--rank", 2, "--iterations", 1, "--seed", 1, "-o", "big.npz")
    started = time.monotonic()
    assert len(tulle("recommend", "big.npz", "--for", 2, "--top", 10, "--json").json["recommended"]) == 10
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
    out = fitted(*run, "--range", "10:20", "--accept-losses").out
    note, = [line for line in out.splitlines() if "clamped" in line]
    assert "120 of the values (100 %) lie outside of the range 10:20" in note and "owner" in note
    report = fitted(*run, "--range", "2:5", "--accept-losses", "--json").json
    assert "30 of the values (25 %)" in report["owner_notes"][0] and "owner_notes" in report["owner_only"]["fields"]
    assert "clamped" not in fitted(*run, "--range", "1:5").out


def test_recommended_values_stay_in_the_range_too(fitted):
    fitted("complete", "ratings.csv", "--columns", "user,film,rating", "--method", "input", "--rank", 2, "--epsilon", 6, "--range", "2:4", "--accept-losses",
           "--seed", 2, "-o", "noisy.npz")
    cells = [(f"user{i}", film) for i in range(30) for film in FILMS]
    (fitted.folder / "wanted.csv").write_text("user,film\n" + "".join(f"{user},{film}\n" for user, film in cells))
    read = lambda *more: [float(line.split(",")[-1]) for line in fitted("predict", "noisy.npz", "wanted.csv", *more).out.splitlines()[1:]]
    values, free = dict(zip(cells, read())), dict(zip(cells, read("--unclamped")))
    assert min(free.values()) < 2 and max(free.values()) > 4
    for user in ("user0", "user1", "user2"):
        best = fitted("recommend", "noisy.npz", "--for", user, "--json").json["recommended"]
        assert [item["position"] for item in best] == sorted(FILMS, key=lambda film: -free[user, film])  # ranked as the model predicts them
        assert all(abs(item["predicted"] - values[user, item["position"]]) < 1e-4 for item in best)
        shown = [float(line.split()[0]) for line in fitted("recommend", "noisy.npz", "--for", user).out.splitlines()]
        assert min(shown) >= 2 and max(shown) <= 4


def test_what_depends_on_private_data_is_marked(fitted):
    fitted("complete", "ratings.csv", *USER, "-o", "public.npz", "--user-output", "own.npz")
    fitted("complete", "ratings.csv", "--columns", "user,film,rating", "--method", "input", "--epsilon", 5, "--range", "1:5", "-o", "entry.npz")
    marked = {"fields": ["recommended"], "note": "for the data owner, not covered by the guarantee"}
    of = lambda *words: fitted("recommend", *words, "--for", "user1", "--json").json.get("owner_only")
    assert of("public.npz") is None and of("entry.npz") is None and of("model.npz") is None
    assert of("public.npz", "--unseen", "ratings.csv") == marked and of("entry.npz", "--unseen", "ratings.csv") == marked
    assert of("own.npz") == marked
    (fitted.folder / "known.csv").write_text("user,film,rating\nuser1,Alien,5\n")
    assert of("public.npz", "--new", "known.csv", "--new-mode", "user") == marked
    assert "not covered by the guarantee" in fitted("recommend", "public.npz", "--for", "user1", "--unseen", "ratings.csv").err


def test_info_marks_what_is_the_owners(fitted):
    fitted("complete", "ratings.csv", *USER, "-o", "public.npz", "--user-output", "own.npz")
    mark = "for the data owner, not covered by the guarantee"
    assert mark in fitted("info", "ratings.csv").out and mark in fitted("info", "own.npz").out and mark not in fitted("info", "public.npz").out
    assert fitted("info", "own.npz", "--json").json["owner_only"]["fields"] == ["shape", "modes"]
    assert "owner_only" not in fitted("info", "public.npz", "--json").json


LATIN = "latin-1"


@pytest.fixture
def french(tulle):
    """Two films whose names are one in ASCII, in a file of Latin-1."""
    rows = [f"user{i},{film},{rating}" for i in range(10) for film, rating in zip(("\xe9t\xe9", "\xe8t\xe8", "Cube"), (5, 1, 4))]
    (tulle.folder / "films.csv").write_bytes(("util\xe9,film,note\n" + "\n".join(rows) + "\n").encode(LATIN))
    tulle("complete", "films.csv", "--method", "plain", "--rank", 1, "--seed", 1, "-o", "model.npz")
    return tulle


def test_labels_in_latin_1_are_valid_json(french):
    found = french("recommend", "model.npz", "--for", "user1", "--item-mode", 2, "--json").json["recommended"]
    assert sorted(item["position"] for item in found) == ["Cube", "\xe8t\xe8", "\xe9t\xe9"]
    for file in ("films.csv", "model.npz"):
        modes = french("info", file, "--json").json["modes"]
        assert modes[0]["name"] == "util\xe9" and modes[1]["first_labels"] == ["\xe9t\xe9", "\xe8t\xe8", "Cube"]
    (french.folder / "wanted.csv").write_bytes("util\xe9,film\nuser1,\xe9t\xe9\nuser1,\xe8t\xe8\n".encode(LATIN))
    french("predict", "model.npz", "wanted.csv", "-o", "predicted.csv")
    values = [float(line.split(b",")[-1]) for line in (french.folder / "predicted.csv").read_bytes().splitlines()[1:]]
    assert abs(values[0] - 5) < 0.5 and abs(values[1] - 1) < 0.5


# Of words of the command, whose bytes are not UTF-8, Python has surrogates.
def test_a_mode_in_latin_1_does_not_end_a_run_that_was_charged(french):
    french("budget", "create", "films", "--ledger", "ledger.db", "--unit", "user", "--relation", "add-remove", "--mode", "util\udce9", "--json")
    french("budget", "grant", "films", "--ledger", "ledger.db", "--epsilon", 9, "--delta", 1e-2)
    report = french("complete", "films.csv", "--unit", "user", "--user-mode", "util\udce9", "--public", "film", "--epsilon", 5, "--delta", 1e-3,
                    "--range", "1:5", "-o", "private.npz", "--report", "page.html", "--ledger", "ledger.db", "--account", "films", "--json").json
    assert "util\xe9" in report["guarantee"]["sentence"] and "util\xe9" in (french.folder / "page.html").read_text(encoding="utf-8")
