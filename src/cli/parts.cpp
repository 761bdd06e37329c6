#include "parts.hpp"

#include "privacy_options.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/split.hpp>
#include <tulle/io/read.hpp>
#include <tulle/tensor/slice.hpp>

namespace tulle::cli {
namespace {

void crop(const PartsOptions& options, Dataset& data) {
  if (options.crop.empty()) return;
  const Shape shape = Shape::parse(options.crop);
  data.tensor =
      std::visit([&](const auto& tensor) { return decltype(data.tensor)(crop(tensor, shape)); }, data.tensor);
  for (int mode = 0; mode < shape.order(); ++mode)
    if (auto& labels = data.modes[static_cast<std::size_t>(mode)].labels; !labels.empty())
      labels.resize(shape[mode]);
}

void clamp(const PartsOptions& options, Dataset& data) {
  if (options.clamp.empty()) return;
  const Range range = parse_range("--clamp", options.clamp);
  std::visit(
      [&](auto& tensor) {
        for (auto& value : tensor.values())
          value = static_cast<std::remove_reference_t<decltype(value)>>(range.clamp(value));
      },
      data.tensor);
}

Dataset read_part(const PartsOptions& options, const std::string& path, const ReadOptions& reading) {
  Dataset data = read(path, reading);
  crop(options, data);
  clamp(options, data);
  return data;
}

// Cells of the test file may lie beyond what the training data show: the model then covers both.
void read_test(const PartsOptions& options, Parts& parts) {
  ReadOptions reading = options.input.read_options();
  reading.known = parts.modes;
  reading.grow = true;
  Dataset test = read_part(options, options.test, reading);
  const Shape trained = std::visit([](const auto& t) { return t.shape(); }, parts.train);
  if (test.shape().order() != trained.order())
    fail("{}: a {} tensor, but {} is {}", options.test, test.shape().text(), options.train, trained.text());
  std::vector<std::uint64_t> both;
  for (int mode = 0; mode < trained.order(); ++mode)
    both.push_back(std::max(trained[mode], test.shape()[mode]));
  const Shape shape(both);
  const SparseTensor listed = observed(test);
  parts.test.emplace(listed.cells().within(shape),
                     std::vector<float>(listed.values().begin(), listed.values().end()), Unlisted::missing);
  parts.modes = std::move(test.modes);
  if (auto* train = std::get_if<SparseTensor>(&parts.train); train && shape != trained)
    *train =
        SparseTensor(train->cells().within(shape),
                     std::vector<float>(train->values().begin(), train->values().end()), train->unlisted());
}

}  // namespace

void PartsOptions::check() const {
  if (holdout && !test.empty()) fail_usage("--holdout and --test exclude each other");
  if (input.unlisted == "zero" && (holdout || validation))
    fail_usage(
        "cells cannot be held out of a tensor whose unlisted cells are zero: they would count as zeros");
  if (!clamp.empty())
    if (const Range range = parse_range("--clamp", clamp); !(range.low < range.high))
      fail_usage("--clamp {}: give LOW < HIGH", clamp);
  for (const auto& fraction : {holdout, validation})
    if (fraction && !(*fraction > 0 && *fraction < 1))
      fail_usage("a fraction of {} cannot be held out; give a number between 0 and 1", *fraction);
}

Parts read_parts(const PartsOptions& options, std::uint64_t seed) {
  Dataset data = read_part(options, options.train, options.input.read_options());
  Parts parts{data.modes, std::move(data.tensor), {}, {}};
  if (options.holdout) {
    Split halves =
        std::visit([&](const auto& tensor) { return split(tensor, *options.holdout, seed); }, parts.train);
    parts.train = std::move(halves.train);
    parts.test = std::move(halves.test);
  }
  if (!options.test.empty()) read_test(options, parts);
  if (options.validation) {
    Split halves = std::visit(
        [&](const auto& tensor) { return split(tensor, *options.validation, seed + 1); }, parts.train);
    parts.train = std::move(halves.train);
    parts.validation = std::move(halves.test);
  }
  return parts;
}

}  // namespace tulle::cli
