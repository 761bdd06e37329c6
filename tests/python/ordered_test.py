"""ordered=: modes whose neighbouring positions are alike."""
import numpy as np
import pytest
import tulle

I, J, K = np.indices((24, 30, 28))
WAVE = 0.7 * np.sin(0.25 * I + 0.1 * J) * np.cos(0.2 * K - 0.15 * J)


def error(**keywords):
    known = np.random.default_rng(1).random(WAVE.shape) < 0.5
    model = tulle.CP(epsilon=1, range=(-1, 1), seed=1, nan_missing=True, **keywords).fit(np.where(known, WAVE, np.nan))
    return np.sqrt(np.mean((model.predict(np.argwhere(~known)) - WAVE[~known]) ** 2))


def test_stated_modes_are_smoothed():
    assert error(ordered=["axis 0", "axis 1", "axis 2"]) < 0.5 * error()


def test_a_mode_that_there_is_not_is_refused_by_keyword():
    with pytest.raises(tulle.UsageError, match="ordered"):
        error(ordered=["hour"])


def test_axes_count_from_0():
    assert error(ordered=[0, 1, 2]) == error(ordered=["axis 0", "axis 1", "axis 2"])


def test_an_axis_with_a_period_is_called_by_its_name():
    assert error(ordered=["axis 1%25", 2]) > 0
    with pytest.raises(tulle.UsageError, match="ordered: '1%25' is a text; .*'axis 1%25'"):
        error(ordered=["1%25"])
