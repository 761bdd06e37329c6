#!/usr/bin/env bash
# Top-N lists: the films that the model predicts the highest ratings for, without those that the user knows.
set -euo pipefail
awk 'BEGIN { srand(2); print "user,film,rating"
  for (u = 1; u <= 40; u++) for (f = 1; f <= 20; f++)
    if (rand() < 0.5) printf "user%d,film%d,%d\n", u, f, 1 + (u % 2 == f % 2) * 3 + rand() * 2 }' > ratings.csv
tulle complete ratings.csv --columns user,film,rating --method plain --rank 2 --biases -o model.npz
tulle recommend model.npz --for user1 --top 5 --unseen ratings.csv --json | jq -e '.recommended | length == 5'
