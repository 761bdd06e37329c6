#!/usr/bin/env bash
# Traffic with gaps: an array in which NaN marks what was not measured; the gaps are filled in.
set -euo pipefail
python3 -c '
import numpy as np
random = np.random.default_rng(4)
flow = np.outer(random.random(12), 1 + np.sin(np.arange(48) / 8))[:, :, None] * (1 + random.random(5))
flow[random.random(flow.shape) < 0.3] = np.nan
np.save("flow.npy", flow)'
tulle complete flow.npy --nan-missing --epsilon 2 --range 0:4 --holdout 0.1 -o model.npz
tulle predict model.npz --all -o filled.npy
python3 -c 'import numpy as np; assert not np.isnan(np.load("filled.npy")).any()'
