// A private method from outside the library: the mean of all entries, as a constant model.
//
// Unit, relation:  entry, replace. Public: shape, positions, range.
// Releases:        the sum of the entries less the middle of the range. Replacing one entry changes it by at
//                  most the largest change of a value and two steps of the grid on which it is added up.
// After that free: dividing by the number of entries.
#include <tulle/tulle.hpp>

#include <fmt/core.h>

#include <array>
#include <vector>

using namespace tulle;

Completion complete_with_mean(const PrivateRequest& request, Curator& curator) {
  const Range& range = request.data.range();
  const auto entries = static_cast<double>(request.data.positions().size());
  const SumGrid grid(range.width(), entries);  // on which sums are exact
  const auto sensitivity = Sensitivity::one_coordinate(request.data.largest_change() + 2 * grid.step(),
                                                       request.terms.unit, request.relation);
  const double epsilon = curator.plan({{.loss = Loss::laplace}})[0];  // all releases, before the first
  const auto noise = AdditiveNoise::laplace(sensitivity, epsilon, 1);

  const auto query = [&](const SparseTensor& observed) {
    double sum = 0;
    for (double value : observed.values()) sum += grid.round(range.centred(value));
    return std::vector{sum};
  };
  const Noisy sum = curator.release(request.data.observed(), noise, "sum of the entries", query);

  Cp model{
      .weights = Vector::Constant(1, range.middle() + sum.values[0] / entries), .factors = {}, .biases = {}};
  for (Index size : request.data.shape().dimensions()) model.factors.push_back(Matrix::Ones(size, 1));
  return {.model = std::move(model), .solver = "mean"};
}

int main() {
  register_method({.name = "mean",
                   .title = "The mean of all entries, for every cell",
                   .source = "this example",
                   .guarantee = "epsilon for any one entry",
                   .models = {ModelKind::cp},
                   .protects = {{{Unit::entry, Relation::replace}}},
                   .sound = complete_with_mean});

  // Two data sets that differ in one entry as much as they can: the worst case for this method.
  SparseTensor low({2, 2}, Unlisted::missing), high({2, 2}, Unlisted::missing);
  for (Index i = 0; i < 2; ++i) {
    low.append(std::array{i, Index{0}}, 0);
    high.append(std::array{i, Index{0}}, i == 0 ? 1 : 0);
  }

  const CompletionJob job{.method = "mean", .terms = {.budget = {.epsilon = 1}, .range = {0, 1}}};
  fmt::print("{}\n", sentence(job.run(high).guarantee));

  const Finding finding = audit(completion_subject(job, low, high, "one entry, 0 or 1"), {.trials = 20'000});
  fmt::print("claimed epsilon 1, measured at least {:.2f}: {}\n", finding.epsilon(), name(finding.verdict()));
  return finding.verdict() == Verdict::consistent ? 0 : 1;
}
