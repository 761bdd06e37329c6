// Headers of the rooms that call kernels and have none; compiled once for all of them.
#pragma once

#include <nlohmann/json.hpp>
#include <precompiled.hpp>
