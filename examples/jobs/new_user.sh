#!/usr/bin/env bash
# A new user: fitted from her own ratings alone against a finished model, then told what to see.
set -euo pipefail
awk 'BEGIN { print "user,film,rating"
  for (u = 1; u <= 30; u++) for (f = 1; f <= 8; f++) printf "user%d,film%d,%d\n", u, f, (u % 2 == f % 2) ? 5 : 1 }' > ratings.csv
printf 'user,film,rating\neve,film1,5\neve,film2,1\neve,film3,5\n' > new.csv
tulle complete ratings.csv --columns user,film,rating --epsilon 5 --range 1:5 --rank 1 -o model.npz
tulle recommend model.npz --for eve --new new.csv --new-mode user --unseen new.csv --top 2
