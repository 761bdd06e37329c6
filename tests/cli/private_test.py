"""tulle complete with privacy: what is promised, and what is refused."""
import json

import numpy as np
import pytest

PRIVATE = ("--epsilon", 2, "--range", "-3:3")


def test_the_guarantee_travels_with_the_model(sample):
    report = sample("complete", "train.tns", "--method", "input", *PRIVATE, "--rank", 2, "-o", "model.npz", "--json").json
    guarantee = report["guarantee"]
    assert guarantee["epsilon"] == 2 and guarantee["delta"] == 0 and guarantee["unit"] == "entry"
    saved = json.loads(bytes(np.load(sample.folder / "model.npz")["tulle.json"]))["guarantee"]
    assert saved["epsilon"] == 2
    assert "epsilon 2 (pure) for any one entry" in sample("info", "model.npz").out


def test_runs_differ_without_a_seed_and_agree_with_one(sample):
    def run(*seed):
        return sample("complete", "train.tns", "--test", "test.tns", "--method", "input", *PRIVATE, "--rank", 1, "--json",
                      *seed).json

    assert run()["test_rmse"] != run()["test_rmse"]
    one, two = run("--seed", 5), run("--seed", 5)
    assert one["test_rmse"] == two["test_rmse"]
    assert one["guarantee"]["reproducible"] and not run()["guarantee"]["reproducible"]


def test_held_out_errors_are_labelled(sample):
    args = ("complete", "train.tns", "--test", "test.tns", "--method", "input", *PRIVATE)
    owner = sample(*args, "--json").json["owner_only"]
    assert "not covered by the guarantee" in owner["note"]
    assert {"test_rmse", "test_mae", "test_rse", "test_cells", "seconds", "train_cells"} <= set(owner["fields"])
    for line in sample(*args).out.splitlines():
        if line.startswith(("Held out:", "Time:")):
            assert "for the data owner, not covered by the guarantee" in line


def ratings(users=12, films=8):
    """A small table of ratings with names, a line each."""
    return [f"u{u},f{f},{1 + (u * 7 + f * 3) % 5}" for u in range(users) for f in range(films) if (u + f) % 3]


def write_ratings(tulle, lines, name="ratings.csv"):
    (tulle.folder / name).write_text("user,film,rating\n" + "\n".join(lines) + "\n")


def description(tulle, name="model.npz"):
    return json.loads(bytes(np.load(tulle.folder / name)["tulle.json"]))


USER = ("--unit", "user", "--user-mode", "user", "--epsilon", 2, "--delta", 1e-3, "--range", "1:5")


def test_a_jointly_private_model_has_no_users_and_sorted_films(tulle):
    write_ratings(tulle, ["alice,f7,5", "alice,f2,1"] + ratings())
    tulle("complete", "ratings.csv", *USER, "--public", "film", "-o", "model.npz", "--user-output", "own.npz")
    published = description(tulle)
    assert published["modes"][0] == {"name": "user", "any": True} and published["shape"] == [1, 8]
    assert published["modes"][1]["labels"] == sorted(f"f{i}" for i in range(8))
    assert description(tulle, "own.npz")["modes"][0]["labels"][0] == "alice"
    facts = " ".join(published["guarantee"]["public"])
    assert "film" in facts and "owner" in facts and published["guarantee"]["mode"] == "user"


def test_a_jointly_private_model_predicts_the_same_for_any_user(tulle):
    write_ratings(tulle, ratings())
    tulle("complete", "ratings.csv", *USER, "--public", "film", "-o", "model.npz", "--seed", 1)
    (tulle.folder / "wanted.csv").write_text("user,film\nu1,f3\nzoe,f3\n")
    first, second = tulle("predict", "model.npz", "wanted.csv").out.splitlines()[1:]
    assert first.startswith("u1,f3,") and second.startswith("zoe,f3,")
    assert first.split(",")[2] == second.split(",")[2]
    write_ratings(tulle, ["zoe,f3,5", "zoe,f4,1", "zoe,f5,1"], "zoe.csv")
    (tulle.folder / "wanted.csv").write_text("user,film\nzoe,f3\n")
    fitted = tulle("predict", "model.npz", "wanted.csv", "--new", "zoe.csv", "--new-mode", "user")
    assert "not covered by the guarantee" in fitted.err
    evaluated = tulle("evaluate", "model.npz", "ratings.csv", "--json")
    assert evaluated.json["test_cells"] == len(ratings()) and "the same for all positions of mode user" in evaluated.err


