#!/usr/bin/env bash
# Audits: the exit status is 0 where attacks find nothing, and 3 where they find a violation.
set -euo pipefail
tulle audit laplace --epsilon 1 --trials 5000 --seed 1
status=0
tulle audit gradient --calibration published --trials 500 --seed 1 --report audit.html || status=$?
test "$status" -eq 3
tulle audit --exact input --model cp --pairs 20
