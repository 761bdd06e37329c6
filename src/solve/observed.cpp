#include "observed.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>

#include <cmath>

namespace tulle {
namespace {

// The sum of term(value) over the values.
template <class Term>
double sum_of(std::span<const float> values, const Term& term) {
  return chunked_sum(values.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t entry = begin; entry < end; ++entry) sum += term(values[entry]);
    return sum;
  });
}

}  // namespace

void check_observed(const SparseTensor& observed, const SparseTensor* validation, std::string_view instead) {
  if (observed.unlisted() == Unlisted::zero)
    fail(
        "completion: the cells that are not listed are zeros, so none is missing; use {}, or read the data "
        "with missing semantics",
        instead);
  if (observed.size() == 0) fail("completion: no cell is observed");
  for (float value : observed.values())
    if (!std::isfinite(value)) fail("completion: an observed value is not finite");
  if (validation == nullptr) return;
  if (validation->size() == 0) fail("completion: the validation data hold no cell");
  bool fits = validation->order() == observed.order();
  for (int mode = 0; fits && mode < observed.order(); ++mode)
    fits = validation->shape()[mode] <= observed.shape()[mode];
  if (!fits)
    fail("completion: the validation data are {}, which the data's {} does not cover",
         validation->shape().text(), observed.shape().text());
}

void check_ridge(std::string_view name, double ridge) {
  if (!(ridge >= 0)) fail_usage("{}: {} is negative; give 0 or more", name, ridge);
}

StandardUnits standard_of(const SparseTensor& observed, bool with_level) {
  const auto values = observed.values();
  const auto count = static_cast<double>(values.size());
  StandardUnits standard;
  if (with_level) standard.level = sum_of(values, [](double value) { return value; }) / count;
  const double square =
      sum_of(values, [&](double value) { return (value - standard.level) * (value - standard.level); });
  standard.constant = square == 0;
  if (!standard.constant) standard.scale = std::sqrt(square / count);
  return standard;
}

int starts_to_try(const SparseTensor& observed, int rank) {
  return static_cast<double>(observed.size()) * rank < 2e5 ? 4 : 1;
}

double expected_square(double squares, double freedom, double cells) {
  const double left = std::max(1 - freedom / cells, 1e-3);
  return squares / cells / (left * left);
}

}  // namespace tulle