def test_the_error_of_the_published_model_is_printed_beside_that_with_own_rows(tulle):
    """evaluate of the file that -o wrote measures the one, of --user-output the other."""
    lines = ratings(40, 12)
    write_ratings(tulle, lines[::2])
    write_ratings(tulle, lines[1::2], "test.csv")
    (tulle.folder / "films.txt").write_text("".join(f"f{i}\n" for i in range(12)))
    words = ("complete", "ratings.csv", "--test", "test.csv", *USER, "--public", "film=films.txt", "-o", "model.npz", "--user-output",
             "own.npz", "--seed", 1)
    report = tulle(*words, "--json").json
    own, published = report["test_with_own_rows"], report["test_published_model"]
    assert {"test_with_own_rows", "test_published_model"} <= set(report["owner_only"]["fields"])
    assert own["rmse"] == report["test_rmse"] and own["rmse"] != published["rmse"]
    for model, scores in (("model.npz", published), ("own.npz", own)):
        again = tulle("evaluate", model, "test.csv", "--train", "ratings.csv", "--json").json
        assert again["baseline_main_effects_rmse"] == pytest.approx(report["baseline_main_effects_rmse"], rel=1e-9), model
        assert {name: again[f"test_{name}"] for name in ("rmse", "mae", "rse", "cells")} == scores, model
    shown = tulle(*words).out
    assert f"Held out, with each user's own row: RMSE {own['rmse']:.5g}" in shown
    assert f"Held out, published model alone: RMSE {published['rmse']:.5g}" in shown
    assert "test_published_model" not in tulle("complete", "ratings.csv", "--test", "test.csv", "--epsilon", 2, "--range", "1:5",
                                               "--json").json, "all that predicts is published"


def test_under_add_remove_positions_must_be_stated(tulle):
    write_ratings(tulle, ratings())
    error = tulle("complete", "ratings.csv", *USER, "-o", "model.npz", status=2).err
    assert "of mode film" in error and "(--public MODE=FILE)" in error and "(--public MODE)" in error and error.count("\n") == 1
    error = tulle("complete", "ratings.csv", *USER, "--public", "user,film", status=2).err
    assert "stays private" in error
    error = tulle("complete", "ratings.csv", *PRIVATE, "--public", "film", status=2).err
    assert "add-remove" in error


def test_unknown_labels_are_dropped_or_refused(tulle):
    write_ratings(tulle, ratings() + ["u1,secret film,5"])
    (tulle.folder / "films.txt").write_text("".join(f"f{i}\n" for i in range(10)))
    run = ("complete", "ratings.csv", *USER, "--public", "film=films.txt", "--accept-losses", "-o", "model.npz")
    report = tulle(*run, "--json").json
    assert "1 of the entries" in report["owner_notes"][0] and "owner_notes" in report["owner_only"]["fields"]
    assert description(tulle)["modes"][1]["labels"] == [f"f{i}" for i in range(10)]
    assert "secret film" in tulle(*run, "--unknown", "refuse", status=1).err


def test_the_guarantee_says_what_is_public(sample):
    guarantee = sample("complete", "train.tns", "--method", "input", *PRIVATE, "--rank", 1, "--json").json["guarantee"]
    assert any("which cells are observed" in fact for fact in guarantee["public"])


def test_the_guarantee_of_a_warm_start_is_part_of_the_new_one(sample):
    sample("complete", "train.tns", "--method", "plain", "--rank", 2, "--seed", 1, "-o", "plain.npz")
    run = ("complete", "train.tns", "--method", "one-shot", *PRIVATE, "--json")
    # A model that was fitted to the same data without privacy would carry them into the new one.
    error = sample(*run, "--from", "plain.npz", "--hold", "1,2", status=2).err
    assert "no guarantee that holds" in error and "--from-is-public" in error and error.count("\n") == 1
    warm = sample(*run, "--from", "plain.npz", "--hold", "1,2", "--from-is-public").json["guarantee"]
    assert "owner's word" in warm["source"] and "owner's word" in warm["sentence"]
    assert warm["status"].startswith("proven, given the model")
    sample("complete", "train.tns", "--method", "input", *PRIVATE, "--rank", 2, "-o", "private.npz")
    warm = sample(*run, "--from", "private.npz").json["guarantee"]
    assert "epsilon 2" in warm["source"]


