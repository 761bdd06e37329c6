// Jobs: a method on terms. The command, an auditor and embedding programs run the same functions; they differ
// in who opens the curator.
#pragma once

#include <tulle/method/counts.hpp>
#include <tulle/method/private_completion.hpp>
#include <tulle/method/topics.hpp>
#include <tulle/tensor/dataset.hpp>

#include <functional>
#include <span>
#include <string>

#pragma GCC visibility push(default)

namespace tulle {

// Called to charge a ledger before the first release.
using Pay = std::function<void(const Curator&)>;

struct CompletionJob {
  std::string method;
  Terms terms = {};  // of a private method
  Settings settings = {};
  FitOptions fit = {};
  bool keep_releases = true;  // in the model file, for a refit

  const Method& found() const { return find_method(method); }  // a UsageError if there is none

  // Runs the method plain, or a private one with its own curator, which asks for payment. A private job
  // refuses data for which the guarantee would not hold: merged rows, or labels found in the data, under a
  // relation that does not allow them (docs/guarantee-checks.md).
  Completion run(Dataset data, Pay pay = {}, const SparseTensor* validation = nullptr) const;
  // For a tensor made by a program. Run the Dataset of a file instead: it knows how rows were processed.
  Completion run(SparseTensor data, Pay pay = {}, const SparseTensor* validation = nullptr) const;
  Completion run(std::variant<DenseTensor, SparseTensor> data, Pay pay = {},
                 const SparseTensor* validation = nullptr) const = delete;

  // Runs with a curator made by open(): its random bits and its witness are the caller's. Blanked entries
  // contribute nothing (zero-out).
  Curator open(RandomBits bits) const { return open_curator(found(), terms, std::move(bits)); }
  Completion run(SparseTensor data, Curator& curator, std::span<const std::size_t> blanked = {}) const {
    return complete_privately(found(), std::move(data), terms, settings, fit, curator, blanked);
  }
};

// The same job on data of a stated shape (PublicShape).
CompletionJob with_public_shape(CompletionJob job, const Shape& sizes);

struct TopicJob {
  std::string method;
  Terms terms = {.unit = Unit::document};
  TopicOptions options = {};

  const Method& found() const { return find_method(method, Job::topics); }

  TopicOutcome run(TopicData data, Pay pay = {}) const;

  Curator open(RandomBits bits) const { return open_curator(found(), terms, std::move(bits)); }
  TopicOutcome run(TopicData data, Curator& curator) const {
    return find_topics(found(), std::move(data), terms, options, curator);
  }
};

struct CountJob {
  std::string method;
  Terms terms = {.unit = Unit::event};
  CountSettings how = {};

  const Method& found() const { return find_method(method, Job::counts); }

  CountOutcome run(SparseTensor events, Pay pay = {}) const {
    return count_events(found(), std::move(events), terms, how, std::move(pay));
  }

  Curator open(RandomBits bits) const { return open_curator(found(), terms, std::move(bits)); }
  CountOutcome run(SparseTensor events, Curator& curator) const {
    return count_events(found(), std::move(events), terms, how, curator);
  }
};

}  // namespace tulle

#pragma GCC visibility pop
