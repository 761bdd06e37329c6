"""tulle topics, end to end: what it prints and saves, and what it refuses."""
import json
import re

import numpy as np
import pytest

WORDS, TOPICS = 8, 3
PRIVATE = ("--words", WORDS, "--topics", TOPICS, "--epsilon", 1)


@pytest.fixture(scope="module")
def drawn():
    """Documents of three words each, as a table of two sites, and their topics."""
    random = np.random.default_rng(1)
    truth = random.dirichlet(np.full(WORDS, 0.3), TOPICS).T
    words = np.empty((2, 6000, 3), np.uint8)
    for document in words.reshape(-1, 3):
        document[:] = random.choice(WORDS, 3, p=truth[:, random.integers(TOPICS)]) + 1
    return words, truth


@pytest.fixture
def corpus(tulle, drawn):
    words, truth = drawn
    np.save(tulle.folder / "words.npy", words)
    np.save(tulle.folder / "mu.npy", truth)
    return tulle


def test_topics_are_found_and_the_guarantee_travels_along(corpus):
    report = corpus("topics", "words.npy", *PRIVATE, "--truth", "mu.npy", "--seed", 1, "-o", "topics.npz", "--json").json
    assert report["method"] == "histogram" and report["documents"] == 12000
    assert report["e_comp"] < 0.1 and "e_comp" in report["owner_only"]["fields"]
    assert "how many documents there are" in report["guarantee"]["public"]
    assert report["guarantee"]["epsilon"] == 1 and report["guarantee"]["delta"] == 0
    assert report["guarantee"]["unit"] == "document"
    saved = np.load(corpus.folder / "topics.npz")
    assert saved["topics"].shape == (WORDS, TOPICS)
    assert np.allclose(saved["topics"].sum(0), 1) and np.isclose(saved["weights"].sum(), 1)
    assert json.loads(bytes(saved["tulle.json"]))["guarantee"]["epsilon"] == 1
    text = corpus("info", "topics.npz").out
    assert "topics" in text and "epsilon 1 (pure) for any one document" in text
    corpus("predict", "topics.npz", "--all", "-o", "table.npy")
    assert np.allclose(np.load(corpus.folder / "table.npy"), saved["topics"])


@pytest.mark.parametrize("args", [
    ["--method", "plain"],
    ["--method", "agn", "--epsilon", 1, "--delta", 1e-6],
    ["--method", "agn", "--epsilon", 1, "--delta", 0.01, "--calibration", "published"],
    ["--method", "avn", "--epsilon", 1],
    ["--method", "power", "--epsilon", 1, "--delta", 1e-6],
    ["--epsilon", 1, "--delta", 1e-6, "--trust", "sites"],
])
def test_every_method_runs(corpus, args):
    out = corpus("topics", "words.npy", "--words", WORDS, "--topics", TOPICS, *args).out
    assert "Found 3 topics" in out and "nan" not in out
    assert ("NOT PROVEN" in out) == ("published" in args)


def test_all_formats_say_the_same(corpus):
    table = np.load(corpus.folder / "words.npy").reshape(-1, 3)
    np.save(corpus.folder / "flat.npy", table)
    np.savetxt(corpus.folder / "list.txt", table, fmt="%d")
    np.savetxt(corpus.folder / "list.csv", table, fmt="%d", delimiter=",")
    with open(corpus.folder / "bags.tns", "w") as bags:
        for document, words in enumerate(table, 1):
            bags.writelines(f"{document} {word} {times}\n" for word, times in zip(*np.unique(words, return_counts=True)))

    def weights(name):
        return corpus("topics", name, "--words", WORDS, "--topics", TOPICS, "--method", "plain", "--seed", 1,
                      "--json").json["weights"]

    expected = weights("flat.npy")
    for name in ("words.npy", "list.txt", "list.csv", "bags.tns"):
        assert np.allclose(weights(name), expected), name