def test_delta_is_not_checked_against_a_private_count(tulle):
    for lines, name in ((ratings(40, 30), "many.csv"), (ratings(3, 8), "few.csv")):
        write_ratings(tulle, lines, name)
        tulle("complete", name, "--unit", "user", "--user-mode", "user", "--epsilon", 1, "--delta", 2e-3, "--range", "1:5",
              "--public", "film")


def test_auto_refuses_zero_out_without_a_delta(sample):
    error = sample("complete", "train.tns", "--epsilon", 1, "--range", "-9:9", "--relation", "zero-out", status=2).err
    assert "a delta above 0" in error


@pytest.mark.parametrize("args, message", [
    ([], "--method plain"),
    (["--epsilon", "1"], "--range"),
    (["--epsilon", "1", "--range", "5"], "LOW:HIGH"),
    (["--epsilon", "1", "--range", "5:1"], "LOW < HIGH"),
    (["--epsilon", "0", "--range", "-5:5"], "epsilon"),
    (["--epsilon", "-1", "--range", "-5:5"], "epsilon"),
    (["--epsilon", "1", "--delta", "0.1", "--range", "-5:5"], "1/n"),
    (["--epsilon", "1", "--range", "-5:5", "--unit", "user"], "--user-mode"),
    (["--epsilon", "1", "--range", "-5:5", "--user-mode", "1"], "--unit user"),
    (["--epsilon", "1", "--range", "-5:5", "--unit", "user", "--user-mode", "9"], "from 1 to 3"),
    (["--epsilon", "1", "--range", "-5:5", "--unit", "planet"], "planet"),
    (["--epsilon", "1", "--range", "-5:5", "--validation", "0.1"], "--validation"),
    (["--epsilon", "1", "--range", "-5:5", "--method", "magic"], "plain"),
    (["--epsilon", "1", "--range", "-5:5", "--method", "plain"], "plain"),
    (["--epsilon", "1", "--range", "-5:5", "--method", "input", "--unit", "document"], "input does not protect"),
    (["--epsilon", "1", "--range", "-5:5", "--method", "input", "--clip", "1"], "takes no clip"),
])
def test_wrong_use_says_what_to_do(sample, args, message):
    error = sample("complete", "train.tns", *args, status=2).err
    assert message in error and error.startswith("tulle: ") and error.count("\n") == 1


def test_an_empty_tensor_has_nothing_to_complete(tulle):
    (tulle.folder / "empty.csv").write_text("user,film,rating\n")
    error = tulle("complete", "empty.csv", "--method", "input", *PRIVATE, status=1).err
    assert error.count("\n") == 1


def test_spends_through_a_ledger(sample):
    ledger = ("--ledger", "ledger.db")
    run = ("complete", "train.tns", "--method", "input", *PRIVATE, "--rank", 1, *ledger, "--account", "sample")
    sample("budget", "create", "sample", "--data", "train.tns", *ledger)
    sample("budget", "grant", "sample", "--epsilon", 3, *ledger)
    sample(*run, "-o", "model.npz")
    shown = sample("budget", "show", "sample", *ledger, "--json").json
    assert shown["spent"] == pytest.approx(2) and shown["charges"][0]["status"] == "delivered"
    # The second run would exceed the grant: it is refused before it releases anything, and nothing is written.
    error = sample(*run, "-o", "again.npz", status=1).err
    assert error.count("\n") == 1 and not (sample.folder / "again.npz").exists()
    assert sample("budget", "show", "sample", *ledger, "--json").json["spent"] == pytest.approx(2)


