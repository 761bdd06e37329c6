"""What the command says to wrong use: what was probably meant, and remedies that exist."""
import pathlib
import re
import subprocess

import pytest
from conftest import environment

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.parametrize("line, wrong, meant", [
    ("compelte x.csv", "compelte", "'complete'"),
    ("budget grnat ratings", "grnat", "'grant'"),
    ("complete x.csv --epsilom 1", "--epsilom", "'--epsilon'"),
    ("complete x.csv --epsilom=1", "--epsilom", "'--epsilon'"),
    ("topics x.txt --topisc 3", "--topisc", "'--topics'"),
    ("reproduce wei2022-figure2-cpp", "wei2022-figure2-cpp", "'wei2022-figure2-cp'"),
    ("budget show --ledgre x", "--ledgre", "'--ledger'"),
    ("complete x.csv --method alz", "alz", "'als'"),
    ("topics x.txt --topics 3 --words 9 --epsilon 1 --method histogramm", "histogramm", "'histogram'"),
    ("methods one-shoot", "one-shoot", "'one-shot'"),
    ("audit gradeint", "gradeint", "'gradient'"),
    ("audit --exact gradeint", "gradeint", "'gradient'"),
    ("audit gradient --unit usre", "usre", "'user'"),
    ("complete x.csv --model tuker", "tuker", "'tucker'"),
    ("complete x.csv --method plain --solver alss", "alss", "'als'"),
    ("complete x.csv --method one-shot --epsilon 1 --range 1:5 --noise laplase", "laplase", "'laplace'"),
    ("generate tuckr", "tuckr", "'tucker'"),
    ("info x.csv --unlisted zeroes", "zeroes", "'zero'"),
    ("account gausian", "gausian", "'gaussian'"),
])
def test_did_you_mean(tulle, line, wrong, meant):
    error = tulle(*line.split(), status=2).err
    assert wrong in error and f"did you mean {meant}" in error and error.count("\n") == 1


def test_the_first_unknown_option_as_typed_is_named(tulle):
    error = tulle("complete", "x.csv", "--wrong", "--worse", status=2).err
    assert "--wrong is not an option of tulle complete" in error


def test_an_option_without_its_value_does_not_take_the_next_one(tulle):
    """As of a variable that is not set: --account=$ACCOUNT."""
    error = tulle("complete", "x.csv", "--epsilon=1", "--account=", "--range=1:5", status=2).err
    assert error == "tulle: --account is empty; give a value, or leave it out\n"


def test_an_argument_too_many(tulle):
    assert "'c.csv' is one argument more than tulle evaluate takes" in tulle("evaluate", "a.npz", "b.csv", "c.csv", status=2).err


def flags_in_strings(path):
    text = re.sub(r"//[^\n]*", "", path.read_text())
    return {flag for string in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text) for flag in re.findall(r"(?<![\w-])--[a-z][\w-]*", string)}


def test_an_argument_without_a_flag_is_named_as_the_help_shows_it(tulle):
    assert tulle("account", "foo", status=2).err.startswith("tulle: MECHANISM: there is no 'foo'")


def test_every_option_that_a_message_names_exists(tulle):
    def options(*verb):
        page = tulle(*verb, "--help").out + tulle(*verb, "--help-all", status=None).out
        below = re.findall(r"^  (\w+)", page.partition("\nSubcommands:\n")[2].partition("Example:")[0], re.MULTILINE)
        return set(re.findall(r"--[a-z][\w-]*", page)).union(*(options(*verb, name) for name in below))

    known = options() | {"--"}
    for path in (ROOT / "src" / "cli").rglob("*.cpp"):
        assert flags_in_strings(path) <= known, path


@pytest.fixture
def fitted(tulle):
    films = ["Alien", "Brazil", "Cube"]
    lines = [f"user{i},{film},{1 + (i + k) % 5}" for i in range(8) for k, film in enumerate(films)]
    (tulle.folder / "ratings.csv").write_text("user,film,rating\n" + "\n".join(lines) + "\n")
    tulle("complete", "ratings.csv", "--method", "plain", "--rank", 1, "--seed", 1, "-o", "model.npz")
    return tulle


