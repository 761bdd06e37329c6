"""Type stubs, written by scripts/stubs.py."""
import os
from typing import Any, Literal, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

_Value = Union[str, int, float, os.PathLike[str], Sequence[str], Sequence[int], Sequence[float], Mapping[str, Any],
               npt.NDArray[Any]]
_Array = npt.NDArray[np.float64]

__version__: str

class Error(ValueError): ...
class UsageError(Error): ...
class NotFittedError(ValueError, AttributeError): ...
class Guarantee(dict[str, Any]): ...

class CP:
    guarantee_: Guarantee
    report_: dict[str, Any]
    owner_: dict[str, Any]
    remarks_: list[str]
    mode_names_: list[str]
    labels_: list[list[Any]]
    level_: float
    offsets_: list[_Array]
    weights_: _Array
    factors_: list[_Array]
    def __init__(
        self,
        *,
        releases: Literal['keep', 'drop'] = 'keep',
        holdout: Optional[float] = None,
        score_all: bool = False,
        crop: Optional[_Value] = None,
        clamp: Optional[_Value] = None,
        epsilon: Optional[float] = None,
        delta: Optional[float] = 0.0,
        calibration: Literal['sound', 'published'] = 'sound',
        unit: _Value = 'entry',
        user_mode: Optional[_Value] = None,
        relation: Optional[_Value] = None,
        range: Optional[_Value] = None,
        public: Optional[_Value] = None,
        unknown: Literal['drop', 'refuse'] = 'drop',
        account: Optional[_Value] = None,
        ledger: Optional[_Value] = None,
        note: Optional[_Value] = None,
        stop_if_lost: Optional[float] = None,
        accept_losses: bool = False,
        method: _Value = 'auto',
        rank: Optional[_Value] = None,
        biases: bool = False,
        solver: Optional[_Value] = None,
        ridge: Optional[float] = None,
        start: Optional[Literal['random', 'spectral']] = None,
        iterations: Optional[int] = None,
        tolerance: Optional[float] = None,
        ordered: Optional[_Value] = None,
        from_model: Optional[Any] = None,
        from_model_is_public: bool = False,
        hold: Optional[_Value] = None,
        device: Optional[_Value] = None,
        validation: Optional[float] = None,
        noise: Optional[_Value] = None,
        steps: Optional[_Value] = None,
        entries_per_user: Optional[_Value] = None,
        learning_rate: Optional[_Value] = None,
        sampling_rate: Optional[_Value] = None,
        clip: Optional[_Value] = None,
        clip_quantile: Optional[_Value] = None,
        sgld_rule: Optional[_Value] = None,
        protection: Optional[_Value] = None,
        posterior: Optional[_Value] = None,
        format: Optional[Literal['tns', 'csv', 'tsv', 'mtx', 'npy', 'npz', 'mat']] = None,
        columns: Optional[_Value] = None,
        header: Literal['auto', 'yes', 'no'] = 'auto',
        separator: Optional[_Value] = None,
        decimal: Optional[Literal['point', 'comma']] = None,
        unlisted: Literal['missing', 'zero'] = 'missing',
        duplicates: Literal['mean', 'last', 'sum', 'count', 'refuse'] = 'refuse',
        nan_missing: bool = False,
        shape: Optional[_Value] = None,
        variable: Optional[_Value] = None,
        seed: Optional[int] = None,
        threads: Optional[int] = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, *, test: Any = None) -> CP: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def plan(self, data: Any, **more: Any) -> dict[str, Any]: ...
    def predict(self, cells: Any, *, clamped: bool = True, user_rows: bool = False, unknown: str | None = None) -> npt.NDArray[Any]: ...
    def recommend(self, user: Any, known: Any = None, *, top: int = 10, by: str = '', item_mode: int = 1, user_rows: bool = False, items: Any = None) -> list[Any]: ...
    def reconstruct(self, *, clamped: bool = True) -> npt.NDArray[Any]: ...
    def report(self, path: Any, *, owner: bool = False) -> None: ...
    def save(self, path: Any, *, user_rows: bool = False) -> None: ...
    def score(self, X: Any, y: Any) -> float: ...
    def set_params(self, **values: Any) -> CP: ...
    def to_tensorly(self) -> tuple[_Array, list[_Array]]: ...

