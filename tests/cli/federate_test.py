"""tulle federate: sites in one process and as processes of MPI, what they write and what is refused."""
import json
import os
import subprocess

import numpy as np
import pytest

STUDY = """
title = "Shops"
entities = ["user", "film"]
private = ["user"]
[positions]
film = "films.txt"
[[relations]]
name = "ratings"
entities = ["user", "film"]
columns = ["user", "film", "rating"]
"""
RUN = ["federate", "shops.toml", "--epsilon", "2", "--delta", "1e-5", "--range", "1:5"]
MPI = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
with_mpi = pytest.mark.skipif(not os.environ.get("TULLE_MPI"), reason="built without MPI")


@pytest.fixture
def shops(tulle):
    """Four sites; the later a film, the better it is liked."""
    random = np.random.default_rng(2)
    study = STUDY
    (tulle.folder / "films.txt").write_text("".join(f"f{film}\n" for film in range(8)))
    for site in range(4):
        study += f'[[sites]]\nname = "shop{site}"\nfile = "{site}.csv"\ntest = "{site}.csv"\n'
        lines = [f"s{site}u{user},f{film},{np.clip(2 + film / 3 + random.standard_normal() / 2, 1, 5):.3f}"
                 for user in range(80) for film in range(8) if random.random() < 0.6]
        (tulle.folder / f"{site}.csv").write_text("user,film,rating\n" + "\n".join(lines) + "\n")
    (tulle.folder / "shops.toml").write_text(study)
    return tulle


def offsets_in(path):
    return np.load(path)["bias2"]


def mpirun(shops, *options, processes=4):
    return subprocess.run(["mpirun", "--oversubscribe", "-n", str(processes), *shops.command, *RUN, *options], cwd=shops.folder,
                          capture_output=True, text=True, timeout=60, env=MPI)


def test_films_are_ranked_and_the_guarantee_names_the_adversary(shops):
    report = shops(*RUN, "--seed", 1, "-o", "films.npz", "--json").json
    assert np.corrcoef(offsets_in(shops.folder / "films.npz"), range(8))[0, 1] > 0.9
    guarantee = report["guarantee"]
    assert guarantee["status"].startswith("proven") and guarantee["joint"] and guarantee["mode"] == "user"
    assert "any one of the 4 sites" in guarantee["adversary"]
    assert report["rounds"] == len(guarantee["releases"]) + 1, "one before anybody is charged"
    assert set(report["owner_only"]["fields"]) >= {"sites", "test_rmse"}


def test_the_shared_model_keeps_its_releases_or_drops_them(shops):
    shops(*RUN, "-o", "films.npz", "--site-models", ".")
    assert shops("refit", "films.npz", "--rank", 0, "--json").json["refitted"]
    assert "keeps no releases" in shops("refit", "shop1.npz", status=1).err, "it is of one site"
    shops(*RUN, "-o", "films.npz", "--releases", "drop")
    assert "keeps no releases" in shops("refit", "films.npz", status=1).err


def test_sites_that_share_nothing_are_a_baseline(shops):
    report = shops("federate", "shops.toml", "--method", "no-sharing", "--json").json
    assert report["guarantee"] is None and report["rounds"] == 0 and report["test_rmse"] < 1
    assert report["remarks"] == ["Every site fits its own table by itself; nothing leaves it."]
    assert "no shared model" in shops("federate", "shops.toml", "--method", "no-sharing", "-o", "m.npz", status=2).err


def test_published_forms_run_over_sites_with_all_noise_at_each(shops):
    sound = shops(*RUN, "--method", "dp-sgld", "--sweeps", 3, "--seed", 1, "--json").json
    assert sound["guarantee"]["status"].startswith("proven")
    claimed = shops(*RUN, "--method", "dp-sgld", "--calibration", "published", "--sgld-rule", "wang-noise", "--sweeps", 3, "--seed", 1,
                    "--json").json
    assert claimed["guarantee"]["status"].startswith("claimed") and "any 3 of the 4 sites" in claimed["guarantee"]["adversary"]
    assert "has no published form" in shops(*RUN, "--calibration", "published", status=2).err


