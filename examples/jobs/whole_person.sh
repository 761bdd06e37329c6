#!/usr/bin/env bash
# A whole person protected: nobody can tell from the model whether a user is in the data. The films are public.
set -euo pipefail
awk 'BEGIN { srand(1); print "user,film,rating"
  for (u = 1; u <= 200; u++) for (f = 1; f <= 8; f++)
    if (rand() < 0.6) printf "user%d,film%d,%d\n", u, f, 1 + (f % 2) * 3 + rand() * 2 }' > ratings.csv
tulle complete ratings.csv --columns user,film,rating --unit user --user-mode user --public film \
  --epsilon 1 --delta 1e-6 --range 1:5 -o model.npz --user-output for-the-users.npz
tulle info model.npz | grep 'joint' > /dev/null
tulle recommend model.npz --for anybody --top 3
tulle recommend for-the-users.npz --for user7 --top 3 --unseen ratings.csv
