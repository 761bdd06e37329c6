#include <tulle/base/error.hpp>
#include <tulle/job/jobs.hpp>
#include <tulle/tensor/dataset.hpp>

namespace tulle {

Completion CompletionJob::run(std::variant<DenseTensor, SparseTensor> data, Pay pay,
                              const SparseTensor* validation) const {
  if (!found().is_private())
    return complete_plainly({.data = std::move(data), .validation = validation, .fit = fit});
  if (validation)
    fail_usage(
        "validation data would be looked at without a charge; private methods choose on released data");
  Curator curator = open_curator(found(), terms, std::move(pay));
  return run(observed({{}, std::move(data)}), curator);
}

TopicOutcome TopicJob::run(TopicData data, Pay pay) const {
  Curator curator = open_curator(found(), terms, std::move(pay));
  return run(std::move(data), curator);
}

}  // namespace tulle