def test_a_ledger_refuses_seeds_and_other_data(sample):
    ledger = ("--ledger", "ledger.db")
    run = ("--method", "input", *PRIVATE, "--rank", 1, *ledger, "--account", "sample")
    sample("budget", "create", "sample", "--data", "train.tns", *ledger)
    sample("budget", "grant", "sample", "--epsilon", 3, *ledger)
    assert "seed" in sample("complete", "train.tns", *run, "--seed", 1, status=1).err
    sample("complete", "test.tns", *run, status=1)
    assert "--account" in sample("complete", "train.tns", "--method", "input", *PRIVATE, *ledger, status=2).err
    assert sample("budget", "show", "sample", *ledger, "--json").json["spent"] == 0


def test_a_warm_start_from_a_seeded_or_published_model_is_refused(sample):
    run = ("complete", "train.tns", "--method", "input", *PRIVATE, "--rank", 2)
    sample(*run, "--seed", 1, "-o", "seeded.npz")
    sample(*run, "--calibration", "published", "-o", "published.npz")
    for model in ("seeded.npz", "published.npz"):
        error = sample("complete", "train.tns", "--method", "one-shot", *PRIVATE, "--from", model, status=2).err
        assert "no guarantee that holds" in error
    assert "seed" in description(sample, "seeded.npz")["guarantee"]["status"]


def test_a_warm_start_goes_by_labels(tulle):
    lines = ratings()
    write_ratings(tulle, lines)
    write_ratings(tulle, lines[::-1], "reversed.csv")
    tulle("complete", "ratings.csv", "--method", "plain", "--rank", 2, "--seed", 1, "-o", "plain.npz")
    warm = ("--method", "plain", "--from", "plain.npz", "--seed", 1)
    tulle("complete", "ratings.csv", *warm)
    assert "another order" in tulle("complete", "reversed.csv", *warm, status=1).err


def test_outputs_are_checked_before_anything_is_charged(sample):
    ledger = ("--ledger", "ledger.db")
    run = ("complete", "train.tns", "--method", "input", *PRIVATE, "--rank", 1, *ledger, "--account", "sample")
    sample("budget", "create", "sample", *ledger)
    sample("budget", "grant", "sample", "--epsilon", 3, *ledger)
    assert "no folder" in sample(*run, "-o", "nowhere/model.npz", status=1).err
    assert "folder" in sample(*run, "-o", ".", status=1).err
    assert "input" in sample(*run, "-o", "train.tns", status=2).err
    assert "too long" in sample(*run, "-o", 300 * "m" + ".npz", status=1).err.lower()
    for name in ("model.csv", "model", "-"):
        assert "ends in .npz" in sample(*run, "-o", name, status=2).err
    assert sorted(path.name for path in sample.folder.iterdir()) == ["ledger.db", "test.tns", "train.tns", "truth.npy"]
    assert sample("budget", "show", "sample", *ledger, "--json").json["spent"] == 0


def test_the_public_model_and_that_of_the_users_are_two_files(tulle):
    write_ratings(tulle, ratings())
    error = tulle("complete", "ratings.csv", *USER, "--public", "film", "-o", "m.npz", "--user-output", "./m.npz", status=2).err
    assert "two outputs" in error and not (tulle.folder / "m.npz").exists()


def test_crop_does_not_choose_users_who_come_and_go(tulle):
    write_ratings(tulle, ratings())
    assert "--crop" in tulle("complete", "ratings.csv", *USER, "--public", "film", "--crop", "4x8", status=2).err


def test_whether_a_cell_was_held_out_decides_nothing(tulle):
    write_ratings(tulle, ["alice,f1,3"])
    (tulle.folder / "films.txt").write_text("f1\nf2\n")
    for seed in range(6):
        tulle("complete", "ratings.csv", *USER, "--public", "film=films.txt", "--holdout", 0.5, "--seed", seed, "-o", "model.npz")


NUMBERED_USER = ("--unit", "user", "--user-mode", 1, "--epsilon", 2, "--delta", 1e-3, "--range", "1:5")


def write_numbered(tulle, user=4_000_000_000):
    lines = [f"{u} {f} {1 + (u * 7 + f * 3) % 5}" for u in range(1, 9) for f in range(1, 7) if (u + f) % 3]
    (tulle.folder / "ratings.tns").write_text("\n".join(lines + [f"{user} 2 5", f"{user} 3 1"]) + "\n")


