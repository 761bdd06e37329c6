#include "draw.hpp"
#include "hash.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/data/labelled.hpp>

#include <bit>
#include <cmath>
#include <numeric>
#include <span>

namespace tulle {

LabelledExamples LabelledExamples::rows(const std::vector<std::size_t>& which) const {
  LabelledExamples chosen{
      FloatMatrix(static_cast<Eigen::Index>(which.size()), values.cols()), {}, classes, height, width};
  chosen.facts = facts;
  chosen.labels.reserve(which.size());
  for (std::size_t row : which) {
    chosen.values.row(static_cast<Eigen::Index>(chosen.labels.size())) =
        values.row(static_cast<Eigen::Index>(row));
    chosen.labels.push_back(labels[row]);
  }
  return chosen;
}

void check(const LabelledExamples& examples) {
  if (examples.labels.empty()) fail("there are no examples; give some");
  if (static_cast<std::size_t>(examples.values.rows()) != examples.size())
    fail("there are {} examples, but {} labels; give one for each", examples.values.rows(), examples.size());
  for (std::size_t row = 0; row < examples.size(); ++row)
    if (examples.labels[row] < 0 || static_cast<std::size_t>(examples.labels[row]) >= examples.classes.size())
      fail("example {}: label {} is outside 0..{}; give the number of classes", row + 1, examples.labels[row],
           examples.classes.size() - 1);
}

namespace {

void check_part(double fraction) {
  if (!(fraction > 0 && fraction < 1))
    fail_usage("a part of {} of the examples: give one between 0 and 1", fraction);
}

}  // namespace

std::pair<LabelledExamples, LabelledExamples> split_examples(const LabelledExamples& all, double fraction,
                                                             std::uint64_t seed) {
  check_part(fraction);
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed).shuffle(std::span(order));
  const auto first = order.begin() + std::lround(fraction * static_cast<double>(all.size()));
  return {all.rows({order.begin(), first}), all.rows({first, order.end()})};
}

std::pair<LabelledExamples, LabelledExamples> split_each_example(const LabelledExamples& all, double fraction,
                                                                 std::uint64_t seed) {
  check_part(fraction);
  const std::uint64_t key = random_for(Use::split, seed).bits();
  std::vector<std::size_t> first, rest;
  for (std::size_t row = 0; row < all.size(); ++row) {
    std::uint64_t hash = mixed(key ^ static_cast<std::uint64_t>(all.labels[row]));
    for (float value : all.values.row(static_cast<Eigen::Index>(row)))
      hash = mixed(hash ^ std::bit_cast<std::uint32_t>(value));
    (place_of(hash) < fraction ? first : rest).push_back(row);
  }
  return {all.rows(first), all.rows(rest)};
}

}  // namespace tulle