COUNTS = ["federate", "shops.toml", "--epsilon", "4", "--range", "1:5", "--rank", "2", "--seed", "1"]


def test_sites_send_noisy_counts(shops):
    """Both methods share the same; with ldp2 a site's own model, and its errors, are those of counts without noise."""
    (shops.folder / "own").mkdir()
    one = shops(*COUNTS, "--method", "ldp1", "--unit", "entry", "-o", "one.npz", "--json").json
    two = shops(*COUNTS, "--method", "ldp2", "--unit", "entry", "-o", "two.npz", "--site-models", "own", "--json").json
    first, second = (np.load(shops.folder / name) for name in ("one.npz", "two.npz"))
    np.testing.assert_array_equal(first["factor2"], second["factor2"])
    assert first["factor1"].shape[0] == 1 and not first["factor1"].any()
    guarantee = two["guarantee"]
    assert guarantee["unit"] == "entry" and guarantee["delta"] == 0 and "all other sites" in guarantee["adversary"]
    assert any("without the users' names" in fact for fact in guarantee["public"])
    assert not any("their labels" in fact for fact in guarantee["public"]) and len(set(guarantee["public"])) == len(guarantee["public"])
    assert two["test_rmse"] < one["test_rmse"]
    own = json.loads(np.load(shops.folder / "own" / "shop2.npz")["tulle.json"])
    assert "s2u0" in json.dumps(own) and "s0u0" not in json.dumps(own) and "for that site alone" in json.dumps(own)
    assert "mean of variational Bayes" in "".join(one["remarks"])
    sampled = shops(*COUNTS, "--method", "ldp1", "--unit", "entry", "--posterior", "gibbs", "--json").json
    assert "mean of 100 samples" in "".join(sampled["remarks"])
    assert sampled["guarantee"]["releases"] == one["guarantee"]["releases"]
    assert "takes no posterior" in shops(*RUN, "--posterior", "vb", status=2).err
    assert "protects users over sites" in shops(*RUN, "--unit", "entry", status=2).err
    assert "not runnable as printed" in shops(*COUNTS, "--method", "ldp2", "--calibration", "published", status=2).err


@with_mpi
def test_processes_that_send_counts_find_what_one_process_finds(shops):
    options = ["--method", "ldp2", "--rank", "2", "--unit", "entry", "--seed", "1"]
    shops(*RUN, *options, "-o", "here.npz")
    done = mpirun(shops, *options, "-o", "mpi.npz")
    assert done.returncode == 0, done.stderr
    here, there = (np.load(shops.folder / name) for name in ("here.npz", "mpi.npz"))
    np.testing.assert_allclose(here["factor2"], there["factor2"], rtol=0, atol=1e-10)


def test_the_published_model_has_no_users(shops):
    (shops.folder / "own").mkdir()
    shops(*RUN, "--seed", 1, "-o", "films.npz", "--site-models", "own")
    published = json.loads(np.load(shops.folder / "films.npz")["tulle.json"])
    assert "s0u0" not in json.dumps(published)
    own = json.loads(np.load(shops.folder / "own" / "shop2.npz")["tulle.json"])
    assert "s2u0" in json.dumps(own) and "s0u0" not in json.dumps(own)


