// Headers of the command that take long to compile.
#pragma once

#include <Eigen/Core>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>
