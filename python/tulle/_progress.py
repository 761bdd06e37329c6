"""How far a fit is, for whoever waits for it."""
from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 1.0  # seconds: shorter work shows nothing of itself


class Bar:
    """A bar of tqdm, made when the work takes longer than a second."""

    def __init__(self, make: Callable, label: str):
        self.make, self.label, self.started = make, label, time.monotonic()
        self.bar: Any = None

    def __call__(self, step: int, limit: int) -> None:
        if self.bar is None:
            if time.monotonic() - self.started < PATIENCE or limit <= 0:
                return
            self.bar = self.make(total=limit, desc=self.label, leave=False)
        self.bar.total = limit
        self.bar.update(step - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def bar(label: str) -> Bar | None:
    """None where tqdm is not installed, or nobody looks: outside of notebooks, standard error is no terminal."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    in_notebook = "ipykernel" in sys.modules
    return Bar(tqdm, label) if in_notebook or (sys.stderr is not None and sys.stderr.isatty()) else None