class Tucker:
    guarantee_: Guarantee
    report_: dict[str, Any]
    owner_: dict[str, Any]
    remarks_: list[str]
    mode_names_: list[str]
    labels_: list[list[Any]]
    level_: float
    offsets_: list[_Array]
    core_: _Array
    factors_: list[_Array]
    def __init__(
        self,
        *,
        releases: Literal['keep', 'drop'] = 'keep',
        holdout: Optional[float] = None,
        score_all: bool = False,
        crop: Optional[_Value] = None,
        clamp: Optional[_Value] = None,
        epsilon: Optional[float] = None,
        delta: Optional[float] = 0.0,
        calibration: Literal['sound', 'published'] = 'sound',
        unit: _Value = 'entry',
        user_mode: Optional[_Value] = None,
        relation: Optional[_Value] = None,
        range: Optional[_Value] = None,
        public: Optional[_Value] = None,
        unknown: Literal['drop', 'refuse'] = 'drop',
        account: Optional[_Value] = None,
        ledger: Optional[_Value] = None,
        note: Optional[_Value] = None,
        stop_if_lost: Optional[float] = None,
        accept_losses: bool = False,
        method: _Value = 'auto',
        rank: Optional[_Value] = None,
        biases: bool = False,
        solver: Optional[_Value] = None,
        ridge: Optional[float] = None,
        start: Optional[Literal['random', 'spectral']] = None,
        iterations: Optional[int] = None,
        tolerance: Optional[float] = None,
        ordered: Optional[_Value] = None,
        from_model: Optional[Any] = None,
        from_model_is_public: bool = False,
        hold: Optional[_Value] = None,
        device: Optional[_Value] = None,
        validation: Optional[float] = None,
        noise: Optional[_Value] = None,
        steps: Optional[_Value] = None,
        entries_per_user: Optional[_Value] = None,
        learning_rate: Optional[_Value] = None,
        sampling_rate: Optional[_Value] = None,
        clip: Optional[_Value] = None,
        clip_quantile: Optional[_Value] = None,
        sgld_rule: Optional[_Value] = None,
        protection: Optional[_Value] = None,
        posterior: Optional[_Value] = None,
        format: Optional[Literal['tns', 'csv', 'tsv', 'mtx', 'npy', 'npz', 'mat']] = None,
        columns: Optional[_Value] = None,
        header: Literal['auto', 'yes', 'no'] = 'auto',
        separator: Optional[_Value] = None,
        decimal: Optional[Literal['point', 'comma']] = None,
        unlisted: Literal['missing', 'zero'] = 'missing',
        duplicates: Literal['mean', 'last', 'sum', 'count', 'refuse'] = 'refuse',
        nan_missing: bool = False,
        shape: Optional[_Value] = None,
        variable: Optional[_Value] = None,
        seed: Optional[int] = None,
        threads: Optional[int] = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, *, test: Any = None) -> Tucker: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def plan(self, data: Any, **more: Any) -> dict[str, Any]: ...
    def predict(self, cells: Any, *, clamped: bool = True, user_rows: bool = False, unknown: str | None = None) -> npt.NDArray[Any]: ...
    def recommend(self, user: Any, known: Any = None, *, top: int = 10, by: str = '', item_mode: int = 1, user_rows: bool = False, items: Any = None) -> list[Any]: ...
    def reconstruct(self, *, clamped: bool = True) -> npt.NDArray[Any]: ...
    def report(self, path: Any, *, owner: bool = False) -> None: ...
    def save(self, path: Any, *, user_rows: bool = False) -> None: ...
    def score(self, X: Any, y: Any) -> float: ...
    def set_params(self, **values: Any) -> Tucker: ...
    def to_tensorly(self) -> tuple[_Array, list[_Array]]: ...

