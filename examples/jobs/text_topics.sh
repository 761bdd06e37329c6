#!/usr/bin/env bash
# Text to topics: one document per line, a public list of words, topics printed as words.
set -euo pipefail
printf '%s\n' goal team match vote party law rain sun wind > vocabulary.txt
awk 'BEGIN { srand(5); split("goal team match vote party law rain sun wind", w)
  for (d = 0; d < 3000; d++) { t = int(3 * rand()); line = "The"
    for (n = 0; n < 6; n++) line = line " " w[3 * t + 1 + int(3 * rand())]; print line "." } }' > letters.txt
tulle topics letters.txt --vocabulary vocabulary.txt --topics 3 --epsilon 2 -o topics.npz
tulle info topics.npz
