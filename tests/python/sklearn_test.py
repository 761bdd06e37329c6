"""The checks of scikit-learn, as far as they apply."""
import unittest
import warnings

import pytest
import tulle

checks = pytest.importorskip("sklearn.utils.estimator_checks")


CLASSIFIER = tulle.Classifier(method="plain", range=(-10, 10), hidden=10, seed=1, threads=1)
COMPLETION = tulle.CP(method="plain", rank=1, seed=1, threads=1)

NOT_OF_CLASSIFIERS = {"check_dtype_object"}
# These take predictions to be of any number of features, of 1 or of 10, where a completion takes a column for each of 2 to 8 modes; of
# numbers that may be missing, where it takes labels; or of values at random, which have no structure to be found.
NOT_OF_COMPLETIONS = {
    "check_n_features_in_after_fitting", "check_n_features_in", "check_dtype_object", "check_regressors_train", "check_regressor_data_not_an_array",
    "check_regressors_int", "check_fit2d_1sample", "check_fit2d_1feature", "check_positive_only_tag_during_fit", "check_estimators_pickle",
}


def failed(estimator, left_out):
    """Checks that fail, with what they say, and the names of all that passed."""
    wrong, passed = {}, set()
    for each, check in checks.estimator_checks_generator(estimator):
        name = check.func.__name__
        if name in left_out:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(each)
            passed.add(name)
        except unittest.SkipTest:
            pass
        except Exception as error:  # noqa: BLE001 (whatever a check throws is its verdict)
            wrong[name] = repr(error)
    return wrong, passed


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit")  # scikit-learn is not required
@pytest.mark.parametrize("estimator, left_out, least",
                         [(CLASSIFIER, NOT_OF_CLASSIFIERS, 40), (COMPLETION, NOT_OF_COMPLETIONS, 30)])
def test_checks_of_estimators(estimator, left_out, least):
    wrong, passed = failed(estimator, left_out)
    assert not wrong
    assert len(passed) >= least


def test_a_completion_is_cloned_and_stands_in_a_pipeline():
    import numpy as np
    from sklearn.base import clone
    from sklearn.pipeline import make_pipeline

    X = np.outer([1.0, 2, 3], [1.0, 1, 2])
    model = tulle.CP(method="plain", rank=1, seed=1, threads=1)
    assert clone(model).get_params() == model.get_params()
    assert np.array_equal(make_pipeline("passthrough", model).fit(X)[-1].reconstruct(), clone(model).fit(X).reconstruct())


def test_a_classifier_is_searched_over_a_grid():
    from sklearn.datasets import load_iris
    from sklearn.model_selection import GridSearchCV

    X, y = load_iris(return_X_y=True)
    model = tulle.Classifier(method="plain", range=(0, 8), seed=1, threads=1)
    search = GridSearchCV(model, {"hidden": [0, 8]}, cv=2).fit(X, y)
    assert search.best_score_ > 0.6
