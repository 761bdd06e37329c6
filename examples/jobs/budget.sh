#!/usr/bin/env bash
# A budget over several runs: what was granted is never exceeded, and the ledger says what every run cost.
set -euo pipefail
tulle generate cp --shape 20x15x5 --rank 2 --seed 1 -o ratings.tns
export TULLE_LEDGER=ledger.db
tulle budget create ratings --data ratings.tns
tulle budget grant ratings --epsilon 1 --note 'spring survey'
run() { tulle complete ratings.tns --method input --rank 1 --range -3:3 --account ratings --epsilon "$1"; }
run 0.4
run 0.4
if run 0.4; then exit 1; fi
tulle budget show ratings
tulle budget history ratings
tulle budget verify