class Tubal:
    guarantee_: Guarantee
    report_: dict[str, Any]
    owner_: dict[str, Any]
    remarks_: list[str]
    mode_names_: list[str]
    labels_: list[list[Any]]
    level_: float
    offsets_: list[_Array]
    u_: _Array
    s_: _Array
    v_: _Array
    def __init__(
        self,
        *,
        releases: Literal['keep', 'drop'] = 'keep',
        holdout: Optional[float] = None,
        score_all: bool = False,
        crop: Optional[_Value] = None,
        clamp: Optional[_Value] = None,
        epsilon: Optional[float] = None,
        delta: Optional[float] = 0.0,
        calibration: Literal['sound', 'published'] = 'sound',
        unit: _Value = 'entry',
        user_mode: Optional[_Value] = None,
        relation: Optional[_Value] = None,
        range: Optional[_Value] = None,
        public: Optional[_Value] = None,
        unknown: Literal['drop', 'refuse'] = 'drop',
        account: Optional[_Value] = None,
        ledger: Optional[_Value] = None,
        note: Optional[_Value] = None,
        stop_if_lost: Optional[float] = None,
        accept_losses: bool = False,
        method: _Value = 'auto',
        rank: Optional[_Value] = None,
        biases: bool = False,
        solver: Optional[_Value] = None,
        ridge: Optional[float] = None,
        start: Optional[Literal['random', 'spectral']] = None,
        iterations: Optional[int] = None,
        tolerance: Optional[float] = None,
        ordered: Optional[_Value] = None,
        from_model: Optional[Any] = None,
        from_model_is_public: bool = False,
        hold: Optional[_Value] = None,
        device: Optional[_Value] = None,
        validation: Optional[float] = None,
        noise: Optional[_Value] = None,
        steps: Optional[_Value] = None,
        entries_per_user: Optional[_Value] = None,
        learning_rate: Optional[_Value] = None,
        sampling_rate: Optional[_Value] = None,
        clip: Optional[_Value] = None,
        clip_quantile: Optional[_Value] = None,
        sgld_rule: Optional[_Value] = None,
        protection: Optional[_Value] = None,
        posterior: Optional[_Value] = None,
        format: Optional[Literal['tns', 'csv', 'tsv', 'mtx', 'npy', 'npz', 'mat']] = None,
        columns: Optional[_Value] = None,
        header: Literal['auto', 'yes', 'no'] = 'auto',
        separator: Optional[_Value] = None,
        decimal: Optional[Literal['point', 'comma']] = None,
        unlisted: Literal['missing', 'zero'] = 'missing',
        duplicates: Literal['mean', 'last', 'sum', 'count', 'refuse'] = 'refuse',
        nan_missing: bool = False,
        shape: Optional[_Value] = None,
        variable: Optional[_Value] = None,
        seed: Optional[int] = None,
        threads: Optional[int] = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, *, test: Any = None) -> Tubal: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def plan(self, data: Any, **more: Any) -> dict[str, Any]: ...
    def predict(self, cells: Any, *, clamped: bool = True, user_rows: bool = False, unknown: str | None = None) -> npt.NDArray[Any]: ...
    def recommend(self, user: Any, known: Any = None, *, top: int = 10, by: str = '', item_mode: int = 1, user_rows: bool = False, items: Any = None) -> list[Any]: ...
    def reconstruct(self, *, clamped: bool = True) -> npt.NDArray[Any]: ...
    def report(self, path: Any, *, owner: bool = False) -> None: ...
    def save(self, path: Any, *, user_rows: bool = False) -> None: ...
    def score(self, X: Any, y: Any) -> float: ...
    def set_params(self, **values: Any) -> Tubal: ...

class Topics:
    guarantee_: Guarantee
    report_: dict[str, Any]
    owner_: dict[str, Any]
    remarks_: list[str]
    topics_: _Array
    components_: _Array
    weights_: _Array
    variance_: float
    stands_out_: Optional[list[bool]]
    vocabulary_: list[str]
    def __init__(
        self,
        *,
        topics: Optional[int] = None,
        words: Optional[int] = None,
        vocabulary: Optional[_Value] = None,
        mixture: bool = False,
        norm: Optional[float] = None,
        method: _Value = 'histogram',
        releases: Literal['keep', 'drop'] = 'keep',
        epsilon: Optional[float] = None,
        delta: Optional[float] = 0.0,
        calibration: Literal['sound', 'published'] = 'sound',
        trust: Literal['central', 'sites'] = 'central',
        colluding: int = 1,
        account: Optional[_Value] = None,
        ledger: Optional[_Value] = None,
        note: Optional[_Value] = None,
        stop_if_lost: Optional[float] = None,
        accept_losses: bool = False,
        seed: Optional[int] = None,
        threads: Optional[int] = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None) -> Topics: ...
    def fit_transform(self, X: Any, y: Any = None) -> npt.NDArray[Any]: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def perplexity(self, X: Any) -> float: ...
    def plan(self, data: Any, **more: Any) -> dict[str, Any]: ...
    def report(self, path: Any, *, owner: bool = False) -> None: ...
    def save(self, path: Any) -> None: ...
    def set_params(self, **values: Any) -> Topics: ...
    def transform(self, X: Any) -> npt.NDArray[Any]: ...

