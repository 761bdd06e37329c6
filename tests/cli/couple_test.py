"""tulle couple: a study of several tables, its held-out cells, its files and its errors."""
import json
import pathlib

import numpy as np
import pytest
from jsonschema import Draft202012Validator

DOCS = pathlib.Path(__file__).parents[2] / "docs"

STUDY = """
title = "Visits"
entities = ["user", "place", "trait"]
rank = 2
[[relations]]
formula = "X[u,p] = U[u,k] P[p,k]"
file = "visits.csv"
columns = ["user", "place", "count"]
entities = ["user", "place"]
unlisted = "zero"
[[relations]]
formula = "Y[p,t] = P[p,k] T[t,k]"
file = "traits.csv"
entities = ["place", "trait"]
weight = 0.5
"""


PRIVATE = """
title = "Visits"
entities = ["user", "place", "trait"]
private = ["user"]
rank = 2
[sizes]
place = 20
[[relations]]
name = "visits"
entities = ["user", "place"]
file = "visits.tns"
[[relations]]
name = "stays"
entities = ["user", "place"]
range = [0, 24]
file = "stays.tns"
[[relations]]
name = "traits"
entities = ["place", "trait"]
public = true
file = "traits.tns"
"""
SPLIT = PRIVATE.replace('file = "visits.tns"', "").replace('file = "stays.tns"', "") + """
[split]
file = "visits.tns"
files = { stays = "stays.tns" }
sites = 1
"""
RUN = ("couple", "private.toml", "--epsilon", 4, "--delta", 1e-5, "--range", "1:5", "--steps", 5)


@pytest.fixture
def private(tulle):
    """Users with cells in two tables, and public traits of places."""
    random = np.random.default_rng(6)
    rows = [(u, p, random.integers(1, 6)) for u in range(1, 81) for p in range(1, 21) if random.random() < 0.4]
    (tulle.folder / "visits.tns").write_text("".join(f"{u} {p} {v}\n" for u, p, v in rows))
    (tulle.folder / "stays.tns").write_text("".join(f"{u} {p} {5 * v - 1}\n" for u, p, v in rows if u % 2))
    (tulle.folder / "traits.tns").write_text("".join(f"{p} {t} {p * t % 5}\n" for p in range(1, 21) for t in (1, 2, 3)))
    (tulle.folder / "private.toml").write_text(PRIVATE)
    (tulle.folder / "split.toml").write_text(SPLIT)
    return tulle


@pytest.fixture
def study(tulle):
    """Two groups of users and places; what users do is seen in the traits of the places."""
    random = np.random.default_rng(5)
    visits = [f"u{u},p{p},{1 + random.integers(4)}" for u in range(30) for p in range(20) if u % 2 == p % 2 and random.random() < 0.7]
    traits = [f"p{p},t{t},{5 if p % 2 == t % 2 else 0.1}" for p in range(20) for t in range(4)]
    (tulle.folder / "visits.csv").write_text("user,place,count\n" + "\n".join(visits) + "\n")
    (tulle.folder / "traits.csv").write_text("place,trait,value\n" + "\n".join(traits) + "\n")
    (tulle.folder / "study.toml").write_text(STUDY)
    return tulle


@pytest.mark.parametrize("inference", ["ml", "vb"])
def test_held_out_links_of_groups_are_found(study, inference):
    report = study("couple", "study.toml", "--missing", 0.5, "--seed", 1, "--starts", 3, "--inference", inference, "--json").json
    assert report["test_cells"] == 300 and report["test_auc"] > 0.85
    assert report["guarantee"] is None


def test_cold_places_are_known_by_their_traits(study):
    report = study("couple", "study.toml", "--cold-start", 5, "--entity", "place", "--seed", 2, "--starts", 3, "--json").json
    assert report["test_cells"] == 150 and report["test_auc"] > 0.8
    assert report["popularity_auc"] < 0.7