def test_the_order_of_words_plays_no_part(corpus):
    table = np.load(corpus.folder / "words.npy")
    np.save(corpus.folder / "other.npy", table[:, :, ::-1])
    for name in ("words.npy", "other.npy"):
        corpus("topics", name, *PRIVATE, "--seed", 3, "-o", name.replace(".npy", ".npz"))
    one, other = (np.load(corpus.folder / name)["topics"] for name in ("words.npz", "other.npz"))
    assert np.array_equal(one, other)


def test_a_mixture(tulle):
    random = np.random.default_rng(2)
    means = np.eye(4)[:, :3]
    np.save(tulle.folder / "x.npy", means[:, random.integers(3, size=20000)].T + 0.1 * random.standard_normal((20000, 4)))
    np.save(tulle.folder / "mu.npy", means)
    report = tulle("topics", "x.npy", "--mixture", "--norm", 1.5, "--topics", 3, "--epsilon", 2, "--delta", 1e-6,
                   "--truth", "mu.npy", "--json").json
    assert report["model"] == "mixture" and report["e_comp"] < 0.1
    assert report["variance"] == pytest.approx(0.01, abs=2e-3)


def test_a_ledger_is_charged_and_refuses_what_is_too_much(corpus):
    corpus("budget", "create", "words", "--ledger", "l.db", "--unit", "document")
    corpus("budget", "grant", "words", "--ledger", "l.db", "--epsilon", 1.5)
    args = ("topics", "words.npy", *PRIVATE, "--ledger", "l.db", "--account", "words")
    corpus(*args)
    assert corpus(*args, status=1).err.startswith("tulle: ")
    corpus(*args, "--method", "plain", status=2)


@pytest.mark.parametrize("args, message", [
    (["--topics", 3, "--words", 8], "--method plain"),
    (["--topics", 9, "--words", 8, "--epsilon", 1], "9 topics of 8 words"),
    (["--topics", 3, "--epsilon", 1], "--words"),
    (["--topics", 3, "--words", 8, "--epsilon", 1, "--method", "magic"], "histogram"),
    (["--topics", 3, "--words", 8, "--epsilon", 1, "--norm", 1], "--mixture"),
    (["--topics", 3, "--mixture", "--epsilon", 1], "--norm"),
    (["--topics", 3, "--words", 8, "--epsilon", 1, "--method", "plain"], "plain"),
    (["--topics", 3, "--words", 8, "--epsilon", 1, "--delta", 0.1], "1/n"),
    (["--topics", 3, "--words", 8, "--epsilon", 1, "--trust", "sites"], "a delta above 0"),
    (["--topics", 3, "--words", 8, "--epsilon", 1, "--method", "agn"], "a delta above 0"),
])
def test_wrong_use_says_what_to_do(corpus, args, message):
    error = corpus("topics", "words.npy", *args, status=2).err
    assert message in error and error.startswith("tulle: ") and error.count("\n") == 1


@pytest.mark.parametrize("text, message", [
    ("1 2 0\n", "bad.txt:1: '0' is no word"),
    ("1 2 3\n1 2 9\n", "bad.txt:2: '9' is no word; words are whole numbers from 1 to 8"),
    ("", "no documents"),
])
def test_bad_documents_are_named(tulle, text, message):
    (tulle.folder / "bad.txt").write_text(text)
    error = tulle("topics", "bad.txt", *PRIVATE, status=1).err
    assert message in error and error.count("\n") == 1


def test_a_private_run_wants_a_file_that_states_how_many_documents_there_are(tulle):
    (tulle.folder / "bags.tns").write_text("1 1 3\n2 2 3\n")
    (tulle.folder / "bags.tns.txt").write_text("1 1 3\n2 2 3\n")
    tulle("topics", "bags.tns.txt", "--topics", 1, "--words", 3, "--epsilon", 1)
    error = tulle("topics", "bags.tns", "--topics", 1, "--words", 3, "--epsilon", 1, status=2).err
    assert "how many documents" in error and error.count("\n") == 1


TEXT = "goal team match vote party law rain sun wind".split()


