#!/usr/bin/env bash
# Counts of events: trips by zone, hour and weekday. Trips are counted first, so that every cell is listed once.
set -euo pipefail
awk 'BEGIN { srand(3)
  for (n = 0; n < 20000; n++) printf "zone%d,%d,%d\n", 1 + int(8 * rand() * rand()), int(24 * rand()), int(7 * rand()) }' > trips.csv
{ echo zone,hour,day,trips; sort trips.csv | uniq -c | awk '{ print $2 "," $1 }'; } > counts.csv
tulle complete counts.csv --columns zone,hour,day,trips --epsilon 1 --range 0:60 --holdout 0.1 -o model.npz
printf 'zone,hour,day\nzone1,8,1\n' > wanted.csv
tulle predict model.npz wanted.csv
