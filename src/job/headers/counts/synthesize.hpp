// Synthetic events with the estimated counts: free, as often as one likes.
#pragma once

#include <tulle/io/model_file.hpp>
#include <tulle/job/options/option_table.hpp>
#include <tulle/tensor/dataset.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tulle {

struct SynthesizeOptions {
  std::string model;                            // a file
  std::shared_ptr<const ModelFile> from_model;  // or the model itself
  std::optional<std::uint64_t> events;          // empty: as many as are estimated
  std::optional<std::uint64_t> seed;
  std::string output;

  void declare(OptionTable& table);
};

// Whole numbers of events, of the cells that have some. Each is its share of all events, rounded up or down
// so that the expectation is right and that all before it, in C order, are rounded as one (systematic
// sampling: Madow 1949).
Dataset synthesize(const SynthesizeOptions& options);

}  // namespace tulle