class Counts:
    guarantee_: Guarantee
    report_: dict[str, Any]
    owner_: dict[str, Any]
    remarks_: list[str]
    mode_names_: list[str]
    labels_: list[list[Any]]
    counts_: _Array
    def __init__(
        self,
        *,
        columns: Optional[_Value] = None,
        events: Optional[_Value] = None,
        header: Literal['auto', 'yes', 'no'] = 'auto',
        separator: Optional[_Value] = None,
        decimal: Optional[Literal['point', 'comma']] = None,
        format: Optional[Literal['tns', 'csv', 'tsv', 'mtx', 'npy', 'npz', 'mat']] = None,
        shape: Optional[_Value] = None,
        variable: Optional[_Value] = None,
        method: _Value = 'margins',
        releases: Literal['keep', 'drop'] = 'keep',
        epsilon: Optional[float] = None,
        delta: Optional[float] = 0.0,
        calibration: Literal['sound', 'published'] = 'sound',
        unit: _Value = 'event',
        user_mode: Optional[_Value] = None,
        relation: Optional[_Value] = None,
        public: Optional[_Value] = None,
        unknown: Literal['drop', 'refuse'] = 'drop',
        private_keys: Optional[_Value] = None,
        rows_per_user: Optional[_Value] = None,
        rows_per_cell: Optional[_Value] = None,
        account: Optional[_Value] = None,
        ledger: Optional[_Value] = None,
        note: Optional[_Value] = None,
        stop_if_lost: Optional[float] = None,
        accept_losses: bool = False,
        seed: Optional[int] = None,
        threads: Optional[int] = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None) -> Counts: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def plan(self, data: Any, **more: Any) -> dict[str, Any]: ...
    def predict(self, cells: Any) -> npt.NDArray[Any]: ...
    def query(self, sum_over: Any = (), where: Mapping[Any, Any] | None = None, interval: float = 0.9) -> dict[str, Any]: ...
    def report(self, path: Any, *, owner: bool = False) -> None: ...
    def sample(self, n: int | None = None, *, seed: int | None = None) -> dict[str, Any]: ...
    def save(self, path: Any) -> None: ...
    def save_margins(self, path: Any) -> None: ...
    def set_params(self, **values: Any) -> Counts: ...
    @classmethod
    def from_margins(cls, path: Any) -> Counts: ...

class Classifier:
    guarantee_: Guarantee
    report_: dict[str, Any]
    owner_: dict[str, Any]
    remarks_: list[str]
    classes_: npt.NDArray[Any]
    n_features_in_: int
    feature_names_in_: npt.NDArray[Any]
    layers_: list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]
    def __init__(
        self,
        *,
        holdout: Optional[float] = None,
        classes: Optional[Union[int, Sequence[Any], npt.NDArray[Any]]] = None,
        ranges: Optional[_Value] = None,
        image: Optional[_Value] = None,
        hidden: Optional[_Value] = None,
        activation: _Value = 'relu',
        method: _Value = 'best',
        dropout: _Value = 'none',
        dropout_rate: float = 0.2,
        steps: Optional[_Value] = None,
        sampling_rate: Optional[_Value] = None,
        clip: Optional[_Value] = None,
        clip_quantile: Optional[_Value] = None,
        learning_rate: Optional[_Value] = None,
        epsilon: Optional[float] = None,
        delta: Optional[float] = 0.0,
        calibration: Literal['sound', 'published'] = 'sound',
        relation: Optional[_Value] = None,
        range: Optional[_Value] = None,
        accounting: Literal['pld', 'ac', 'zcdp'] = 'pld',
        account: Optional[_Value] = None,
        ledger: Optional[_Value] = None,
        note: Optional[_Value] = None,
        stop_if_lost: Optional[float] = None,
        accept_losses: bool = False,
        seed: Optional[int] = None,
        threads: Optional[int] = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any, *, test: Any = None) -> Classifier: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def plan(self, data: Any, **more: Any) -> dict[str, Any]: ...
    def predict(self, X: Any) -> npt.NDArray[Any]: ...
    def predict_proba(self, X: Any) -> npt.NDArray[Any]: ...
    def report(self, path: Any, *, owner: bool = False) -> None: ...
    def save(self, path: Any) -> None: ...
    def score(self, X: Any, y: Any) -> float: ...
    def set_params(self, **values: Any) -> Classifier: ...

