#!/usr/bin/env bash
# Counts of events: trips by zone, hour and weekday, one line per trip. The trips of every cell are counted as the file is read.
set -euo pipefail
awk 'BEGIN { srand(3); print "zone,hour,day"
  for (n = 0; n < 20000; n++) printf "zone%d,%d,%d\n", 1 + int(8 * rand() * rand()), int(24 * rand()), int(7 * rand()) }' > trips.csv
tulle complete trips.csv --columns zone,hour,day,- --duplicates count --epsilon 1 --range 0:60 --holdout 0.1 -o model.npz
printf 'zone,hour,day\nzone1,8,1\n' > wanted.csv
tulle predict model.npz wanted.csv
