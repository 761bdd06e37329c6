#!/usr/bin/env bash
# A C++ program against the installed library.
set -euo pipefail
prefix=$(dirname "$(dirname "$(command -v tulle)")")
cat > CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(mine CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(tulle REQUIRED)
add_executable(mine mine.cpp)
target_link_libraries(mine PRIVATE tulle::tulle)
EOF
cp "$(dirname "$0")/../complete_csv.cpp" mine.cpp
cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix" > log.txt && cmake --build build >> log.txt
tulle generate cp --shape 20x15x5 --rank 2 --seed 1 -o ratings.csv
build/mine ratings.csv model.npz
tulle info model.npz