def test_labels_that_the_model_does_not_know(fitted):
    (fitted.folder / "wanted.csv").write_text("user,film\nuser3,Alein\n")
    error = fitted("predict", "model.npz", "wanted.csv", status=1).err
    assert "wanted.csv:2" in error and "did you mean 'Alien'?" in error and "--new FILE --new-mode MODE" in error
    (fitted.folder / "test.csv").write_text("user,film,rating\nuser3,Alein,4\n")
    assert "--new" not in fitted("evaluate", "model.npz", "test.csv", status=1).err
    (fitted.folder / "new.csv").write_text("user,film,rating\neve,Brasil,5\n")
    assert "did you mean 'Brazil'?" in fitted("predict", "model.npz", "wanted.csv", "--new", "new.csv", status=1).err


def test_data_are_not_a_model(fitted):
    for verb in (("predict", "ratings.csv", "--all"), ("evaluate", "ratings.csv", "ratings.csv"), ("recommend", "ratings.csv", "--for", "user1")):
        assert "ratings.csv: is not a tulle model" in fitted(*verb, status=1).err


def test_nan_has_a_remedy(tulle):
    (tulle.folder / "x.csv").write_text("a,b,v\nx,y,1\nz,y,nan\n")
    assert "(--nan-missing)" in tulle("info", "x.csv", status=1).err
    assert tulle("info", "x.csv", "--nan-missing", "--json").json["listed_cells"] == 1


@pytest.mark.parametrize("line", ["--help", "methods", "info ratings.csv", "info ratings.csv --json", "evaluate model.npz ratings.csv",
                                  "predict model.npz --all", "recommend model.npz --for user1", "man", "completion bash", "complete --help",
                                  "account gaussian --sigma 1 --delta 1e-5", "complete ratings.csv --method plain --rank 1"])
def test_a_full_disk_is_an_error(fitted, line):
    with open("/dev/full", "w") as full:
        done = subprocess.run([*fitted.command, *line.split()], cwd=fitted.folder, stdout=full, stderr=subprocess.PIPE, text=True,
                              env=environment())
    assert done.returncode == 1 and "standard output: No space left on device" in done.stderr
    assert done.stderr.count("\n") == 1


def test_info_says_what_its_figures_are_of_and_where_labels_end(tulle):
    (tulle.folder / "x.csv").write_text('film,user,v\n"Good, the Bad",ann,1\nAlien,bob,3\n')
    out = tulle("info", "x.csv").out
    assert "'Good, the Bad', Alien" in out and re.search(r"mean +2 \(of the listed cells\)", out)


def test_evaluate_does_not_call_its_cells_held_out(fitted):
    out = fitted("evaluate", "model.npz", "ratings.csv").out
    assert "on 24 cells of ratings.csv" in out and "held" not in out


def test_more_mistakes_say_what_to_do(fitted):
    """As strangers made them."""
    folder = fitted.folder
    (folder / "text.txt").write_text("the goal of the team\nthe vote of the party\n")
    (folder / "words.txt").write_text("goal\nteam\nvote\nparty\n")
    (folder / "test.csv").write_text("user,film,rating\nuser3,Alien,4\n")
    fitted("topics", "text.txt", "--vocabulary", "words.txt", "--topics", 1, "--method", "plain", "-o", "topics.npz")
    assert "topics.npz: holds a model of topics; give a model that tulle complete made" in fitted("recommend", "topics.npz", "--for", "goal", status=1).err
    assert "there are no words to guess" in fitted("evaluate", "topics.npz", "test.csv", status=1).err
    assert "--vocabulary FILE" in fitted("topics", "text.txt", "--topics", 1, "--epsilon", 1, status=2).err
    assert "(--vocabulary FILE)" in fitted("topics", "text.txt", "--topics", 1, "--words", 9, "--epsilon", 1, status=1).err
    assert "--top: 0 is not a number above 0" in fitted("evaluate", "model.npz", "test.csv", "--top", 0, status=2).err
    assert "none of the values reach it" in fitted("evaluate", "model.npz", "test.csv", "--relevant", 9, status=1).err
    (folder / "two.csv").write_text("user,film,rating\nuser3,Alien,4\nuser3,Cube,1\n")
    ranked = [fitted("evaluate", "model.npz", "two.csv", "--relevant", 3, "--by", mode, "--json").json for mode in ("user", 1)]
    assert ranked[0] == ranked[1]
    assert "--by usr: there is no such mode (did you mean 'user'?)" in fitted(
        "evaluate", "model.npz", "two.csv", "--relevant", 3, "--by", "usr", status=2).err
    assert "positions to recommend" in fitted("recommend", "model.npz", "--for", "user3", "--at", "film=Alien", status=2).err
    assert "column user is chosen twice" in fitted("info", "test.csv", "--columns", "user,user,rating", status=2).err
    assert "(--format)" in fitted("info", "words.txt.unknown", status=1).err
