#include "public_modes.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/split.hpp>
#include <tulle/io/list.hpp>
#include <tulle/job/merging.hpp>
#include <tulle/tensor/mode_of.hpp>
#include <tulle/tensor/slice.hpp>

#include <algorithm>

namespace tulle {
namespace {

void crop(const std::optional<Shape>& shape, Dataset& data) {
  if (!shape) return;
  data.tensor = std::visit([&](const auto& tensor) { return decltype(data.tensor)(crop(tensor, *shape)); },
                           data.tensor);
  for (int mode = 0; mode < shape->order(); ++mode)
    if (auto& labels = data.modes[static_cast<std::size_t>(mode)].labels; !labels.empty())
      labels.resize((*shape)[mode]);
}

void clamp(const std::optional<Range>& range, Dataset& data) {
  if (!range) return;
  std::visit(
      [&](auto& tensor) {
        for (auto& value : tensor.values())
          value = static_cast<std::remove_reference_t<decltype(value)>>(range->clamp(value));
      },
      data.tensor);
}

// Maps entries with private positions to public ones.
struct Placing {
  Positions positions;
  std::optional<int> users;  // the mode of private users
  std::vector<Mode> known;   // how positions of another file are matched: by labels if these data have them
};

Placing placing_of(const DataOptions& options, const DataPrivacy& privacy, const Dataset& data,
                   std::vector<std::string>& facts) {
  Placing placing;
  if (!privacy.user_mode.empty()) placing.users = mode_of(privacy.user_mode, data.modes, "user mode");
  placing.positions = public_positions(options, data, placing.users, facts);
  for (std::size_t mode = 0; mode < data.modes.size(); ++mode)
    placing.known.push_back({data.modes[mode].name, {}, has_labels(options, data, static_cast<int>(mode))});
  return placing;
}

// `modes` are those of data placed before, if any.
void place(const DataOptions& options, const Placing& placing, const std::string& path,
           const std::vector<Mode>& modes, Dataset& data, CompletionData& parts) {
  PlacedData placed = at_public_positions(data, placing.positions, options.outside);
  parts.dropped += placed.dropped;
  if (parts.dropped_examples.empty()) parts.dropped_examples = dropped_examples(path, placed);
  data = std::move(placed.data);
  for (Mode& mode : data.modes) mode.any = false;
  if (!placing.users) return;
  const auto users = static_cast<std::size_t>(*placing.users);
  number_by_name(data, *placing.users, modes.empty() ? std::vector<std::string>() : modes[users].labels);
}

// Whether data of this format always name positions by numbers.
bool has_numbers_alone(const DataOptions& options) {
  return traits(format_of(options.train, options.reading)).naming == Naming::numbers;
}

std::vector<Mode> published_modes(const DataOptions& options, const std::vector<Mode>& modes,
                                  std::optional<int> users) {
  std::vector<Mode> shown = modes;
  if (users)
    shown[static_cast<std::size_t>(*users)] = {.name = modes[static_cast<std::size_t>(*users)].name,
                                               .any = true,
                                               .numbered = has_numbers_alone(options)};
  return shown;
}

// ---- Reading ----

ReadOptions reading_of(const DataOptions& options, const DataPrivacy& privacy, const std::string& path) {
  ReadOptions reading =
      privacy.positions ? reading_of_private_lines(options, privacy, path) : options.reading;
  // Private values are clamped to the public range, however large: refusing one would reveal it.
  reading.clamp_to_float32 = reading.one_cell_per_entry = privacy.values;
  return reading;
}

// The test file may have cells outside the training data: the model then covers both. Private positions are
// those of the training data.
void read_test(const DataOptions& options, const DataPrivacy& privacy, const Placing& placing,
               CompletionData& parts) {
  ReadOptions reading = reading_of(options, privacy, options.test);
  reading.known = privacy.positions ? placing.known : parts.modes;
  reading.grow = true;
  Dataset test = read(options.test, reading);
  parts.merged_rows += test.merged_rows;
  if (privacy.positions) place(options, placing, options.test, parts.modes, test, parts);
  crop(options.crop, test);
  clamp(options.clamp, test);
  const Shape trained = std::visit([](const auto& t) { return t.shape(); }, parts.train);
  if (test.shape().order() != trained.order())
    fail("{}: a {} tensor, but {} is {}", options.test, test.shape().text(), options.train, trained.text());
  std::vector<std::uint64_t> both;
  for (int mode = 0; mode < trained.order(); ++mode)
    both.push_back(std::max(trained[mode], test.shape()[mode]));
  const Shape shape(both);
  if (std::holds_alternative<DenseTensor>(parts.train) && shape != trained)
    fail("{}: it has cells outside of {}, a full {} tensor; omit them", options.test, options.train,
         trained.text());
  const std::vector<Mode> modes = std::move(test.modes);
  const SparseTensor listed = observed(std::move(test));
  parts.test.emplace(listed.cells().within(shape),
                     std::vector<float>(listed.values().begin(), listed.values().end()), Unlisted::missing);
  parts.modes = modes;
  if (auto* train = std::get_if<SparseTensor>(&parts.train); train && shape != trained)
    *train =
        SparseTensor(train->cells().within(shape),
                     std::vector<float>(train->values().begin(), train->values().end()), train->unlisted());
}

Split held_out(const Dataset& data, double fraction, const DataPrivacy& privacy, std::uint64_t seed) {
  if (privacy.positions) return split_by_position(data, fraction, seed);
  return std::visit([&](const auto& tensor) { return split(tensor, fraction, seed); }, data.tensor);
}

}  // namespace

void DataOptions::check() const {
  if (holdout && !test.empty())
    fail_usage(
        "cells to measure the error on are held out[ (@holdout)] or read from a test file[ (@test)], not "
        "both");
  if (reading.unlisted == Unlisted::zero && (holdout || validation))
    fail_usage(
        "cells cannot be held out of a tensor whose unlisted cells are zero: they would count as zeros");
  if (clamp && !(clamp->low < clamp->high))
    fail_usage("values cannot be clamped to {}:{}; give LOW < HIGH", clamp->low, clamp->high);
  for (const auto& fraction : {holdout, validation})
    if (fraction && !(*fraction > 0 && *fraction < 1))
      fail_usage("a fraction of {} cannot be held out; give a number between 0 and 1", *fraction);
}

std::size_t CompletionData::train_cells() const {
  return std::visit([](const auto& tensor) { return tensor.size(); }, train);
}

CompletionData read_completion_data(const DataOptions& options, const DataPrivacy& privacy,
                                    std::uint64_t seed) {
  const ReadOptions reading = reading_of(options, privacy, options.train);
  return completion_data_of(read(options.train, reading), options, privacy, seed);
}

CompletionData completion_data_of(Dataset data, const DataOptions& options, const DataPrivacy& privacy,
                                  std::uint64_t seed) {
  // Removing a user changes who the first users of a file are, and their number is private.
  if (options.crop && privacy.positions && !privacy.user_mode.empty())
    fail_usage("cropping[ (@crop)] would cut off users, who come and go under add-remove; omit it");
  CompletionData parts{.train = SparseTensor(data.shape(), Unlisted::missing),
                       .duplicates = data.duplicates,
                       .repeats_entries = data.repeats_entries,
                       .merged_rows = data.merged_rows,
                       .privacy = privacy,
                       .seed = seed};
  if (data.guessed_separator)
    parts.notes.emplace_back(
        "The header shows that semicolons separate the columns; numbers may have a decimal comma.");
  if (parts.duplicates == Duplicates::refuse)
    parts.duplicates = options.reading.duplicates;  // of the test file
  if (privacy.positions) check_header(data);
  Placing placing;
  if (privacy.positions) {
    placing = placing_of(options, privacy, data, parts.public_facts);
    parts.users_have_names = placing.users && placing.known[static_cast<std::size_t>(*placing.users)].any;
    place(options, placing, options.train, {}, data, parts);
  } else {
    if (!options.public_modes.empty())
      fail_usage(
          "public modes are stated[ (@public)] under relation add-remove; under the other ones all positions "
          "are public");
    parts.public_facts.emplace_back(options.test.empty()
                                        ? "which cells are observed, and their labels"
                                        : "which cells are observed or tested, and their labels");
  }
  if (privacy.values && parts.duplicates != Duplicates::refuse)
    parts.public_facts.push_back(
        merging_fact(parts.duplicates, privacy.user_mode.empty() ? Unit::entry : Unit::user));
  crop(options.crop, data);
  clamp(options.clamp, data);
  parts.modes = data.modes;
  if (options.holdout) {
    Split halves = held_out(data, *options.holdout, privacy, seed);
    parts.train = std::move(halves.train);
    parts.test = std::move(halves.test);
  } else {
    parts.train = std::move(data.tensor);
  }
  if (!options.test.empty()) read_test(options, privacy, placing, parts);
  if (options.validation) {
    Split halves = std::visit(
        [&](const auto& tensor) { return split(tensor, *options.validation, seed + 1); }, parts.train);
    parts.train = std::move(halves.train);
    parts.validation = std::move(halves.test);
  }
  parts.public_modes = published_modes(options, parts.modes, placing.users);
  return parts;
}

}  // namespace tulle
