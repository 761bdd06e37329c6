import numpy as np
import pytest


@pytest.fixture
def ratings():
    """Users x films with about half of the cells, of rank 1 and noise."""
    random = np.random.default_rng(1)
    values = np.clip(3 + np.outer(random.normal(size=40), random.normal(size=15)), 1, 5)
    values[random.random(values.shape) < 0.5] = np.nan
    return values


@pytest.fixture
def table(ratings):
    pandas = pytest.importorskip("pandas")
    users, films = np.nonzero(~np.isnan(ratings))
    return pandas.DataFrame({"user": [f"u{user}" for user in users], "film": [f"f{film}" for film in films],
                             "rating": ratings[users, films]})
