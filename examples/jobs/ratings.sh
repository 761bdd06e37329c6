#!/usr/bin/env bash
# Ratings with names: a private model from a CSV file, its error on held-out ratings, and predictions by name.
set -euo pipefail
awk 'BEGIN { srand(1); print "user,film,rating"
  for (u = 1; u <= 60; u++) for (f = 1; f <= 12; f++)
    if (rand() < 0.6) printf "user%d,film%d,%d\n", u, f, 1 + (u % 2 == f % 2) * 3 + rand() * 2 }' > ratings.csv
printf 'user,film\nuser1,film3\nuser2,film3\n' > wanted.csv
tulle info ratings.csv
tulle complete ratings.csv --columns user,film,rating --epsilon 2 --range 1:5 --holdout 0.1 -o model.npz
tulle predict model.npz wanted.csv -o predicted.csv
test "$(wc -l < predicted.csv)" -eq 3
