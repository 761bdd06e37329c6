// A table of noisy margins: a line per released value, with a column per mode and then release, count, stddev
// and noise. The field of a mode that a margin adds up over is empty.
#pragma once

#include <tulle/data/noisy_margins.hpp>

#include <string>

namespace tulle {

bool may_be_margins(const std::string& path);  // by its name
void write_margins(const std::string& path, const NoisyMargins& margins);

// Positions are numbered in the order in which the table has them first. An Error where a margin lacks a
// cell, has one twice or has several standard deviations.
NoisyMargins read_margins(const std::string& path);

}  // namespace tulle
