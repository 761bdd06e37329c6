// Another model from the releases that a model file keeps: it costs nothing, since no data are looked at, and
// has the guarantee of the releases.
#pragma once

#include <tulle/data/noisy_margins.hpp>
#include <tulle/io/model_file.hpp>
#include <tulle/job/charging.hpp>
#include <tulle/job/options/option_table.hpp>
#include <tulle/method/completion.hpp>
#include <tulle/method/topics.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#pragma GCC visibility push(default)

namespace tulle {

struct RefitOptions {
  std::string from;                             // a model file, or a table of noisy margins
  std::shared_ptr<const ModelFile> from_model;  // or the model itself
  std::optional<ModelKind> model;               // empty: that of the file
  FitOptions fit;                               // of a completion
  std::optional<int> topics;                    // of a model of topics; empty: as many as in the file
  std::optional<std::uint64_t> seed;            // empty: that of the run that released
  std::string output;

  void declare(OptionTable& table);
};

struct RefitOutcome {
  ModelFile file;
  Completion completion;  // without a guarantee of its own
  std::uint64_t seed = 0;
  double seconds = 0;
};

class RefitRequest {
 public:
  // A UsageError or an Error where the model has no releases, or the table is none of noisy margins.
  explicit RefitRequest(const RefitOptions& options);

  RefitOutcome run(const Watcher& watcher) const;

 private:
  Completion estimated_again(const FitOptions& fit) const;

  std::optional<NoisyMargins> margins_;  // in place of a model
  ModelFile file_;
  FitOptions fit_;
  TopicOptions topics_;
};

nlohmann::ordered_json report_of(const RefitOutcome& outcome);

}  // namespace tulle

#pragma GCC visibility pop
