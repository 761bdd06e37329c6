"""--report: the page of a run, what it says and what it leaves out. How it looks is tested in a browser (tests/python)."""
import html
import re
import shlex

import numpy as np
import pytest

PRIVATE = ("--epsilon", 2, "--range", "-3:3")


def page(tulle, name="report.html"):
    return (tulle.folder / name).read_text()


def text_of(markup):
    return html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"<style>.*?</style>", "", markup, flags=re.DOTALL)))


def commands(markup):
    return [html.unescape(found) for found in re.findall(r"<pre>(.*?)</pre>", markup, re.DOTALL)]


def test_the_page_says_what_the_report_says_and_nothing_of_the_owners(sample):
    done = sample("complete", "train.tns", "--test", "test.tns", *PRIVATE, "--method", "als", "--delta", 1e-6, "--report",
                  "report.html", "--json").json
    shown = text_of(page(sample))
    assert "epsilon 2, delta 1e-06 for one value" in shown and done["guarantee"]["sentence"] in shown
    assert all(release["what"] in shown and release["event"] in shown for release in done["guarantee"]["releases"])
    assert all(fact in shown for fact in done["guarantee"]["public"])
    for field in ("test_rmse", "test_mae", "seconds", "train_cells"):
        assert f"{done[field]:.6g}" not in shown, field
    assert "For the data owner" not in shown


def test_commands_on_the_page_verify_it(sample):
    """Those that compose the releases again give the same epsilon."""
    for words in (("--method", "als", "--delta", 1e-6), ("--method", "gradient", "--delta", 1e-5, "--steps", 7, "--sampling-rate", 0.3),
                  ("--method", "gradient", "--delta", 1e-5, "--steps", 7, "--sampling-rate", 1),
                  ("--method", "input", "--noise", "laplace")):
        done = sample("complete", "train.tns", *PRIVATE, *words, "--report", "report.html", "--json").json
        listed = commands(page(sample))
        assert listed[0].startswith(f"tulle audit {words[1]} --unit entry --relation {done['guarantee']['relation']} --epsilon")
        account = [command for command in listed if command.startswith("tulle account")]
        assert account, listed
        again = sample(*shlex.split(account[0])[1:], "--json").json
        assert again["epsilon"] == pytest.approx(done["guarantee"]["epsilon"], rel=1e-6), account


def test_the_owners_part_has_errors_and_a_curve_apart_from_the_rest(sample):
    done = sample("complete", "train.tns", "--test", "test.tns", *PRIVATE, "--method", "input", "--rank", 2, "--seed", 1,
                  "--report", "report.html", "--curve", "0.5,50", "--json").json
    public, owners = page(sample).split("<section class='owner'")
    assert f"{done['test_rmse']:.6g}" in owners and f"{done['test_rmse']:.6g}" not in public
    assert "for the data owner, not covered by the guarantee" in owners
    rows = re.findall(r"<tr><td>([\d.]+)</td><td>([\d.]+)</td><td>([\d.e-]+)</td></tr>", owners)
    assert [float(row[0]) for row in rows] == [0.5, 50]
    assert float(rows[0][1]) > 2 * float(rows[1][1])  # more privacy, more error
    level = f"baseline_mean_rmse {done['baseline_mean_rmse']:.5g}"  # the same cells in all runs
    assert level in owners and "Test RMSE of mean and main effects" in owners and "baseline" not in public
    assert "Proven, but not against whoever knows the seed" in public


def test_a_run_that_is_charged_names_its_account_and_the_owner_gets_the_head(sample):
    sample("budget", "create", "cells", "--unit", "entry", "--relation", "replace", "--ledger", "ledger.db")
    sample("budget", "grant", "cells", "--epsilon", 9, "--ledger", "ledger.db")
    sample("complete", "train.tns", *PRIVATE, "--method", "input", "--rank", 1, "--account", "cells", "--ledger", "ledger.db",
           "--report", "report.html", "--owner-part")
    public, owners = page(sample).split("<section class='owner'")
    assert "cells" in text_of(public) and "tulle budget verify" in public
    head = re.search(r"\b[0-9a-f]{64}\b", owners)[0]
    assert head not in public  # it depends on a fingerprint of the data
    sample("budget", "verify", "--head", head, "--ledger", "ledger.db")