def test_a_public_list_of_numbered_data_lists_numbers(tulle):
    write_numbered(tulle)
    (tulle.folder / "films.txt").write_text("5\n3\n4\n")
    report = tulle("complete", "ratings.tns", *NUMBERED_USER, "--public", "2=films.txt", "--accept-losses", "-o", "model.npz", "--json").json
    assert report["shape"] == "1x5" and "lie at positions that are not public" in report["owner_notes"][0]
    (tulle.folder / "films.txt").write_text("Alien\nCube\n")
    error = tulle("complete", "ratings.tns", *NUMBERED_USER, "--public", "2=films.txt", status=1).err
    assert "films.txt: 'Alien'" in error and "the shape" in error and error.count("\n") == 1


def test_users_of_large_numbers_have_their_rows_by_number(tulle):
    write_numbered(tulle)
    tulle("complete", "ratings.tns", *NUMBERED_USER, "--public", 2, "--user-output", "own.npz")
    assert description(tulle, "own.npz")["modes"][0]["labels"] == [str(u) for u in range(1, 9)] + ["4000000000"]
    (tulle.folder / "wanted.csv").write_text("mode1,mode2\n4000000000,1\n")
    assert tulle("predict", "own.npz", "wanted.csv").out.splitlines()[1].startswith("4000000000,1,")
    (tulle.folder / "wanted.tns").write_text("4000000000 1\n")
    assert tulle("predict", "own.npz", "wanted.tns").out.splitlines()[1].startswith("4000000000,1,")
    (tulle.folder / "wanted.tns").write_text("9 1\n")  # the number of her row
    assert "position 9 of mode1 is not a known one" in tulle("predict", "own.npz", "wanted.tns", status=1).err


def test_the_owner_learns_of_a_delta_too_large_for_the_number_of_units(tulle):
    write_numbered(tulle)  # 9 users
    def notes(delta, unit):
        return tulle("complete", "ratings.tns", "--range", "1:5", "--epsilon", 1, "--relation", "add-remove", "--public", 2,
                     "--delta", delta, *unit, "--json").json["owner_notes"]
    users = ("--unit", "user", "--user-mode", 1)
    assert any("1/9, one over the number of users" in note for note in notes(0.12, users))
    assert not any("Delta" in note for note in notes(0.1, users))


def test_a_warm_start_tells_nothing_of_the_users(tulle):
    write_ratings(tulle, ratings())
    tulle("complete", "ratings.csv", *USER, "--public", "film", "--method", "als", "-o", "public.npz", "--user-output", "own.npz")
    refusals = set()
    for user in ("u0", "u1"):
        write_ratings(tulle, [row for row in ratings() if not row.startswith(user + ",")])
        for model in ("public.npz", "own.npz"):
            run = tulle("complete", "ratings.csv", *USER, "--public", "film", "--method", "als", "--from", model,
                        "--from-is-public", status=2)
            refusals.add(run.err)
    assert len(refusals) == 1 and "does not start from a model" in refusals.pop()


def test_what_is_made_of_single_users_is_marked(tulle):
    write_ratings(tulle, ratings())
    tulle("complete", "ratings.csv", *USER, "--public", "film", "--method", "als", "-o", "public.npz", "--user-output", "own.npz")
    user = "u0"
    own = tulle("recommend", "own.npz", "--for", user, "--top", 1)
    assert "for that user alone" in own.err and "owner" in own.err
    unseen = tulle("recommend", "public.npz", "--for", user, "--top", 1, "--unseen", "ratings.csv")
    assert "owner" in unseen.err


def test_a_full_tensor_and_test_cells_beyond_it_are_refused_before_the_charge(tulle):
    np.save(tulle.folder / "full.npy", np.ones((3, 4, 2)))
    np.save(tulle.folder / "larger.npy", np.ones((4, 4, 2)))
    tulle("budget", "create", "full", "--ledger", "l.db")
    tulle("budget", "grant", "full", "--epsilon", 5, "--ledger", "l.db")
    error = tulle("complete", "full.npy", "--range", "0:1", "--epsilon", 1, "--test", "larger.npy", "--ledger", "l.db", "--account",
                  "full", status=1).err
    assert "cells outside of full.npy" in error
    assert tulle("budget", "show", "full", "--ledger", "l.db", "--json").json["spent"] == 0


