#!/usr/bin/env bash
# What make install puts under a prefix: the command, its man page, shell completion, the library, experiments.
set -euo pipefail
prefix=$(dirname "$(dirname "$(command -v tulle)")")
tulle --version
man -l "$prefix/share/man/man1/tulle.1" | grep -- '--epsilon' > /dev/null
bash -c "source $prefix/share/bash-completion/completions/tulle; complete -p tulle"
test -e "$prefix"/lib*/cmake/tulle/tulle-config.cmake
tulle reproduce | grep wei2022 > /dev/null
