"""--dry-run: what a run would release and cost, without doing it."""
import numpy as np
import pytest
from json_test import SCHEMAS, errors_of

LEDGER = ("--account", "a")


@pytest.fixture
def data(tulle):
    """Something for every verb, and a study."""
    random = np.random.default_rng(1)
    rows = [f"u{u},f{f},{1 + (u * f) % 5}" for u in range(40) for f in range(8) if (u + f) % 3]
    (tulle.folder / "ratings.csv").write_text("user,film,rating\n" + "\n".join(rows) + "\n")
    (tulle.folder / "words.txt").write_text("1 2 3 1\n4 5 6 4\n1 3 2 2\n5 6 4 4\n" * 40)
    labels = random.integers(2, size=200)
    values = random.standard_normal((200, 3)) * 0.1 + 0.35 + 0.3 * labels[:, None]
    np.savetxt(tulle.folder / "examples.csv", np.column_stack([values, labels]), fmt="%.4g", delimiter=",")
    np.save(tulle.folder / "counts.npy", random.poisson(3, (4, 5)).astype(np.float32))
    (tulle.folder / "ratings.tns").write_text("".join(f"{u} {f} {1 + u * f % 5}\n" for u in range(1, 30) for f in range(1, 9) if (u + f) % 3))
    (tulle.folder / "study.toml").write_text(
        'entities = ["user", "film"]\nprivate = ["user"]\n[sizes]\nfilm = 8\n[[relations]]\nname = "ratings"\nentities = ["user", "film"]\nfile = "ratings.tns"\n')
    return tulle


ENTRIES = ("complete", "ratings.csv", "--columns", "user,film,rating", "--range", "1:5", "--epsilon", 1)
RUNS = [
    (*ENTRIES, "--method", "input"),
    (*ENTRIES, "--method", "one-shot"),
    (*ENTRIES, "--method", "auto"),
    (*ENTRIES, "--unit", "user", "--user-mode", "user", "--public", "film", "--delta", 1e-3, "--method", "als"),
    (*ENTRIES, "--unit", "user", "--user-mode", "user", "--delta", 1e-3, "--method", "gradient"),
    ("topics", "words.txt", "--topics", 2, "--words", 6, "--epsilon", 1),
    ("count", "counts.npy", "--epsilon", 1, "--method", "histogram"),
    ("classify", "examples.csv", "--range", "0:1", "--classes", 2, "--header", "no", "--epsilon", 1, "--delta", 1e-3),
    ("couple", "study.toml", "--range", "1:5", "--epsilon", 1, "--delta", 1e-3),
]


@pytest.mark.parametrize("run", RUNS, ids=lambda run: " ".join(map(str, run[:1] + run[-1:])))
def test_a_plan_has_the_releases_of_the_run(data, run):
    """Their noise follows from public facts, so that it is that of the run, which a run chooses by nothing else."""
    before = sorted(path.name for path in data.folder.iterdir())
    plan = data(*run, "--dry-run", "-o", "model.npz", "--json").json
    assert errors_of(plan, SCHEMAS["dry-run.schema.json"]) == []
    assert sorted(path.name for path in data.folder.iterdir()) == before
    report = data(*run, "--json").json
    assert plan["method"] == report.get("picked", report["method"])
    described = [(release["what"], release["noise"], release["event"]) for release in plan["guarantee"]["releases"]]
    made = [(release["what"], release["noise"], release["event"]) for release in report["guarantee"]["releases"]]
    assert described[:1] == made[:1] and (described == made or run[0] == "topics"), "histogram counts pairs of words that were released to be common"
    assert plan["guarantee"]["epsilon"] == report["guarantee"]["epsilon"]


def test_a_method_that_chooses_by_a_release_plans_for_zeros(data):
    """margins of counts releases the number of events first, and divides the rest of the budget by it."""
    plan = data("count", "counts.npy", "--epsilon", 1, "--dry-run", "--json").json["guarantee"]
    run = data("count", "counts.npy", "--epsilon", 1, "--json").json["guarantee"]
    assert plan["releases"][0] == run["releases"][0] and plan["epsilon"] == run["epsilon"]


def test_a_plan_states_what_the_account_has_left_and_charges_nothing(data):
    data("budget", "create", "a")
    data("budget", "grant", "a", "--epsilon", 1.5)
    run = (*ENTRIES, "--method", "input", *LEDGER)
    plan = data(*run, "--dry-run", "--json").json
    assert errors_of(plan, SCHEMAS["dry-run.schema.json"]) == []
    assert plan["budget"] == {"name": "a", "epsilon": 1.5, "delta": 0, "spent": 0, "fits": 1.5, "fits_after": 0.5}
    text = data(*run, "--dry-run").out
    assert "nothing was charged" in text and "standard deviation" in text and "one of 0.5 after this run" in text
    data(*run)
    assert "would be spent" in data(*run, "--dry-run", status=1).err
    assert len(data("budget", "show", "a", "--json").json["charges"]) == 1


def test_a_plan_checks_what_the_run_checks(data):
    run = ("complete", "ratings.csv", "--columns", "user,film,rating", "--range", "1:3", "--epsilon", 1, "--dry-run")
    assert "--accept-losses" in data(*run, status=1).err
    accepted = data(*run, "--accept-losses", "--json").json
    assert "were clamped to it" in accepted["owner_notes"][0] and accepted["owner_only"]["fields"] == ["owner_notes"]
    assert "--dry-run" in data("complete", "ratings.csv", "--method", "plain", "--rank", 1, "--dry-run", status=2).err


def test_a_plan_of_the_data_says_nothing_of_the_values(data):
    """The plans of two data sets with the same public facts are the same, but for notes."""
    plans = []
    for shift in (0, 1):
        rows = [f"u{u},f{f},{1 + (u * f + shift) % 5}" for u in range(40) for f in range(8) if (u + f) % 3]
        (data.folder / "ratings.csv").write_text("user,film,rating\n" + "\n".join(rows) + "\n")
        plans.append(data(*ENTRIES, "--method", "margins", "--dry-run", "--json").json["guarantee"])
    assert plans[0] == plans[1]
