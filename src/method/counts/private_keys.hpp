// Modes whose positions are private themselves, such as which shops there are: chosen by how many units are
// at each, at a cost.
#pragma once

#include <tulle/method/counts.hpp>
#include <tulle/privacy/curator.hpp>

#include <optional>
#include <vector>

namespace tulle {

// How a budget is divided: keys of every mode, and tables of what is then left, whose noise is pure.
struct KeyPlan {
  Budget of_mode, of_tables;
};

// Plans the choice of keys, where a unit has at most `keys` in a mode, and leaves a pure epsilon for tables,
// to be released in parts. A UsageError without a delta, or for another relation than add-remove.
KeyPlan plan_keys(const std::vector<int>& modes, const Budget& budget, std::uint64_t keys, Curator& curator);

// The number of a mode, from 1, among those that are counted by, as tables have it.
int number_in_tables(int mode, std::optional<int> users);

// Chooses positions of each of these modes. Of users, whose rows were bounded, `users` is their mode: a key
// has as many units as users, else as events.
std::vector<ChosenKeys> choose_keys(const Protected<SparseTensor>& events, const std::vector<int>& modes,
                                    std::optional<int> users, const KeyPlan& plan, std::uint64_t keys,
                                    Curator& curator);

// The events at these positions, which are numbered in their order.
SparseTensor at_keys(const SparseTensor& events, const std::vector<ChosenKeys>& chosen);
Shape shape_at_keys(const Shape& shape, const std::vector<ChosenKeys>& chosen);

}  // namespace tulle
