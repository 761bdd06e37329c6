#include <tulle/base/error.hpp>
#include <tulle/job/jobs.hpp>
#include <tulle/tensor/dataset.hpp>

namespace tulle {

Completion CompletionJob::run(std::variant<DenseTensor, SparseTensor> data, Pay pay,
                              const SparseTensor* validation) const {
  if (!found().is_private()) {
    settings.check(method, found().settings, false);
    return complete_best({.data = std::move(data), .validation = validation, .fit = fit});
  }
  if (validation)
    fail_usage(
        "validation data would be looked at without a charge; private methods choose on released data");
  return complete_privately(found(), observed({{}, std::move(data)}), terms, settings, fit, std::move(pay));
}

PrivateRun CompletionJob::prepared(std::variant<DenseTensor, SparseTensor> data) const {
  return {found(), observed({{}, std::move(data)}), terms, settings, fit};
}

TopicOutcome TopicJob::run(TopicData data, Pay pay) const {
  return find_topics(found(), std::move(data), terms, options, std::move(pay));
}

}  // namespace tulle