def test_the_model_file_opens_in_numpy_and_predicts_what_was_written(study):
    study("couple", "study.toml", "--missing", 0.3, "--seed", 1, "-o", "model.npz", "--predictions", "cells.csv")
    model = np.load(study.folder / "model.npz")
    about = json.loads(model["tulle.json"])
    users, places = ({name: i for i, name in enumerate(entity["labels"])} for entity in about["entities"][:2])
    lines = (study.folder / "cells.csv").read_text().split()[1:]
    assert len(lines) == 180
    for line in lines:
        user, place, value = line.split(",")
        assert float(value) == pytest.approx(float(model["U"][users[user]] @ model["P"][places[place]]), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("inference", ["ml", "vb", "langevin"])
def test_a_saved_model_predicts_evaluates_and_is_described(study, inference):
    held_out = study("couple", "study.toml", "--missing", 0.3, "--seed", 1, "--iterations", 40, "--inference", inference,
                     "-o", "model.npz", "--predictions", "cells.csv", "--json").json
    study("predict", "model.npz", "cells.csv", "-o", "again.csv")
    values = [[float(line.split(",")[2]) for line in (study.folder / name).read_text().split()[1:]] for name in ("cells.csv", "again.csv")]
    assert values[0] == pytest.approx(values[1], rel=1e-5)
    scores = study("evaluate", "model.npz", "visits.csv", "--relation", "X", "--json").json
    assert scores["model"] == "coupled" and scores["method"] == inference and scores["test_rmse"] > 0
    about = study("info", "model.npz", "--json").json
    assert about["relations"] == ["X[u,p] = U[u,k] P[p,k]", "Y[p,t] = P[p,k] T[t,k]"]
    assert (about["samples"] > 0) == (inference == "langevin")
    assert [mode["size"] for mode in about["modes"]] == [30, 20, 4]
    assert "relation" in study("info", "model.npz").out
    assert held_out["inference"] == inference


def test_coupled_models_predict_listed_cells_of_their_relations(study):
    study("couple", "study.toml", "--iterations", 2, "-o", "model.npz")
    assert "listed cells" in study("predict", "model.npz", "--all", status=2).err
    assert "relation" in study("predict", "model.npz", "visits.csv", "--relation", "Z", status=2).err
    (study.folder / "few.tns").write_text("1 1 2\n2 1 1\n1 2 1\n")
    study("complete", "few.tns", "--method", "plain", "--rank", 1, "-o", "plain.npz")
    assert "--relation" in study("predict", "plain.npz", "few.tns", "--relation", "X", status=2).err


EUCLIDEAN = {'unlisted = "zero"': 'unlisted = "zero"\ndivergence = "euclidean"', "weight = 0.5": 'divergence = "euclidean"'}


@pytest.mark.parametrize("inference, change", [
    ("sgd-map", {}), ("sgld", {}), ("langevin", {}), ("gibbs", {"weight = 0.5": ""}),
    ("als", EUCLIDEAN), ("hals", EUCLIDEAN),
])
def test_every_inference_can_be_stated_in_the_study(study, inference, change):
    text = STUDY.replace('title = "Visits"', f'title = "Visits"\ninference = "{inference}"')
    for before, after in change.items():
        text = text.replace(before, after)
    (study.folder / "stated.toml").write_text(text)
    if inference == "gibbs":  # counts
        traits = (study.folder / "traits.csv").read_text().replace(",0.1", ",0")
        (study.folder / "traits.csv").write_text(traits)
    report = study("couple", "stated.toml", "--missing", 0.5, "--seed", 1, "--iterations", 200, "--json").json
    assert report["inference"] == inference and report["test_auc"] > 0.8
    repeated = study("couple", "stated.toml", "--missing", 0.5, "--seed", 1, "--iterations", 200, "--threads", 1, "--json").json
    assert repeated["test_auc"] == report["test_auc"]


def test_ratings_beside_a_table_of_traits_are_no_worse_than_main_effects(study):
    """A study that states no inference; relations without a name have that of their file."""
    random = np.random.default_rng(3)
    users, films = random.normal(size=(2, 60, 2))
    ratings = [(u, f, 3 + users[u] @ films[f] + random.normal()) for u in range(60) for f in range(60) if random.random() < 0.2]
    (study.folder / "ratings.csv").write_text("user,film,rating\n" + "".join(f"u{u},f{f},{value:.3f}\n" for u, f, value in ratings))
    (study.folder / "genres.csv").write_text("film,genre,is\n" + "".join(f"f{f},g{g},{films[f, g]:.3f}\n" for f in range(60) for g in range(2)))
    relations = [f'[[relations]]\nfile = "{name}.csv"\nentities = {entities}\ndivergence = "euclidean"\n'
                 for name, entities in (("ratings", '["user", "film"]'), ("genres", '["film", "genre"]'))]
    (study.folder / "films.toml").write_text('entities = ["user", "film", "genre"]\nrank = 4\n' + "".join(relations))
    run = lambda *more: study("couple", "films.toml", "--relation", "ratings", "--missing", 0.2, "--seed", 1, "--json", *more).json
    report = run()
    assert report["inference"] == "gibbs" and report["test_rmse"] < report["baseline_main_effects_rmse"]
    assert any("gibbs" in remark for remark in run("--inference", "als", "--iterations", 20)["remarks"])


def test_priors_that_play_no_part_are_said(study):
    (study.folder / "study.toml").write_text(STUDY.replace("rank = 2", "rank = 2\nprior = { shape = 2, mean = 1 }"))
    remark = "The priors of the study play no part in ml; map has them."
    assert remark in study("couple", "study.toml", "--iterations", 2).out
    assert remark not in study("couple", "study.toml", "--iterations", 2, "--inference", "map").out


def test_steps_without_bound_leave_no_model(study):
    (study.folder / "study.toml").write_text(STUDY.replace('unlisted = "zero"', 'p = 0').replace("weight = 0.5", "p = 0\nweight = 0.5") )
    for name in ("visits.csv", "traits.csv"):  # a value below 0, so that factors may be
        lines = (study.folder / name).read_text().splitlines()
        lines[1] = lines[1].rsplit(",", 1)[0] + ",-1"
        (study.folder / name).write_text("\n".join(lines) + "\n")
    for inference, step, iterations in (("sgld", 1e10, 20), ("sgd-map", 1e10, 20), ("sgd-map", 1e10, 3)):
        error = study("couple", "study.toml", "--inference", inference, "--step", step, "--iterations", iterations,
                      "-o", "model.npz", status=1).err
        assert "grow without bound" in error and not (study.folder / "model.npz").exists()


def test_given_cells_are_held_out(study):
    (study.folder / "test.csv").write_text("user,place,count\nu0,p0,2\nu0,p1,0\nu1,p1,3\n")
    report = study("couple", "study.toml", "--test", "test.csv", "--seed", 1, "--json").json
    assert (report["test_cells"], report["test_links"]) == (3, 2)


def test_given_cells_have_values_as_the_table_has_them(study):
    """What values = "log" makes of the table, it makes of held-out cells."""
    (study.folder / "study.toml").write_text(STUDY.replace('unlisted = "zero"', 'values = "log"'))
    lines = (study.folder / "visits.csv").read_text().splitlines()
    (study.folder / "test.csv").write_text("\n".join([lines[0], *lines[1::5]]) + "\n")
    run = lambda *held_out: study("couple", "study.toml", *held_out, "--seed", 1, "--json").json["test_rmse"]
    assert run("--test", "test.csv") < 1.5 * run("--missing", 0.2)
    (study.folder / "test.csv").write_text("user,place,count\nu0,p0,-3\n")
    assert 'values = "log" is for values above -1' in study("couple", "study.toml", "--test", "test.csv", status=1).err


@pytest.mark.parametrize("name, message", [
    ("p.txt", "unknown format"), ("p.npy", "p.npy: .npy holds every cell"), ("p.npz.gz", "remove .gz"),
])
def test_predictions_that_cannot_be_written_are_refused_before_the_fit(study, name, message):
    error = study("couple", "study.toml", "--missing", 0.2, "--predictions", name, "-o", "model.npz",
                  status=2 if name.endswith(".gz") else 1).err
    assert message in error and not (study.folder / "model.npz").exists()


def test_parts_of_no_cells_and_batches_of_no_entries_are_refused(study):
    assert "which is none of the 600 known cells" in study("couple", "study.toml", "--missing", 1e-4, status=2).err
    assert "but no relation has more than" in study("couple", "study.toml", "--inference", "sgld", "--batches", 100000, status=2).err


def test_labels_that_are_not_known_cannot_be_added(study):
    (study.folder / "test.csv").write_text("user,place,count\nnobody,p0,2\n")
    error = study("couple", "study.toml", "--test", "test.csv", status=1).err
    assert error.endswith("'nobody' is not among the known labels of user; remove the line\n")


def test_a_table_of_one_entity_has_a_line_of_label_and_value_each(study):
    (study.folder / "ages.csv").write_text("user,age\n" + "\n".join(f"u{u},{20 + u % 2}" for u in range(30)) + "\n")
    (study.folder / "study.toml").write_text(STUDY + """
[[relations]]
formula = "Z[u] = U[u,k] B[k]"
file = "ages.csv"
entities = ["user"]
""")
    report = study("couple", "study.toml", "--relation", "Z", "--missing", 0.2, "--seed", 1, "--predictions", "p.csv", "-o", "m.npz",
                   "--json").json
    assert report["test_cells"] == 6 and report["test_rmse"] < 5
    lines = (study.folder / "p.csv").read_text().splitlines()
    assert lines[0] == "user,column,value" and len(lines) == 7
    held_out = study("couple", "study.toml", "--relation", "Z", "--test", "p.csv", "--seed", 1, "--json").json
    assert held_out["test_cells"] == 6
    predicted = study("predict", "m.npz", "ages.csv", "--relation", "Z", "-o", "all.csv")
    assert len((study.folder / "all.csv").read_text().splitlines()) == 31, predicted
    assert "entity of the relation 'age'" in study("couple", "study.toml", "--relation", "Z", "--cold-start", 2, "--entity", "age", status=2).err


def test_an_entity_that_stands_twice_has_two_names_in_files(study):
    (study.folder / "friends.csv").write_text("one,other,count\n" + "\n".join(f"u{u},u{(u + 2) % 30},1" for u in range(30)) + "\n")
    (study.folder / "study.toml").write_text(STUDY + """
[[relations]]
formula = "S[u,v] = U[u,k] V[v,k]"
file = "friends.csv"
entities = ["user", "user"]
""")
    run = ("couple", "study.toml", "--relation", "S", "--seed", 1)
    study(*run, "--missing", 0.2, "--predictions", "p.csv")
    assert (study.folder / "p.csv").read_text().startswith("user,user_2,value\n")
    assert study(*run, "--test", "p.csv", "--json").json["test_cells"] == 6


def test_distributions_have_intervals_and_points_have_none(study):
    (study.folder / "cells.csv").write_text("user,place\nu0,p0\nu0,p1\nu1,p1\n")
    for inference in ("vb", "langevin"):
        study("couple", "study.toml", "--inference", inference, "--iterations", 60, "--seed", 1, "-o", "model.npz")
        out = study("predict", "model.npz", "cells.csv", "--interval", 0.9).out.splitlines()
        assert out[0] == "user,place,value,low,high" and len(out) == 4
        for line in out[1:]:
            value, low, high = map(float, line.split(",")[2:])
            assert 0 <= low < value < high
        wider = study("predict", "model.npz", "cells.csv", "--interval", 0.99, "-o", "wide.tsv")
        assert float((study.folder / "wide.tsv").read_text().splitlines()[1].split("\t")[-1]) > float(out[1].split(",")[-1]), wider
    assert "between 0 and 1" in study("predict", "model.npz", "cells.csv", "--interval", 90, status=2).err
    assert "write .csv or .tsv" in study("predict", "model.npz", "cells.csv", "--interval", 0.9, "-o", "p.npz", status=2).err
    study("couple", "study.toml", "--seed", 1, "-o", "point.npz")
    error = study("predict", "point.npz", "cells.csv", "--interval", 0.9, status=2).err
    assert "is a point and has no intervals; fit it by vb, gibbs, langevin or sgld" in error


def test_the_seed_repeats_a_run_with_any_number_of_threads(study):
    runs = [study("couple", "study.toml", "--missing", 0.5, "--seed", 3, "--threads", threads, "--json").json for threads in (1, 2)]
    assert runs[0]["objective"] == runs[1]["objective"] and runs[0]["test_auc"] == runs[1]["test_auc"]


def test_the_drawing_shows_entities_factors_and_relations(study):
    study("couple", "study.toml", "--draw", "study.svg", "--iterations", 1)
    drawing = (study.folder / "study.svg").read_text()
    for text in ("Visits", ">user<", "U[u,k]", "Y (20x4, kl)"):
        assert text in drawing


def test_zeros_that_are_sampled_are_said(study):
    (study.folder / "wide.csv").write_text("user,place,count\n" + "\n".join(f"a{i},b{i},1" for i in range(400)) + "\n")
    text = STUDY.replace("visits.csv", "wide.csv").replace('unlisted = "zero"', 'unlisted = "zero"\np = 1.5').split("[[relations]]")
    (study.folder / "wide.toml").write_text("[[relations]]".join(text[:2]).replace(', "trait"', ""))
    assert "zeros" in study("couple", "wide.toml", "--iterations", 2).out


@pytest.mark.parametrize("change, expected", [
    (("weight", "wieght"), "study.toml:15: 'wieght' means nothing here (did you mean 'weight'?)"),
    (('["place", "trait"]\nweight', '["plaec", "trait"]\nweight'), "'plaec' is not among the entities (did you mean 'place'?)"),
    (("Y[p,t]", "Y[p,p]"), "index letter p is used twice in Y"),
    (("P[p,k] T[t,k]", "P[p,k] T[t,k] P[p,k]"), "factor P stands twice in its product; give the second one a name of its own"),
    (("weight = 0.5", "drop = [1]"), "drop is for numbered positions"),
    (("rank = 2", 'rank = 2\nprior = { variance = 1, shape = 2 }'), "not both"),
    (("rank = 2", 'rank = 2\nprior = { variance = 1 }'), "a normal prior is for factors that may be negative"),
    (("rank = 2", "rank = 0"), "study.toml:4: rank is 0"),
    (("Y[p,t]", "X[p,t]"), "two relations are named X; give each a name of its own"),
    (("traits.csv", "nowhere.csv"), "nowhere.csv"),
    (("weight = 0.5", "p = 4"), "study.toml:15: divergence 4: p must be from 0 to 3"),
    (("weight = 0.5", 'p = 1\ndivergence = "kl"'), "study.toml:15: a relation has a divergence by its name or as p, not both"),
    (('entities = ["place", "trait"]', 'entities = ["place"]'), "relation Y has entities place, but its formula has indices p, t on the left"),
    (('weight = 0.5', 'divergence = "itakura-saito"\nunlisted = "zero"'), "state a floor above 0"),
])
def test_mistakes_in_the_study_are_one_line_that_names_the_place(study, change, expected):
    assert change[0] in STUDY
    (study.folder / "study.toml").write_text(STUDY.replace(*change))
    error = study("couple", "study.toml", status=1).err
    assert expected in error and "study.toml" in error and error.count("\n") == 1


@pytest.mark.parametrize("words, expected", [
    (("--missing", 0.5, "--cold-start", 3), "exclude each other"),
    (("--inference", "map"), "needs a prior"),
    (("--inference", "sgld", "--starts", 3), "starts is 3"),
    (("--inference", "vb", "--dispersion"), "dispersions"),
    (("--relation", "Z"), "relation"),
    (("--predictions", "cells.csv"), "held-out cells"),
    (("--missing", 1.5), "between 0 and 1"),
    (("--draw", "study.png"), "drawings are SVG"),
    (("--missing", 0.5, "--predictions", "traits.csv"), "traits.csv: is an input and would be overwritten"),
    (("--prior", "2:1"), "--prior plays no part in ml"),
    (("--samples", 3), "--samples is for sgld, langevin and gibbs"),
    (("--batches", 7), "--batches is for sgld and sgd-map"),
    (("--fixed-priors",), "--fixed-priors is for vb, sgld, langevin and gibbs"),
    (("--step", 0.3, "--inference", "gibbs"), "--step is for sgld and sgd-map"),
    (("--columns", "a,b,c"), "--columns is for --test"),
    (("--header", "no"), "--header is for --test"),
    (("--tolerance", "nan"), "--tolerance nan: give 0 or more"),
    (("--seed", -1), "--seed: -1 is not a whole number"),
])
def test_wrong_use_is_said_in_one_line(study, words, expected):
    error = study("couple", "study.toml", *words, status=2).err
    assert expected in error and error.count("\n") == 1


def test_log_odds_of_zeros_and_ones_are_predicted_as_probabilities(study):
    links = STUDY.replace('file = "visits.csv"', 'file = "visits.csv"\nvalues = "binary"\ndivergence = "bernoulli"')
    (study.folder / "study.toml").write_text(links.replace("weight = 0.5", 'divergence = "huber"').replace("rank = 2", "rank = 2\nprior = { variance = 1 }"))
    assert "no multiplicative updates for divergence bernoulli" in study("couple", "study.toml", status=1).err
    result = study("couple", "study.toml", "--missing", 0.3, "--inference", "sgd-map", "--iterations", 200, "--seed", 1,
                   "-o", "model.npz", "--predictions", "cells.csv", "--json").json
    # Of the places of her group a user visits 70 %: groups alone give an AUC of (0.5 + 0.15 / 2) / 0.65 = 0.88.
    assert result["test_auc"] > 0.8
    assert [relation.get("divergence") for relation in result["relations"]] == ["bernoulli", "huber"]
    study("predict", "model.npz", "cells.csv", "-o", "again.csv")
    predicted = [float(line.split(",")[2]) for line in (study.folder / "again.csv").read_text().splitlines()[1:]]
    assert min(predicted) >= 0 and max(predicted) <= 1 and max(predicted) > 0.5 > min(predicted)


@pytest.mark.parametrize("values, divergence, expected", [
    ("p0,t0,1\np1,t3,-2", "kl", "traits.csv: place p1, trait t3 is -2, and divergence kl is not defined for negative values"),
    ("p0,t0,1\np1,t3,0", "itakura-saito", "traits.csv: place p1, trait t3 is 0, and divergence itakura-saito is not defined for zeros; state a floor"),
])
def test_values_that_a_divergence_is_not_defined_for_are_named_by_their_cell(study, values, divergence, expected):
    (study.folder / "traits.csv").write_text("place,trait,value\n" + values + "\n")
    (study.folder / "study.toml").write_text(STUDY.replace("weight = 0.5", f'divergence = "{divergence}"'))
    assert expected in study("couple", "study.toml", status=1).err


def test_tables_that_disagree_about_an_entity_are_both_named(study):
    np.save(study.folder / "a.npy", np.ones((4, 3)))
    np.save(study.folder / "b.npy", np.ones((5, 2)))
    text = "\n".join(line for line in STUDY.splitlines() if not line.startswith("columns"))
    (study.folder / "study.toml").write_text(text.replace("visits.csv", "a.npy").replace("traits.csv", "b.npy"))
    error = study("couple", "study.toml", status=1).err
    assert "b.npy: place has 5 positions here, but 3 in" in error and "a.npy" in error


def test_a_study_that_is_not_there_and_a_model_for_other_verbs(study):
    assert study("couple", "nowhere.toml", status=1).err == "tulle: nowhere.toml: No such file or directory\n"
    assert "is a folder" in study("couple", ".", status=1).err
    study("couple", "study.toml", "--iterations", 2, "-o", "model.npz")
    assert "model.npz: holds a coupled model; give a model that tulle complete made" in study("recommend", "model.npz", "--for", "u1", status=1).err


def test_the_schema_of_the_study_file_is_true():
    tomllib = pytest.importorskip("tomllib")
    validator = Draft202012Validator(json.loads((DOCS / "study.schema.json").read_text()))
    blocks = [block.split("```")[0] for block in (DOCS / "study-file.md").read_text().split("```toml")[1:]]
    for text in (STUDY, PRIVATE, *blocks[:3]):
        validator.validate(tomllib.loads(text))
    assert not validator.is_valid(tomllib.loads(STUDY.replace("weight", "wieght")))
    assert not validator.is_valid(tomllib.loads(PRIVATE.replace('private = ["user"]', "")))


def test_a_private_study_is_that_of_one_place_that_has_all_tables(private):
    report = private(*RUN, "--accept-losses", "--seed", 1, "-o", "model.npz", "--json").json
    assert report["guarantee"]["status"].startswith("proven") and report["guarantee"]["joint"]
    assert report["guarantee"]["mode"] == "user" and report["guarantee"]["adversary"] == "anybody who sees the releases"
    assert {"relation traits, all of it", "the range of relation stays"} <= set(report["guarantee"]["public"])
    assert report["trust"] == "central"
    assert report["relations"] == [{"name": "visits", "modes": [1, 2]}, {"name": "stays", "modes": [1, 2]}]
    words = [word for word in RUN[2:] if word not in ("--steps", 5)]
    private("federate", "split.toml", *words, "--method", "dp-sgld", "--sweeps", 5, "--seed", 1, "-o", "simulated.npz")
    assert (private.folder / "model.npz").read_bytes() == (private.folder / "simulated.npz").read_bytes()


def test_a_private_study_has_errors_pages_and_rows_of_its_users(private):
    report = private(*RUN, "--seed", 1, "--missing", 0.2, "-o", "model.npz", "--user-output", "own.npz", "--report", "page.html",
                     "--owner-part", "--curve", "1,2", "--json").json
    assert report["test_cells"] > 50 and set(report["owner_only"]["fields"]) >= {"test_rmse", "train_cells"}
    page = (private.folder / "page.html").read_text()
    assert "relations of a study" in page and "relation traits" in page
    (private.folder / "cells.tns").write_text("1 1 1 4\n2 1 2 3\n")
    assert private("evaluate", "own.npz", "cells.tns", "--json").json["test_cells"] == 2
    assert np.load(private.folder / "model.npz")["factor1"].shape[0] == 1, "any user"


@pytest.mark.parametrize("words, status, expected", [
    ((), 2, "each user is private; give --epsilon E, --delta D and --range LOW:HIGH"),
    (("--epsilon", 1, "--delta", 1e-5), 2, "--range LOW:HIGH"),
    ((*RUN[2:], "--method", "plain"), 2, "method plain fits no private study"),
    ((*RUN[2:], "--method", "als"), 2, "takes one relation"),
    ((*RUN[2:], "--inference", "vb"), 2, "--inference is for a study without privacy"),
    ((*RUN[2:], "--unlisted", "zero"), 2, "--unlisted is for a study without privacy"),
    ((*RUN[2:], "--calibration", "published"), 2, "takes one relation"),
    ((*RUN[2:], "-o", "stays.tns"), 2, "stays.tns: is an input"),
    ((*RUN[2:], "--stop-if-lost", 0.001), 1, "Relation stays"),
])
def test_what_a_private_study_cannot_be_is_said_in_one_line(private, words, status, expected):
    (private.folder / "stays.tns").write_text("1 1 25\n2 1 3\n")
    error = private("couple", "private.toml", *words, status=status).err
    assert expected in error and error.count("\n") == 1


@pytest.mark.parametrize("text", [PRIVATE, SPLIT, STUDY])
def test_sizes_of_unknown_entities_are_refused(private, text):
    text = text.replace("[sizes]\n", "").replace("place = 20\n", "").replace("[[relations]]", "[sizes]\nplace = 20\nplaec = 20\n[[relations]]", 1)
    (private.folder / "typed.toml").write_text(text)
    verb, words = ("federate", ("--method", "als")) if text is SPLIT else ("couple", ())
    error = private(verb, "typed.toml", *(RUN[2:-2] if "private" in text else ()), *words, status=1).err
    assert "typed.toml" in error and "'plaec'" in error and "did you mean 'place'?" in error and error.count("\n") == 1


@pytest.mark.parametrize("text", [PRIVATE, SPLIT])
@pytest.mark.parametrize("old, new, message", [
    ("place = 20\n", "place = 20\ntrait = 7\n", "the table has 3 positions of trait, but [sizes] states 7"),
    ("place = 20\n", 'place = 20\n[positions]\ntrait = "traits.txt"\n', "no relation of user has entity trait"),
    ('"trait"]\nprivate', '"trait", "ghost"]\nprivate', "no relation has entity ghost"),
    ('"trait"]\nprivate', '"trait", "place"]\nprivate', "entity place is listed twice"),
])
def test_what_is_stated_of_an_entity_has_an_effect(private, text, old, new, message):
    (private.folder / "stated.toml").write_text(text.replace(old, new, 1))
    verb = "federate" if text is SPLIT else "couple"
    error = private(verb, "stated.toml", *RUN[2:-2], "--method", "dp-sgld", status=1).err
    assert message in error and error.count("\n") == 1


def test_releases_are_kept_or_dropped(private):
    text = PRIVATE.split("[[relations]]")
    (private.folder / "one.toml").write_text("[[relations]]".join(text[:2]).replace(', "trait"', ""))
    run = ("couple", "one.toml", *RUN[2:-2], "--method", "als", "-o", "model.npz")
    private(*run)
    assert private("info", "model.npz", "--json").json["releases"] > 0
    assert private("refit", "model.npz", "--rank", 0, "--json").json["refitted"]
    private(*run, "--releases", "drop")
    assert "releases" not in private("info", "model.npz", "--json").json
    assert "keeps no releases" in private("refit", "model.npz", status=1).err


def test_a_study_without_privacy_takes_no_budget(study):
    error = study("couple", "study.toml", "--epsilon", 1, status=2).err
    assert '--epsilon is for a private study; state in the study whom it protects, as private = ["user"]' in error
