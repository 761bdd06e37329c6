// How well a model predicts held-out cells, for people and for machines.
#pragma once

#include <tulle/job/owner_fields.hpp>
#include <tulle/method/terms.hpp>
#include <tulle/model/model.hpp>
#include <tulle/tensor/sparse.hpp>

#include <nlohmann/json_fwd.hpp>

#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// A score that is undefined for the cells (the relative error of values that are all 0) is not finite: null
// in a report, "-" in text.
struct Scores {
  std::size_t cells = 0;
  double rmse = 0;
  double mae = 0;
  double rse = 0;
  // If all values are counts: the sum of ln Poisson(value; rate), where the rate is the prediction, but at
  // least kLeastRate: a count that is predicted to be impossible would make it minus infinity.
  std::optional<double> of_counts = {};
  static constexpr double kLeastRate = 1e-3;

  // of_counts for counts; for other values, the sum of ln Normal(value; prediction, 1).
  double log_likelihood() const;
};

Scores score(std::span<const float> values, std::span<const double> predicted);
// For predictions that are clamped to a range, if one is given.
Scores score(const Model& model, const SparseTensor& test, const std::optional<Range>& range = {});
// Measures after releases are made and paid for. The run delivers its model whatever happens here: held-out
// cells must not decide whether there is one. If measuring fails, returns `otherwise` and adds a note for the
// owner with the reason.
template <class Measured>
Measured measured_or(Measured otherwise, const std::function<Measured()>& measure,
                     std::vector<std::string>& owner_notes) {
  try {
    return measure();
  } catch (const std::exception& error) {
    owner_notes.push_back(std::string("The error was not measured: ") + error.what());
    return otherwise;
  }
}

// Adds test_rmse, test_mae, test_rse and test_cells, which are computed from data. Null if there is no cell
// to score: whether there is one is private too.
void add(const std::optional<Scores>& scores, nlohmann::ordered_json& report, OwnerFields& owner);
// If users' own rows are not published: adds the objects test_with_own_rows and test_published_model.
void add_both(const std::optional<Scores>& with_own_rows, const std::optional<Scores>& published,
              nlohmann::ordered_json& report, OwnerFields& owner);
std::string text(const Scores& scores);

}  // namespace tulle

#pragma GCC visibility pop