@with_mpi
def test_processes_find_what_one_process_finds(shops):
    shops(*RUN, "--seed", 1, "-o", "here.npz")
    done = mpirun(shops, "--seed", "1", "-o", "mpi.npz", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rounds"] > 0
    here, there = (np.load(shops.folder / name) for name in ("here.npz", "mpi.npz"))
    for name in here.files:
        if name != "tulle.json":
            np.testing.assert_allclose(here[name], there[name], rtol=0, atol=1e-10)


@with_mpi
def test_a_process_reads_its_own_table_alone(shops):
    """Rank 1 runs in a folder where the other tables are not."""
    apart = shops.folder / "apart"
    apart.mkdir()
    for name in ("shops.toml", "films.txt", "1.csv"):
        (apart / name).write_text((shops.folder / name).read_text())
    (shops.folder / "1.csv").unlink()
    one = [*shops.command, *RUN, "--seed", "1", "-o", "films.npz"]
    done = subprocess.run(["mpirun", "--oversubscribe", "-n", "1", *one, ":", "-n", "1", "-wdir", str(apart), *one, ":", "-n", "2", *one],
                          cwd=shops.folder, capture_output=True, text=True, timeout=60, env=MPI)
    assert done.returncode == 0, done.stderr
    assert (apart / "films.npz").read_bytes() == (shops.folder / "films.npz").read_bytes(), "each has the shared model"
    assert done.stdout.count("Guarantee:") == 4


@with_mpi
def test_processes_whose_tables_name_users_in_other_ways_are_refused(shops):
    """Before the first sum, and by the formats: no user is named."""
    apart = shops.folder / "apart"
    apart.mkdir()
    (apart / "shops.toml").write_text((shops.folder / "shops.toml").read_text().replace('file = "1.csv"', 'file = "1.tns"'))
    (apart / "films.txt").write_text("".join(f"{film}\n" for film in range(1, 9)))
    (apart / "1.tns").write_text("1 1 3\n2 2 4\n")
    run = [*shops.command, *RUN, "--seed", "1"]
    done = subprocess.run(["mpirun", "--oversubscribe", "-n", "1", *run, ":", "-n", "1", "-wdir", str(apart), *run, ":", "-n", "2", *run],
                          cwd=shops.folder, capture_output=True, text=True, timeout=60, env=MPI)
    assert done.returncode != 0
    assert "runs with user of ratings at site shop1 by numbers" in done.stderr and "by names" in done.stderr, done.stderr
    assert "s1u" not in done.stderr


@with_mpi
@pytest.mark.parametrize("other, told", [(["--epsilon", "50"], "epsilon 50"), (["--seed", "2"], "seed 2")])
def test_processes_with_other_options_are_refused(shops, other, told):
    """Their noise, or the unit that they count in, would be another one."""
    run = [*shops.command, *RUN, "--seed", "1"]
    for option, value in zip(other[::2], other[1::2]):
        own = list(run)
        own[own.index(option) + 1] = value
    done = subprocess.run(["mpirun", "--oversubscribe", "-n", "3", *run, ":", "-n", "1", *own], cwd=shops.folder, capture_output=True,
                          text=True, timeout=60, env=MPI)
    assert done.returncode != 0 and told in done.stderr and "give all sites the same" in done.stderr


@with_mpi
def test_processes_that_merge_rows_in_other_ways_are_refused(shops):
    """Their guarantees would state other facts."""
    apart = shops.folder / "apart"
    apart.mkdir()
    (apart / "shops.toml").write_text((shops.folder / "shops.toml").read_text().replace('name = "ratings"', 'name = "ratings"\nduplicates = "mean"'))
    for name in ("films.txt", "1.csv"):
        (apart / name).write_text((shops.folder / name).read_text())
    run = [*shops.command, *RUN, "--seed", "1"]
    done = subprocess.run(["mpirun", "--oversubscribe", "-n", "1", *run, ":", "-n", "1", "-wdir", str(apart), *run, ":", "-n", "2", *run],
                          cwd=shops.folder, capture_output=True, text=True, timeout=60, env=MPI)
    assert done.returncode != 0 and "merged into their mean" in done.stderr and "give all sites the same" in done.stderr, done.stderr


@with_mpi
def test_a_process_that_stops_says_why(shops):
    (shops.folder / "2.csv").unlink()
    done = mpirun(shops, "--seed", "1")
    assert done.returncode != 0 and "site shop2 stops: " in done.stderr and "2.csv" in done.stderr


@with_mpi
def test_as_many_processes_as_sites(shops):
    done = mpirun(shops, processes=2)
    assert done.returncode != 0 and "2 processes for 4 sites" in done.stderr


def test_shared_factors_are_the_same_on_a_server(shops):
    replicated, served = (shops(*RUN, *server, "--seed", 1, "-o", name, "--json").json
                          for server, name in (([], "sites.npz"), (["--server"], "server.npz")))
    here, there = (np.load(shops.folder / name) for name in ("sites.npz", "server.npz"))
    for name in here.files:
        if name != "tulle.json":
            np.testing.assert_array_equal(here[name], there[name])
    assert [site["name"] for site in served["sites"]] == [site["name"] for site in replicated["sites"]]
    assert served["server"] and not replicated["server"] and served["test_rmse"] == replicated["test_rmse"]
    assert "the server with any one of the 4 sites" in served["guarantee"]["adversary"]
    assert "leave it out" in shops(*COUNTS, "--method", "ldp1", "--server", status=2).err
    assert "--server is not an option of tulle couple" in shops("couple", "shops.toml", "--server", status=2).err


@with_mpi
def test_a_server_is_one_more_process(shops):
    """It has none of the tables, and alone writes the model. The first site stops: the others go on."""
    alone = shops.folder / "alone"
    alone.mkdir()
    (shops.folder / "own").mkdir()
    for name in ("shops.toml", "films.txt"):
        (alone / name).write_text((shops.folder / name).read_text())
    shops(*RUN, "--seed", 1, "-o", "here.npz")
    one = [*shops.command, *RUN, "--seed", "1", "--server", "-o", "model.npz"]
    run = lambda: subprocess.run(["mpirun", "--enable-recovery", "--oversubscribe", "-n", "4", *one, "--threshold", "3", "--site-models", "own", ":",
                                  "-n", "1", "-wdir", str(alone), *one, "--threshold", "3"],
                                 cwd=shops.folder, capture_output=True, text=True, timeout=60, env=MPI)
    assert run().returncode == 0
    assert not (shops.folder / "model.npz").exists()
    assert len(list((shops.folder / "own").iterdir())) == 4
    (shops.folder / "0.csv").unlink()
    (alone / "model.npz").unlink()
    done = run()
    assert "site shop0 stops: " in done.stderr and "0.csv" in done.stderr
    assert done.stdout.count("Guarantee:") == 4, "three sites and the server"
    assert (alone / "model.npz").exists() and "received by the server" in done.stdout
    assert "Note:" in done.stdout and "site shop0 stopped: it ended before the others" in done.stdout
    assert "5 processes" not in done.stderr
    few = mpirun(shops, "--server")
    assert few.returncode != 0 and "4 processes for 4 sites and a server" in few.stderr


@with_mpi
def test_a_server_reports_the_seed_of_the_run(shops):
    """The sites start with that of the first of them; so short a step leaves the factors where they started."""
    still = ["--method", "dp-sgld", "--rank", "2", "--sweeps", "1", "--learning-rate", "1e-9"]
    done = mpirun(shops, *still, "--server", "-o", "server.npz", "--json", processes=5)
    assert done.returncode == 0, done.stderr
    shops(*RUN, *still, "--seed", json.loads(done.stdout)["seed"], "-o", "again.npz")
    there, again = (np.load(shops.folder / name)["factor2"] for name in ("server.npz", "again.npz"))
    np.testing.assert_allclose(there, again, rtol=0, atol=1e-2)


def test_users_may_be_at_several_sites(shops):
    one, two = (shops(*RUN, "--overlap", overlap, "--seed", 1, "--json").json for overlap in (1, 2))
    assert "are at 2 sites at most" in two["guarantee"]["assumption"] and two["overlap"] == 2
    first, second = (report["guarantee"]["releases"][0] for report in (one, two))
    assert second["stddev"] == pytest.approx(2 * first["stddev"], rel=1e-4) and second["sensitivity"]["value"] == 2 * first["sensitivity"]["value"]
    assert one["guarantee"]["epsilon"] == two["guarantee"]["epsilon"]
    assert "give from 1 to 4" in shops(*RUN, "--overlap", 5, status=2).err
    for unit in ("user", "entry"):
        assert "take method als" in shops(*COUNTS, "--method", "ldp1", "--unit", unit, "--overlap", 2, status=2).err


def test_what_cannot_be_is_refused(shops):
    refused = lambda *words, status=2: shops(*words, status=status).err
    assert "run tulle federate" in refused("couple", "shops.toml")
    study = (shops.folder / "shops.toml").read_text()
    (shops.folder / "central.toml").write_text(study[:study.index("[[sites]]")].replace("columns", 'file = "0.csv"\ncolumns'))
    assert "central.toml has no sites; run tulle couple" in refused("federate", "central.toml", *RUN[2:])
    assert "--range" in refused(*RUN[:-2])
    assert "threshold of 2" in refused(*RUN, "--threshold", 2)
    assert "--missing is not an option of tulle federate" in refused(*RUN, "--missing", 0.5)
    assert "--test is not an option of tulle federate" in refused(*RUN, "--test", "1.csv")
    assert "--sweeps -5" in refused(*RUN, "--sweeps=-5")
    assert "may collude" in refused(*RUN, "--colluding", 4)
    assert "does not run over sites" in refused(*RUN, "--method", "auto")
    assert "does not run over sites" in refused(*RUN, "--method", "plain")
    assert "is an input" in refused(*RUN, "-o", "1.csv")
    assert "is an input" in refused(*RUN, "-o", "films.txt")
    assert "no folder" in refused(*RUN, "--site-models", "nowhere", status=1)
    (shops.folder / "own").mkdir()
    assert "two outputs" in refused(*RUN, "--site-models", "own", "-o", "own/shop2.npz")
    study = (shops.folder / "shops.toml").read_text()
    (shops.folder / "outside.toml").write_text(study.replace("shop2", "../shop2"))
    assert "'../shop2'" in refused("federate", "outside.toml", *RUN[2:], status=1)
    (shops.folder / "3.csv").unlink()
    assert "3.csv" in refused(*RUN, status=1)
    assert "shop3" in shops(*RUN, "--threshold", 3).out


TWO_RELATIONS = """
entities = ["user", "film", "feature"]
private = ["user"]
[sizes]
film = 8
[[relations]]
name = "ratings"
entities = ["user", "film"]
[[relations]]
name = "views"
entities = ["user", "film"]
range = [0, 10]
[[relations]]
name = "features"
entities = ["film", "feature"]
public = true
file = "features.tns"
"""
COUPLED = ["federate", "coupled.toml", "--epsilon", "5", "--delta", "1e-5", "--range", "1:5", "--method", "dp-sgld", "--rank", "2",
           "--sweeps", "5", "--seed", "1"]


@pytest.fixture
def relations(tulle):
    """Four sites with two tables of their users each, and public features of the films."""
    random = np.random.default_rng(3)
    study = TWO_RELATIONS
    for site in range(4):
        for name, top in (("ratings", 5), ("views", 10)):
            lines = [f"{user} {film} {random.integers(1, top + 1)}" for user in range(1, 41) for film in range(1, 9) if random.random() < 0.5]
            (tulle.folder / f"{name}{site}.tns").write_text("\n".join(lines) + "\n")
        study += f'[[sites]]\nname = "shop{site}"\nfile = "ratings{site}.tns"\nfiles = {{ views = "views{site}.tns" }}\nholdout = 0.1\n'
    (tulle.folder / "features.tns").write_text("".join(f"{film} {k} {film * k}\n" for film in range(1, 9) for k in (1, 2)))
    (tulle.folder / "coupled.toml").write_text(study)
    return tulle


def test_owners_are_told_of_values_outside_of_a_range(relations):
    (relations.folder / "views2.tns").write_text("1 1 11\n2 1 4\n")
    report = relations(*COUPLED, "--json").json
    assert report["sites"][2]["notes"] == ["Relation views: 1 of the values (50 %) lie outside of the range 0:10 and were clamped to it."]
    told = [line for line in relations(*COUPLED).out.splitlines() if "were clamped" in line]
    assert len(told) == 1 and "site shop2" in told[0] and "for the data owner" in told[0]


def test_an_account_is_for_all_tables_of_a_site(relations):
    unseeded = COUPLED[:-2]
    for name, tables in (("both", ["views0.tns", "ratings0.tns"]), ("first", ["ratings0.tns"])):
        data = [word for table in tables for word in ("--data", table)]
        relations("budget", "create", name, "--unit", "user", "--mode", "user", "--relation", "add-remove", "--ledger", "l.db", *data)
        relations("budget", "grant", name, "--epsilon", 20, "--delta", 1e-4, "--ledger", "l.db")
    path = relations.folder / "coupled.toml"
    study = path.read_text()
    charged = lambda name: path.write_text(study.replace('name = "shop0"', f'name = "shop0"\nledger = "l.db"\naccount = "{name}"'))
    charged("first")
    assert "not those of 'first'" in relations(*unseeded, status=1).err
    charged("both")
    relations(*unseeded)
    (relations.folder / "views0.tns").write_text("1 1 1\n")
    assert "not those of 'both'" in relations(*unseeded, status=1).err
    shown = relations("budget", "show", "--ledger", "l.db", "--json").json
    assert [len(account["charges"]) for account in shown] == [1, 0]


def test_relations_of_sites_make_one_model(relations):
    report = relations(*COUPLED, "-o", "both.npz", "--json").json
    assert report["guarantee"]["status"].startswith("proven") and report["test_cells"] > 50
    assert "relation features, all of it" in report["guarantee"]["public"]
    model = np.load(relations.folder / "both.npz")
    assert [model[f"factor{mode}"].shape[0] for mode in (1, 2, 3)] == [1, 8, 2], "any user, films, relations"
    assert "takes one relation" in relations(*[{"dp-sgld": "als"}.get(word, word) for word in COUPLED], status=2).err


@with_mpi
def test_processes_with_several_relations_find_what_one_process_finds(relations):
    relations(*COUPLED, "-o", "here.npz")
    done = subprocess.run(["mpirun", "--oversubscribe", "-n", "4", *relations.command, *COUPLED, "-o", "mpi.npz"], cwd=relations.folder,
                          capture_output=True, text=True, timeout=60, env=MPI)
    assert done.returncode == 0, done.stderr
    here, there = (np.load(relations.folder / name) for name in ("here.npz", "mpi.npz"))
    for name in ("factor2", "bias3"):
        np.testing.assert_allclose(here[name], there[name], rtol=0, atol=1e-10)


def test_errors_of_tables_name_keys_of_the_study(relations):
    """The options that read one file are not those of a study's tables."""
    def error(name, text, before="", after="", status=1):
        path = relations.folder / "coupled.toml"
        study = path.read_text()
        table = relations.folder / name
        kept = table.read_text() if table.exists() else None
        table.write_text(text)
        path.write_text(study.replace(before, after))
        told = relations(*COUPLED, status=status).err
        path.write_text(study)
        table.write_text(kept or "")
        assert told.count("\n") == 1 and "--" not in told, told
        return told
    assert "(key duplicates" in error("ratings1.tns", "1 1 3\n1 1 4\n")
    assert "(key duplicates" in error("views1.tns", "1 1 3\n1 1 4\n")
    assert "(key duplicates" in error("features.tns", "1 1 3\n1 1 4\n")
    assert error("ratings1.tns", "1 1 nan\n").endswith("is not a number; remove the line\n")
    assert "(key format" in error("ratings1.dat", "1 1 3\n", "ratings1.tns", "ratings1.dat")
    assert "(key header" in error("ratings1.csv", "u,f,3\n", "ratings1.tns", "ratings1.csv", status=2)
    with_header = ('entities = ["user", "film"]\n[[relations]]', 'entities = ["user", "film"]\nheader = true\n[[relations]]')
    study = (relations.folder / "coupled.toml").read_text().replace("ratings1.tns", "ratings1.csv")
    (relations.folder / "coupled.toml").write_text(study)
    assert "(section [positions])" in error("ratings1.csv", "u,f,v\nx,y,3\n", *with_header, status=2)


def test_a_relation_is_the_sites_or_public(relations):
    path = relations.folder / "coupled.toml"
    study = path.read_text()
    for before, after, told in [("public = true\nfile", "file", "relation features: sites state the files of their tables"),
                                ("public = true\nfile = \"features.tns\"", "", "relation features has no user"),
                                ("range = [0, 10]", "", "relation views needs range")]:
        path.write_text(study.replace(before, after))
        error = relations(*COUPLED, status=1).err
        assert told in error and error.count("\n") == 1
