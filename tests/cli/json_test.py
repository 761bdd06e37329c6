"""What --json prints is what docs/json describes: every verb in its forms, every field documented and every documented field printed."""
import functools
import json
import pathlib
import re

import numpy as np
import pytest
from jsonschema import Draft202012Validator, RefResolver

FOLDER = pathlib.Path(__file__).parents[2] / "docs" / "json"
SCHEMAS = {path.name: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.schema.json"))}
SHARED = {"guarantee.schema.json", "owner_only.schema.json", "dry-run.schema.json"}  # parts of reports, and what all runs have

EXPERIMENT = """
title = "A small sample"
source = "nobody"
x = "epsilon"
values = [2]
seeds = 1
note = "Few seeds."
[data]
generate = ["cp", "--shape", "6x5x4", "--rank", "1"]
[[curves]]
name = "input"
arguments = ["--method", "input", "--rank", "1", "--epsilon", "{x}", "--range", "-1:2"]
printed = [0.5]
"""

STUDY = """
entities = ["user", "film"]
rank = 1
[[relations]]
name = "ratings"
file = "ratings.csv"
entities = ["user", "film"]
unlisted = "zero"
"""

SITES = """
title = "Shops"
entities = ["user", "film"]
private = ["user"]
[sizes]
film = 3
[[relations]]
name = "ratings"
entities = ["user", "film"]
[[sites]]
name = "north"
file = "north.tns"
test = "north.tns"
[[sites]]
name = "south"
file = "south.tns"
[[sites]]
name = "east"
file = "nowhere.tns"
"""

PRIVATE = """
entities = ["user", "film", "tag"]
private = ["user"]
[sizes]
film = 3
[[relations]]
name = "ratings"
entities = ["user", "film"]
file = "north.tns"
[[relations]]
name = "tags"
entities = ["film", "tag"]
public = true
file = "tags.tns"
"""

ENTRY = "complete train.tns --epsilon 2 --range -3:3"
USER = "complete ratings.csv --unit user --user-mode user --epsilon 2 --delta 1e-3 --range 1:5"
WORDS = "topics words.npy --words 6 --topics 2 --seed 1"
MIXTURE = "topics vectors.npy --mixture --norm 2 --topics 2 --seed 1"
LEDGER = "--ledger ledger.db"

# A line is a run; --json is added. The schema follows from the verb.
FORMS = f"""
complete train.tns --method plain --rank 1 --seed 1
complete train.tns --method plain --rank 1 --seed 1 --validation 0.2 --iterations 5 --verbose --test test.tns
complete train.tns --method plain --model tucker --rank 2 --biases --holdout 0.2 --seed 1
complete train.tns --method plain --model tubal --iterations 5 --seed 1
{ENTRY} --method input --rank 1
{ENTRY} --method input --rank 1 --seed 1 --test test.tns --verbose
{ENTRY} --method input --rank 1 --seed 1 --calibration published
{ENTRY} --method input --rank 1 --seed 1 --unit user --user-mode 1
{ENTRY} --method auto --seed 1 --holdout 0.3
{ENTRY} --method auto --seed 1 --delta 1e-4
{ENTRY} --method one-shot --seed 1
{ENTRY} --method one-shot --seed 1 --model tubal
{ENTRY} --method one-shot --seed 1 --from plain.npz --from-is-public
{ENTRY} --method als --seed 1
{ENTRY} --method subspace --model tucker --rank 1 --seed 1 --delta 1e-4
{ENTRY} --method gradient --rank 1 --seed 1 --delta 1e-4
{ENTRY} --method gradient --rank 1 --seed 1 --calibration published
{ENTRY} --method output --rank 1 --seed 1
{ENTRY} --method factor --rank 1 --seed 1
{ENTRY} --method local --rank 1 --seed 1
{USER} --public film --seed 1 --holdout 0.2 --verbose
{USER} --public film=films.txt --accept-losses --seed 1 --user-output own.npz --duplicates sum
{USER} --seed 1 --method gradient --rank 1
{WORDS} --method plain --truth truth.npy
{WORDS} --epsilon 1 --truth truth.npy
{WORDS} --epsilon 1 --delta 1e-4 --method agn
{WORDS} --epsilon 1 --delta 0.001 --method agn --calibration published
{WORDS} --epsilon 1 --delta 1e-4 --trust sites
{MIXTURE} --method plain
{MIXTURE} --epsilon 5 --delta 1e-4 --truth means.npy
count events.npy --epsilon 1
count events.npy --epsilon 1 --delta 1e-4 --seed 1 --method histogram --relation replace
count events.npy --epsilon 1 {LEDGER} --account events
query counts.npz --sum-over 2
classify blobs.csv --range 0:1 --method plain --hidden 5 --holdout 0.2 --seed 1
classify blobs.csv --header no --range 0:1 --classes 2 --epsilon 1 --delta 1e-4 --test blobs.csv --seed 1
classify blobs.csv --header no --range 0:1 --classes 2 --epsilon 1 --delta 1e-4 {LEDGER} --account examples
classify blobs.csv --header no --range 0:1 --classes 2 --epsilon 1 --delta 1e-4 --method dpd --hidden 4 --steps 20 --seed 1
couple study.toml --seed 1
couple study.toml --seed 1 --missing 0.3 --inference vb
couple links.toml --seed 1 --inference sgd-map --iterations 5
couple private.toml --seed 1 --epsilon 1 --delta 1e-3 --range 1:5 --missing 0.3
federate sites.toml --epsilon 1 --delta 1e-3 --range 1:5 --colluding 0 --threshold 2 --seed 1
{ENTRY} --method input --rank 1 {LEDGER} --account entries --note spring
topics words.npy --words 6 --topics 2 --epsilon 1 {LEDGER} --account documents
refit users.npz
refit counts.npz
recommend plain.npz --for 1 --at mode3=2 --top 3
recommend plain.npz --for 1 --at mode3=2 --top 3 --unseen train.tns
evaluate plain.npz test.tns --train train.tns
evaluate topics.npz words.npy --train words.npy
evaluate counts.npz events.npy
evaluate network.npz blobs.csv --train blobs.csv
evaluate private.npz test.tns --relevant 0.5 --top 3
evaluate users.npz ratings.csv --duplicates mean --ranking ratings.csv
generate cp --shape 5x4x3 --seed 1 -o made.tns
generate sparse --shape 50x40x3 --cells 100 --seed 1 -o made.npz
generate links --shape 50x40x3 --cells 100 --side-shape 40x9 --side-cells 30 --seed 1 -o made.npz --side side.npz
info train.tns
info ratings.csv
info ratings.csv --duplicates mean
info truth.npy
info plain.npz
info private.npz
info users.npz
info topics.npz
info counts.npz
info network.npz
info mixture.npz
info coupled.npz
methods
methods plain
methods als
account gaussian --sigma 1 --delta 1e-5
account gaussian --sigma 1 --epsilon 1
account gaussian --sigma 1 --delta 0
account laplace --sigma 2 --also gaussian,sigma=4 --delta 1e-5
account gaussian --find sigma --epsilon 1 --delta 1e-5
account gaussian --find steps --sigma 20 --epsilon 1 --delta 1e-5
account gaussian --find rate --sigma 1 --epsilon 1 --delta 1e-5
budget create a --ledger a.db
budget create b --ledger b.db --unit user --mode user --relation add-remove --data ratings.csv
budget grant entries {LEDGER} --epsilon 1 --note spring
budget show {LEDGER}
budget show users {LEDGER}
budget history {LEDGER}
budget history users {LEDGER}
budget verify {LEDGER}
reproduce
reproduce small.toml
reproduce all
audit laplace --trials 200 --seed 1
audit input --model cp --calibration sound --unit entry --relation replace --trials 200 --seed 1 --pairs 2
audit plain --trials 200 --seed 1
audit gradient --calibration published --trials 200 --seed 1
audit --exact als --pairs 4 --seed 1
audit --exact input --model cp --pairs 4 --seed 1
""".strip().splitlines()

VIOLATED = {"audit gradient --calibration published --trials 200 --seed 1"}

# Fields that the forms above do not print: all methods plan what they release; and few kinds of releases are charged to the ledger here.
NOT_PRINTED = {
    "guarantee": {"spent", "fixed_batch", "population", "sigma", "scale"},
    "budget-history": {"fixed_batch", "population", "sigma", "sensitivity", "coordinates", "scale"},
}


def write_data(folder):
    random = np.random.default_rng(1)
    lines = [f"u{u},f{f},{1 + (u * 7 + f * 3) % 5}" for u in range(10) for f in range(6) if (u + f) % 3]
    (folder / "ratings.csv").write_text("user,film,rating\n" + "\n".join(lines) + "\n")
    (folder / "films.txt").write_text("f0\nf1\nf2\n")  # entries of the other films are dropped, which is a note
    truth = random.dirichlet(np.full(6, 0.3), 2).T
    documents = np.array([[random.choice(6, 3, p=truth[:, n % 2]) for n in range(300)] for _ in range(3)])
    np.save(folder / "words.npy", (documents + 1).astype(np.uint8))
    np.save(folder / "truth.npy", truth)
    np.save(folder / "events.npy", random.poisson(3, (4, 5)).astype(np.float32))
    means = np.eye(3)[:, :2]
    np.save(folder / "means.npy", means)
    np.save(folder / "vectors.npy", means[:, random.integers(2, size=2000)].T + 0.1 * random.standard_normal((2000, 3)))
    labels = random.integers(2, size=60)
    blobs = np.column_stack([(random.standard_normal((60, 3)) * 0.1 + 0.4 + 0.2 * labels[:, None]).round(3), labels])
    np.savetxt(folder / "blobs.csv", blobs, fmt="%g", delimiter=",")
    (folder / "small.toml").write_text(EXPERIMENT)
    (folder / "study.toml").write_text(STUDY)
    (folder / "links.toml").write_text(STUDY.replace('unlisted = "zero"', 'divergence = "huber"').replace("rank = 1", "rank = 1\nprior = { variance = 1 }"))
    (folder / "sites.toml").write_text(SITES)
    (folder / "private.toml").write_text(PRIVATE)
    (folder / "tags.tns").write_text("1 1 1\n2 2 1\n3 1 1\n")
    for site in ("north", "south"):
        (folder / f"{site}.tns").write_text("".join(f"{u} {f} {1 + (u + f) % 5}\n" for u in range(1, 9) for f in range(1, 4)))
    (folder / "experiments").mkdir()  # those of `reproduce` and `reproduce all`
    (folder / "experiments" / "small.toml").write_text(EXPERIMENT)
    (folder / "experiments" / "far.toml").write_text(re.sub(r"generate = .*", 'train = "far/away.tns"', EXPERIMENT))
    (folder / "far.toml").write_text(re.sub(r"generate = .*", 'train = "far/away.tns"\nobtain = "the moon"', EXPERIMENT))


@pytest.fixture(scope="module")
def answer(shared_tulle):
    """What a form prints. Each is run once."""
    tulle = shared_tulle
    write_data(tulle.folder)
    tulle(*"generate cp --shape 8x7x6 --rank 1 --snr 10 --seed 1 -o train.tns --test test.tns".split())
    tulle(*"complete train.tns --method plain --rank 1 --seed 1 -o plain.npz".split())
    tulle(*ENTRY.split(), *"--method input --rank 1 --seed 1 -o private.npz".split())
    tulle(*WORDS.split(), *"--epsilon 1 -o topics.npz".split())
    tulle(*MIXTURE.split(), *"--method plain -o mixture.npz".split())
    tulle(*"count events.npy --epsilon 1 -o counts.npz".split())
    tulle(*"couple study.toml --seed 1 -o coupled.npz".split())
    tulle(*"classify blobs.csv --header no --range 0:1 --classes 2 --epsilon 1 --delta 1e-4 --method sgld --hidden 4 --steps 20 --seed 1 -o network.npz".split())
    tulle(*f"budget create entries {LEDGER} --data train.tns".split())
    tulle(*f"budget create users {LEDGER} --unit user --mode user --relation add-remove".split())
    tulle(*f"budget create documents {LEDGER} --unit document".split())
    tulle(*f"budget create events {LEDGER} --unit event --relation add-remove".split())
    tulle(*f"budget create examples {LEDGER} --unit example --relation add-remove".split())
    for account in ("entries", "users", "documents", "events", "examples"):
        tulle(*f"budget grant {account} {LEDGER} --epsilon 9 --delta 0.01".split())
    tulle(*ENTRY.split(), *f"--method gradient --rank 1 --delta 1e-4 {LEDGER} --account entries --note spring".split())
    tulle(*USER.split(), *f"--public film {LEDGER} --account users -o users.npz".split())
    return functools.cache(lambda form: tulle(*form.split(), "--json", status=3 if form in VIOLATED else 0).json)


def verb_of(form):
    if "private.toml" in form:  # whose relations are completed
        return "complete"
    return "-".join(form.split()[:2 if form.startswith("budget") else 1])


def errors_of(report, schema):
    resolver = RefResolver.from_schema(schema, store=SCHEMAS)
    return [f"{error.json_path}: {error.message}" for error in Draft202012Validator(schema, resolver=resolver).iter_errors(report)]


def parts_of(schema):
    """The schema and all that is inside it."""
    if isinstance(schema, dict):
        yield schema
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from parts_of(part)


def objects_of(schema):
    return [part for part in parts_of(schema) if part.get("type") == "object" and "properties" in part]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_printed_is_what_is_described(answer, form):
    assert errors_of(answer(form), SCHEMAS[f"{verb_of(form)}.schema.json"]) == []


def marked_for_owner(report, schema):
    """The fields of a report that its schema marks as the owner's."""
    marked = set()
    for described in objects_of(schema):
        patterns = described.get("patternProperties", {}).items()
        for field in report:
            parts = [described["properties"].get(field, {}), *(part for pattern, part in patterns if re.search(pattern, field))]
            if any("x-owner-only" in part for part in parts):
                marked.add(field)
    return marked


def test_the_fields_of_the_owner_are_those_that_the_schemas_mark(answer):
    reports = [(form, answer(form)) for form in FORMS]
    owned = [(form, report) for form, report in reports if isinstance(report, dict) and "owner_only" in report]
    assert {verb_of(form) for form, _ in owned} == {"complete", "topics", "count", "classify", "federate", "evaluate", "info", "recommend"}
    for form, report in owned:
        assert set(report["owner_only"]["fields"]) == marked_for_owner(report, SCHEMAS[f"{verb_of(form)}.schema.json"]), form


def fields_in(report):
    """Names of all fields, and those of guarantees apart from the others."""
    own, guarantee = set(), set()
    if isinstance(report, dict):
        for field, value in report.items():
            own.add(field)
            inner, inner_guarantee = fields_in(value)
            is_guarantee = field == "guarantee" and isinstance(value, dict)
            (guarantee if is_guarantee else own).update(inner)
            guarantee |= inner_guarantee
    elif isinstance(report, list):
        for item in report:
            inner, inner_guarantee = fields_in(item)
            own |= inner
            guarantee |= inner_guarantee
    return own, guarantee


def test_every_described_field_is_printed_by_some_form(answer):
    printed = {}
    for form in FORMS:
        own, guarantee = fields_in(answer(form))
        printed.setdefault(verb_of(form), set()).update(own)
        printed.setdefault("guarantee", set()).update(guarantee)
    unprinted = {}
    for verb, seen in printed.items():
        described = {field for part in objects_of(SCHEMAS[f"{verb}.schema.json"]) for field in part["properties"]}
        if described - seen:
            unprinted[verb] = described - seen
    assert unprinted == NOT_PRINTED


def subcommands(tulle, *verb):
    """The verbs below a verb, from its help."""
    _, _, listed = tulle(*verb, "--help").out.partition("\nSubcommands:\n")
    return re.findall(r"^  (\w+)", listed, re.MULTILINE)


def test_every_verb_with_json_has_a_schema_and_a_form(tulle):
    verbs = [(verb,) for verb in subcommands(tulle)]
    verbs += [(verb, below) for verb, in verbs for below in subcommands(tulle, verb)]
    with_json = {"-".join(verb) for verb in verbs if "--json" in tulle(*verb, "--help").out}
    assert len(with_json) > 10
    assert {f"{verb}.schema.json" for verb in with_json} == set(SCHEMAS) - SHARED
    assert with_json == {verb_of(form) for form in FORMS}


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_closed_and_describe_every_field(name):
    schema = SCHEMAS[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == name
    for part in objects_of(schema):
        assert part["additionalProperties"] is False
        assert set(part["required"]) <= set(part["properties"])
        for field, described in [*part["properties"].items(), *part.get("patternProperties", {}).items()]:
            assert described.get("description"), f"{name}: {field}"


def test_an_undescribed_field_is_found(answer):
    """The tests above would notice: they compare with closed schemas."""
    report = answer(f"{ENTRY} --method input --rank 1")
    schema = SCHEMAS["complete.schema.json"]
    assert errors_of(report | {"rmse": 1}, schema)
    assert errors_of(report | {"guarantee": report["guarantee"] | {"sigma": 1}}, schema)
    assert errors_of({field: value for field, value in report.items() if field != "owner_only"}, schema)


def test_json_and_data_do_not_share_standard_output(tulle):
    assert "--json" in tulle("generate", "cp", "-o", "-", "--json", status=2).err