def test_the_line_of_the_readme_runs(tulle):
    write_ratings(tulle, ratings())
    tulle("complete", "ratings.csv", "--columns", "user,film,rating", "--unit", "user", "--user-mode", "user", "--public", "film",
          "--epsilon", 1, "--delta", 1e-6, "--range", "1:5", "-o", "model.npz")


def test_no_output_overwrites_what_the_run_needs(tulle):
    write_ratings(tulle, ratings())
    (tulle.folder / "films.txt").write_text("".join(f"f{i}\n" for i in range(8)))
    error = tulle("complete", "ratings.csv", *USER, "--public", "film=films.txt", "-o", "films.txt", status=2).err
    assert "films.txt: is an input" in error
    tulle("budget", "create", "ratings", "--unit", "user", "--mode", "user", "--relation", "add-remove", "--ledger", "l.db")
    tulle("budget", "grant", "ratings", "--epsilon", 5, "--delta", 1e-3, "--ledger", "l.db")
    pay = ["--ledger", "l.db", "--account", "ratings"]
    error = tulle("complete", "ratings.csv", *USER, "--public", "film", *pay, "-o", "l.db", status=2).err
    assert "l.db: is an input" in error
    assert tulle("budget", "show", "ratings", "--ledger", "l.db", "--json").json["spent"] == 0


def test_rows_of_users_are_asked_for_only_where_there_are_some(tulle):
    """Before anything is released or charged."""
    write_ratings(tulle, ratings())
    error = tulle("complete", "ratings.csv", *PRIVATE, "--method", "input", "--unit", "user", "--user-mode", "user", "--relation", "replace",
                  "-o", "m.npz", "--user-output", "u.npz", status=2).err
    assert "joint" in error and not (tulle.folder / "m.npz").exists()


def test_an_entry_of_a_private_matrix_is_one_cell(tulle):
    """In a symmetric file one line stands for two cells, which would move together."""
    (tulle.folder / "m.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 1 1\n")
    error = tulle("complete", "m.mtx", "--epsilon", 1, "--range", "0:1", "--method", "input", status=1).err
    assert "write it as general" in error and error.count("\n") == 1
    tulle("complete", "m.mtx", "--method", "plain", "--rank", 1)


def test_a_ledger_is_for_proven_guarantees(tulle):
    write_ratings(tulle, ratings())
    tulle("budget", "create", "ratings", "--unit", "user", "--mode", "user", "--relation", "replace", "--ledger", "l.db")
    tulle("budget", "grant", "ratings", "--epsilon", 1, "--ledger", "l.db")
    error = tulle("complete", "ratings.csv", "--columns", "user,film,rating", "--epsilon", 50, "--range", "1:5", "--method", "local",
                  "--calibration", "published", "--unit", "user", "--user-mode", "user", "--ledger", "l.db", "--account", "ratings",
                  "-o", "m.npz", status=2).err
    assert "--calibration published" in error and not (tulle.folder / "m.npz").exists()


def test_data_without_a_file_are_not_those_of_an_account_for_one(tulle):
    write_ratings(tulle, ratings())
    tulle("budget", "create", "ratings", "--data", "ratings.csv", "--ledger", "l.db")
    tulle("budget", "grant", "ratings", "--epsilon", 9, "--ledger", "l.db")
    error = tulle("complete", "-", "--format", "csv", "--columns", "user,film,rating", "--epsilon", 1, "--range", "1:5", "--method", "input",
                  "--ledger", "l.db", "--account", "ratings", stdin=(tulle.folder / "ratings.csv").read_text(), status=1).err
    assert "standard input" in error


def test_a_solver_of_another_model_is_refused(tulle):
    write_ratings(tulle, ratings())
    for method in ("auto", "one-shot", "input"):
        error = tulle("complete", "ratings.csv", *PRIVATE, "--accept-losses", "--method", method, "--solver", "admm", status=2).err
        assert "there is no solver 'admm' for cp" in error and error.count("\n") == 1