@pytest.fixture
def letters(tulle):
    random = np.random.default_rng(1)
    lines = ["The " + " ".join(random.choice(TEXT[3 * t:3 * t + 3], 5)) + ", secretword." for t in random.integers(3, size=3000)]
    (tulle.folder / "letters.txt").write_text("\n".join(lines) + "\n")
    (tulle.folder / "vocabulary.txt").write_text("\n".join(TEXT) + "\n")
    return tulle


def test_text_to_topics_and_back(letters):
    out = letters("topics", "letters.txt", "--vocabulary", "vocabulary.txt", "--topics", 3, "--epsilon", 2, "-o", "topics.npz").out
    found = {frozenset(re.findall(r"([a-z]+) \(", line.split(": ")[1])[:3]) for line in out.splitlines() if "share" in line}
    assert "public: how many documents there are, the vocabulary" in out
    assert found == {frozenset(TEXT[i:i + 3]) for i in (0, 3, 6)} and "3000 documents" in out
    assert "goal" in letters("info", "topics.npz").out
    assert b"secretword" not in (letters.folder / "topics.npz").read_bytes()
    assert "Note: 6000 of the words (28.6 %) are not in the vocabulary, and do not count. (" in out


def test_the_list_of_common_words_comes_with_the_command(letters):
    out = letters("topics", "letters.txt", "--vocabulary", "english", "--topics", 3, "--epsilon", 20, "-o", "topics.npz").out
    found = {frozenset(re.findall(r"([a-z]+) \(", line.split(": ")[1])[:3]) for line in out.splitlines() if "share" in line}
    assert found == {frozenset(TEXT[i:i + 3]) for i in (0, 3, 6)}
    words = json.loads(bytes(np.load(letters.folder / "topics.npz")["tulle.json"]))["modes"][0]["labels"]
    assert words == sorted(words) and len(words) > 2000
    assert not {"the", "of", "and", "secretword"} & set(words)  # no word that says nothing of a topic, none of the documents


def test_true_topics_are_read_before_the_charge(corpus):
    corpus("budget", "create", "texts", "--unit", "document", "--ledger", "l.db")
    corpus("budget", "grant", "texts", "--epsilon", 5, "--ledger", "l.db")
    np.save(corpus.folder / "short.npy", np.ones((WORDS - 1, TOPICS)))
    for truth in ("none.npy", "short.npy"):
        corpus("topics", "words.npy", *PRIVATE, "--truth", truth, "--ledger", "l.db", "--account", "texts", status=1)
    assert corpus("budget", "show", "texts", "--ledger", "l.db", "--json").json["spent"] == 0


def test_topics_of_documents_and_how_well_they_guess_words(letters):
    letters("topics", "letters.txt", "--vocabulary", "vocabulary.txt", "--topics", 3, "--epsilon", 5, "-o", "topics.npz")
    (letters.folder / "new.txt").write_text("goal team goal\n\nrain wind secretword\n")
    run = letters("predict", "topics.npz", "new.txt", "-o", "shares.npy")
    assert "no guarantee covers" in run.err
    shares, weights = np.load(letters.folder / "shares.npy"), np.load(letters.folder / "topics.npz")["weights"]
    assert shares.shape == (3, 3) and np.allclose(shares.sum(1), 1) and np.allclose(shares[1], weights)
    assert shares[0].max() > 0.95 and shares[0].argmax() != shares[2].argmax()
    report = letters("evaluate", "topics.npz", "new.txt", "--json").json
    assert report["test_documents"] == 3 and report["test_words"] == 5 and 1 < report["test_perplexity"] < 9
    assert set(report["owner_only"]["fields"]) == {"test_documents", "test_words", "test_perplexity"}
    assert "where equally likely words have 9" in letters("evaluate", "topics.npz", "new.txt").out
    trained = ("evaluate", "topics.npz", "new.txt", "--train", "letters.txt")
    unigram = letters(*trained, "--json").json["baseline_perplexity"]
    assert report["test_perplexity"] < unigram < 9.5
    assert f"Without a model: perplexity {unigram:.5g} of the shares of words in letters.txt" in letters(*trained).out
    letters("predict", "topics.npz", "new.txt", "--interval", 0.9, status=2)
    letters("evaluate", "topics.npz", "new.txt", "--relevant", 1, status=2)