def test_other_verbs_have_pages_too(tulle):
    random = np.random.default_rng(1)
    np.save(tulle.folder / "words.npy", random.integers(1, 3, size=(300, 3)) + 2 * random.integers(2, size=(300, 1)))
    tulle("topics", "words.npy", "--words", 4, "--topics", 2, "--epsilon", 1, "--report", "topics.html")
    assert "its most probable words" in page(tulle, "topics.html") and "one document" in page(tulle, "topics.html")

    rows = np.column_stack([random.random((80, 2)), random.integers(0, 2, 80)])
    np.savetxt(tulle.folder / "data.csv", rows, fmt="%.3f", delimiter=",")
    tulle("classify", "data.csv", "--header", "no", "--range", "0:1", "--classes", 2, "--epsilon", 1, "--delta", 1e-5, "--report",
          "classify.html")
    assert "one labelled example" in page(tulle, "classify.html")

    (tulle.folder / "a.csv").write_text("user,film,rating\na,x,1\nb,x,2\nb,y,3\n")
    (tulle.folder / "study.toml").write_text(
        'entities = ["user", "film"]\nrank = 1\n[[relations]]\nname = "r"\nfile = "a.csv"\nentities = ["user", "film"]\n')
    tulle("couple", "study.toml", "--report", "couple.html")
    assert "Not private" in page(tulle, "couple.html") and "Entities, factors and relations" in page(tulle, "couple.html")

    (tulle.folder / "sites.toml").write_text(
        'entities = ["user", "film"]\nprivate = ["user"]\n[sizes]\nfilm = 3\n[[relations]]\nname = "r"\nentities = ["user", "film"]\n'
        + "".join(f'[[sites]]\nname = "s{i}"\nfile = "s{i}.tns"\n' for i in range(3)))
    for i in range(3):
        (tulle.folder / f"s{i}.tns").write_text("".join(f"{u} {f} {1 + (u + f) % 5}\n" for u in range(1, 20) for f in (1, 2, 3)))
    tulle("federate", "sites.toml", "--epsilon", 1, "--delta", 1e-4, "--range", "1:5", "--report", "sites.html")
    assert "may put together what they know" in page(tulle, "sites.html") or "collu" in page(tulle, "sites.html")


def test_a_model_file_has_a_page_too(sample):
    sample("complete", "train.tns", *PRIVATE, "--method", "als", "--delta", 1e-6, "-o", "model.npz", "--report", "run.html")
    sample("info", "model.npz", "--report", "model.html")
    key = r"<p class='key'>.*?</p>"
    assert re.search(key, page(sample, "model.html"))[0] == re.search(key, page(sample, "run.html"))[0]
    assert "Factor of mode1" in page(sample, "model.html") or "Offsets of mode1" in page(sample, "model.html")
    assert "is no model" in sample("info", "train.tns", "--report", "data.html", status=1).err


@pytest.mark.parametrize("words, reason", [
    (("--curve", "1,2"), "give --report FILE too"),
    (("--owner-part",), "give --report FILE too"),
    (("--report", "page.pdf"), "ends in .html"),
    (("--report", "r.html", "--curve", "1,0", "--holdout", 0.2), "'0' is no epsilon"),
    (("--report", "r.html", "--curve", "1,2"), "give --test or --holdout"),
    (("--report", "train.tns"), ".html"),
])
def test_what_a_page_cannot_be_is_refused(sample, words, reason):
    assert reason in sample("complete", "train.tns", *PRIVATE, *words, status=2).err


def test_a_run_of_the_curve_that_fails_ends_nothing(tulle):
    """Its releases are charged to nobody: whether they go well may not show in the exit status or the model."""
    (tulle.folder / "c.csv").write_text("a,b,label\n" + "0.5,0.5,0\n" * 59 + "1,1,1\n")
    run = ("classify", "c.csv", "--header", "yes", "--classes", 2, "--method", "sgd", "--hidden", 4, "--steps", 10, "--sampling-rate", 1, "--learning-rate", 30000,
           "--epsilon", 1000, "--delta", 1e-5, "--range", "0:1", "--holdout", 0.1, "--seed")
    ends = [(tulle.folder / "m.npz").unlink(missing_ok=True) or "without bound" not in tulle(*run, seed, "-o", "m.npz", status=None).err
            for seed in range(1, 12)]
    well = next(i for i in range(10) if ends[i] and not ends[i + 1])  # the first run of the curve has the next seed
    (tulle.folder / "m.npz").unlink(missing_ok=True)
    tulle(*run, well + 1, "-o", "m.npz", "--report", "p.html", "--curve", "1000")
    assert (tulle.folder / "m.npz").exists() and (tulle.folder / "p.html").exists()


def test_a_curve_is_for_private_runs_of_files(sample):
    words = ("--report", "r.html", "--curve", "1,2", "--holdout", 0.2)
    assert "private runs" in sample("complete", "train.tns", "--method", "plain", "--rank", 1, *words, status=2).err
    assert "standard input" in sample("complete", "-", "--format", "tns", *PRIVATE, *words, status=2, stdin="1 1 1 1\n").err
