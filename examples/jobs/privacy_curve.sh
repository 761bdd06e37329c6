#!/usr/bin/env bash
# The price of privacy on one's own file: an experiment that draws the error over epsilon.
set -euo pipefail
tulle generate cp --shape 15x12x8 --rank 2 --snr 10 --seed 1 -o ratings.tns
cat > curve.toml <<'EOF'
title = "Ratings: the error over epsilon"
source = "own data"
x = "epsilon"
values = [1, 10, 100]
seeds = 2
[data]
train = "ratings.tns"
[[curves]]
name = "private"
arguments = ["--epsilon", "{x}", "--range", "-3:3", "--holdout", "0.1"]
EOF
tulle reproduce curve.toml --data . -o curve
test -s curve/plot.svg
