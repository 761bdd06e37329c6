// A project outside of Tulle: fits a model to a synthetic tensor and predicts a cell.
#include <tulle/data/generate.hpp>
#include <tulle/solve/cp/complete_als.hpp>

#include <cstdio>

int main() {
  const auto synthetic = tulle::generate_cp({20, 15, 10}, 2, 1, 100);
  const auto fit =
      tulle::complete_cp_als(tulle::observe(synthetic.noisy, 0.5, 1), {.rank = 2, .biases = true});
  const tulle::Index cell[] = {3, 4, 5};
  const double truth = synthetic.truth[cell], predicted = fit.model.at(cell);
  std::printf("truth %.3f, predicted %.3f\n", truth, predicted);
  return predicted - truth < 0.1 && truth - predicted < 0.1 ? 0 : 1;
}
