"""The command counts positions from 1, and each user of a model with users' own rows has hers, whatever format asks for it."""
import numpy as np
import pytest

USERS, FILMS = 8, 4
WITHOUT_CELLS = (1, 5)  # so that rows of users are not their numbers
MODEL = ("--unit", "user", "--user-mode", 1, "--public", 2, "--method", "als", "--epsilon", 1e5, "--delta", 1e-3, "--range", "1:5", "--seed", 1)


def line(*cell):
    return " ".join(map(str, cell)) + "\n"


@pytest.fixture
def fitted(tulle):
    """Values of rank 1 that tell users apart, of users by numbers."""
    values = np.clip(3 + np.outer(np.linspace(-2, 2, USERS), [1, -1, 0.7, 0.9]), 1, 5)
    cells = [(user, film) for user in range(1, USERS + 1) for film in range(1, FILMS + 1) if user not in WITHOUT_CELLS]
    (tulle.folder / "train.tns").write_text("".join(line(user, film, values[user - 1, film - 1]) for user, film in cells))
    tulle("complete", "train.tns", *MODEL, "--rank", 2, "-o", "public.npz", "--user-output", "own.npz")
    (tulle.folder / "x.tns").write_text("".join(line(*cell) for cell in cells))
    (tulle.folder / "x.csv").write_text("mode1,mode2\n" + "".join(f"{user},{film}\n" for user, film in cells))
    (tulle.folder / "x.mtx").write_text("%%MatrixMarket matrix coordinate pattern general\n" + line(USERS, FILMS, len(cells)) + "".join(line(*cell) for cell in cells))
    tulle.values = np.array([values[user - 1, film - 1] for user, film in cells])
    return tulle


def predicted(run):
    return np.array([float(row.replace(",", " ").split()[-1]) for row in run.out.splitlines() if row[0].isdigit()])


def test_a_user_has_her_own_row_in_every_format(fitted):
    for cells in ("x.tns", "x.csv", "x.mtx"):
        assert np.abs(predicted(fitted("predict", "own.npz", cells)) - fitted.values).mean() < 0.2  # users are 0.4 to 0.57 apart
    assert fitted("evaluate", "own.npz", "train.tns", "--json").json["test_rmse"] < 0.2


def test_a_user_without_a_row_is_refused(fitted):
    for user in (*WITHOUT_CELLS, USERS + 1):
        (fitted.folder / "wanted.tns").write_text(line(user, 1))
        assert f"wanted.tns: position {user} of mode1 is not a known one" in fitted("predict", "own.npz", "wanted.tns", status=1).err
    array = np.full((USERS, FILMS), 3.0)
    np.save(fitted.folder / "all.npy", array)
    assert "position 1 of mode1 is not a known one" in fitted("evaluate", "own.npz", "all.npy", status=1).err


def test_recommendations_are_for_the_user_of_that_number(fitted):
    best = {user: fitted("recommend", "own.npz", "--for", user, "--top", 1, "--json").json["recommended"][0]["position"] for user in (3, 4, USERS)}
    assert best == {3: "2", 4: "2", USERS: "1"}
    (fitted.folder / "seen.tns").write_text(line(USERS, 1, 5) + line(3, 4, 5))
    unseen = fitted("recommend", "own.npz", "--for", USERS, "--unseen", "seen.tns", "--json").json["recommended"]
    assert [item["position"] for item in unseen] == ["4", "3", "2"]
    assert "'1' is not a position of mode mode1" in fitted("recommend", "own.npz", "--for", 1, status=1).err


def test_new_users_get_numbers_of_their_own(fitted):
    (fitted.folder / "new.tns").write_text(line(1, 1, 1) + line(1, 2, 5) + line(30, 1, 5) + line(30, 2, 1))
    (fitted.folder / "wanted.tns").write_text(line(1, 1) + line(30, 1) + line(USERS, 1))
    for model in ("own.npz", "public.npz"):
        cells = "wanted.tns" if model == "own.npz" else "new.tns"
        values = predicted(fitted("predict", model, cells, "--new", "new.tns", "--new-mode", 1, "--ridge", 0.1))
        assert values[0] < 3 and values[1] > 3