def test_a_topic_that_does_not_stand_out_of_the_noise_is_marked(letters):
    run = letters("topics", "letters.txt", "--vocabulary", "english", "--topics", 4, "--epsilon", 0.01, "-o", "topics.npz")
    lines = [line for line in run.out.splitlines() if " share " in line]
    assert len(lines) == 4 and all("does not stand out of the noise" in line for line in lines)
    saved = np.load(letters.folder / "topics.npz")
    assert not saved["stands_out"].any() and np.allclose(saved["topics"], saved["topics"][:, :1])
    assert letters("info", "topics.npz", "--json").json["stands_out"] == [False] * 4
    report = letters("topics", "letters.txt", "--vocabulary", "vocabulary.txt", "--topics", 4, "--epsilon", 20, "--json").json
    assert sum(report["stands_out"]) >= 3


# Seeds of the documents and of the noise are fixed.
def test_more_topics_than_there_are_predict_no_worse_than_the_shares_of_words(tulle):
    random = np.random.default_rng(2)
    topics = random.dirichlet(np.full(30, 2.0), 3).T
    words = np.array([random.choice(30, 3, p=topics[:, random.integers(3)]) + 1 for _ in range(6000)])
    np.save(tulle.folder / "train.npy", words[:4000]), np.save(tulle.folder / "test.npy", words[4000:])
    def perplexity(count):
        tulle("topics", "train.npy", "--words", 30, "--topics", count, "--epsilon", 10, "--seed", 1, "-o", "topics.npz")
        return tulle("evaluate", "topics.npz", "test.npy", "--json").json["test_perplexity"]
    unigram = perplexity(1)
    assert perplexity(20) <= unigram
    saved = np.load(tulle.folder / "topics.npz")
    assert saved["stands_out"].sum() <= 3
    assert not saved["weights"][saved["stands_out"] == 0].any()


# That no document has a word is private: the exit status and what is printed do not depend on it.
@pytest.mark.parametrize("count", [1, 2])
def test_documents_without_words_are_documents(tulle, count):
    header = "%%MatrixMarket matrix coordinate integer general\n"
    (tulle.folder / "empty.mtx").write_text(header + "50 4 0\n")
    (tulle.folder / "one.mtx").write_text(header + "50 4 1\n7 2 5\n")
    for file in ("empty.mtx", "one.mtx"):
        for how in (("--epsilon", 1), ("--epsilon", 1, "--delta", 1e-4), ("--method", "plain")):
            out = tulle("topics", file, "--words", 4, "--topics", count, *how, "-o", "topics.npz").out
            assert f"Found {count} topics in 50 documents" in out and "nan" not in out
        tulle("evaluate", "topics.npz", file, status=1 if file == "empty.mtx" else 0)


def test_a_folder_of_documents(letters):
    folder = letters.folder / "letters"
    folder.mkdir()
    for i, line in enumerate((letters.folder / "letters.txt").read_text().splitlines()):
        (folder / f"{i:04}.txt").write_text(line.replace(" ", "\n"))
    run = lambda path: letters("topics", path, "--vocabulary", "vocabulary.txt", "--topics", 3, "--method", "plain", "--seed", 1, "--json").json
    assert run("letters")["weights"] == run("letters.txt")["weights"]


def test_a_vocabulary_is_a_list_of_words(letters):
    run = ("topics", "letters.txt", "--topics", 3, "--epsilon", 1)
    assert "--words" in letters(*run, "--words", 9, "--vocabulary", "vocabulary.txt", status=2).err
    (letters.folder / "bad.txt").write_text("goal\nGOAL\n")
    assert "listed twice" in letters(*run, "--vocabulary", "bad.txt", status=1).err
