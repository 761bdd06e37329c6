// How well a model predicts held-out cells, for people and for machines.
#pragma once

#include <tulle/model/model.hpp>
#include <tulle/tensor/sparse.hpp>

#include <nlohmann/json_fwd.hpp>

namespace tulle::cli {

struct Scores {
  std::size_t cells = 0;
  double rmse = 0;
  double mae = 0;
  double rse = 0;
};

Scores score(const Model& model, const SparseTensor& test);
void add(const Scores& scores,
         nlohmann::ordered_json& report);  // as test_rmse, test_mae, rse, test_cells
std::string text(const Scores& scores);

}  // namespace tulle::cli