class Coupled:
    guarantee_: Guarantee
    report_: dict[str, Any]
    owner_: dict[str, Any]
    remarks_: list[str]
    factors_: dict[str, _Array]
    def __init__(
        self,
        *,
        tables: Optional[_Value] = None,
        rank: Optional[int] = None,
        missing: Optional[float] = None,
        alone: bool = False,
        divergence: Optional[_Value] = None,
        floor: Optional[float] = None,
        prior: Optional[_Value] = None,
        relation: Optional[_Value] = None,
        cold_start: Optional[int] = None,
        entity: Optional[_Value] = None,
        top: int = 10,
        inference: Optional[Literal['ml', 'map', 'vb', 'als', 'hals', 'sgd-map', 'sgld', 'langevin', 'gibbs']] = None,
        dispersion: bool = False,
        fixed_priors: bool = False,
        samples: int = 50,
        batches: int = 4,
        step: Optional[float] = None,
        starts: int = 1,
        iterations: int = 500,
        tolerance: float = 1e-06,
        separator: Optional[_Value] = None,
        decimal: Optional[Literal['point', 'comma']] = None,
        releases: Literal['keep', 'drop'] = 'keep',
        epsilon: Optional[float] = None,
        delta: Optional[float] = 0.0,
        calibration: Literal['sound', 'published'] = 'sound',
        range: Optional[_Value] = None,
        account: Optional[_Value] = None,
        ledger: Optional[_Value] = None,
        note: Optional[_Value] = None,
        stop_if_lost: Optional[float] = None,
        accept_losses: bool = False,
        method: _Value = 'dp-sgld',
        steps: Optional[_Value] = None,
        sampling_rate: Optional[_Value] = None,
        clip: Optional[_Value] = None,
        learning_rate: Optional[_Value] = None,
        entries_per_user: Optional[_Value] = None,
        sgld_rule: Optional[_Value] = None,
        protection: Optional[_Value] = None,
        seed: Optional[int] = None,
        threads: Optional[int] = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None) -> Coupled: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def plan(self, data: Any, **more: Any) -> dict[str, Any]: ...
    def predict(self, cells: Any, *, relation: str = '', user_rows: bool = False) -> npt.NDArray[Any]: ...
    def predict_interval(self, cells: Any, probability: float = 0.9, *, relation: str = '') -> npt.NDArray[Any]: ...
    def report(self, path: Any, *, owner: bool = False) -> None: ...
    def save(self, path: Any, *, user_rows: bool = False) -> None: ...
    def set_params(self, **values: Any) -> Coupled: ...

class Ledger:
    path: str
    def __init__(self, path: Any = None) -> None: ...
    def __fspath__(self) -> str: ...
    def create(self, name: str, *, unit: str = 'entry', relation: str = 'replace', mode: str | int | None = None, data: Any = None) -> None: ...
    def grant(self, name: str, epsilon: float, delta: float = 0.0, note: str = '') -> None: ...
    def history(self, name: str | None = None) -> list[dict[str, Any]]: ...
    def show(self, name: str | None = None) -> Any: ...
    def verify(self, head: str | None = None) -> int: ...

def account(
    mechanism: str,
    *,
    sigma: Optional[float] = None,
    epsilon_each: Optional[float] = None,
    steps: Optional[int] = None,
    rate: Optional[float] = None,
    also: Optional[_Value] = None,
    delta: Optional[float] = None,
    epsilon: Optional[float] = None,
    find: Optional[Literal['sigma', 'steps', 'rate']] = None,
    relation: _Value = 'add-remove',
    plot: Optional[_Value] = None,
) -> dict[str, Any]: ...

def audit(
    method: str | None = None,
    *,
    all: bool = False,
    exact: bool = False,
    pairs: Optional[int] = None,
    quick: bool = False,
    model: Optional[Literal['cp', 'tucker', 'tubal', 'network']] = None,
    unit: Optional[Literal['entry', 'event', 'user', 'document', 'example']] = None,
    relation: Optional[Literal['replace', 'add-remove', 'zero-out']] = None,
    calibration: Optional[Literal['sound', 'published']] = None,
    epsilon: Optional[float] = None,
    delta: Optional[float] = None,
    trials: Optional[int] = None,
    confidence: float = 0.999,
    report: Optional[_Value] = None,
    output: Optional[_Value] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
) -> dict[str, Any]: ...

def load(path: Any) -> CP | Tucker | Tubal | Topics | Counts | Classifier | Coupled: ...

def refit(
    fitted: Any,
    *,
    model: Optional[Literal['cp', 'tucker', 'tubal']] = None,
    topics: Optional[int] = None,
    rank: Optional[_Value] = None,
    biases: bool = False,
    solver: Optional[_Value] = None,
    ridge: Optional[float] = None,
    start: Optional[Literal['random', 'spectral']] = None,
    iterations: Optional[int] = None,
    tolerance: Optional[float] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
) -> CP | Tucker | Tubal | Topics | Counts: ...
