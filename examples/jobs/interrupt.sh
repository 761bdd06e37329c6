#!/usr/bin/env bash
# Ctrl-C: the run says what was charged, ends with status 130 and leaves no temporary file.
set -euo pipefail
tulle generate cp --shape 40x30x20 --rank 2 --seed 1 -o train.tns
tulle budget create train && tulle budget grant train --epsilon 1
set -m
tulle complete train.tns --method input --rank 4 --epsilon 1 --range -3:3 --iterations 1000000 --tolerance 0 \
  --account train -o model.npz 2> said.txt &
run=$!
until tulle budget show train --json | jq -e '.spent > 0' > /dev/null; do sleep 0.1; done
sleep 0.5
status=0; kill -INT $run; wait $run || status=$?
cat said.txt
test "$status" -eq 130 && grep -q "'train' was charged" said.txt && test "$(ls -A)" = "$(ls)" && test ! -e model.npz
