// Headers of the light rooms and the command; compiled once for all of them.
#pragma once

#include <nlohmann/json.hpp>
#include <precompiled.hpp>
