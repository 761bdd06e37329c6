// A program with flags of its own: what one side allocates, the other one frees. Its own matrices are those
// of Eigen as these flags make them.
#include <tulle/io/saved_model.hpp>
#include <tulle/job/jobs.hpp>
#include <tulle/model/network.hpp>

#include <Eigen/Dense>  // first, with whatever the flags say

#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

tulle::SparseTensor ratings() {
  tulle::SparseTensor tensor(tulle::Shape{9, 7}, tulle::Unlisted::missing);
  for (tulle::Index i = 0; i < 9; ++i)
    for (tulle::Index j = 0; j < 7; ++j)
      if ((i + j) % 3 != 0)
        tensor.append(std::array{i, j}, 0.1F * static_cast<float>(i) + 0.02F * static_cast<float>(j));
  return tensor;
}

tulle::Model fitted(const char* method, tulle::ModelKind kind) {
  tulle::CompletionJob job{.method = method,
                           .terms = {.budget = {1, 0}, .range = {0, 1}, .seed = 1},
                           .fit = {.model = kind, .ranks = {3}}};
  if (std::string_view(method) == "plain") {
    job.fit.biases = true;
    job.fit.max_iterations = 3;
  }
  return job.run(ratings()).model;
}

// Copies, moves and assignments, in both directions and in a vector that grows.
void hand_around(const tulle::Model& model) {
  std::vector<tulle::Model> models;
  for (int i = 0; i < 5; ++i) models.push_back(model);
  models[0] = models[1];
  models[2] = std::move(models[3]);
  tulle::Model moved = std::move(models.back());
  models.pop_back();
  std::swap(moved, models[1]);
}

// A model made of this program's own matrices, which the library takes, and gives back from a file.
bool comes_back_from_a_file(const std::string& path) {
  Eigen::MatrixXd square = Eigen::MatrixXd::Random(9, 9);
  square = (square * square.transpose()).eval();  // with the instructions of this program
  square.conservativeResize(9, 3);
  tulle::Cp model{Eigen::VectorXd::Ones(3), {}, {}};
  model.factors.emplace_back(square);
  model.factors.emplace_back(Eigen::MatrixXd::Constant(7, 3, 0.5));
  model.biases.offsets = {Eigen::VectorXd::Zero(9), Eigen::VectorXd::Ones(7)};
  tulle::save(path, {sum(model, model), {{.name = "user"}, {.name = "film"}}, "plain"});
  tulle::ModelFile file = tulle::load_completed(path);
  std::remove(path.c_str());
  hand_around(file.model);
  auto& loaded = std::get<tulle::Cp>(file.model);
  const bool same = loaded.factors[0].leftCols(3) == square;
  loaded.factors[0].conservativeResize(4, 6);
  loaded.factors.push_back(std::move(model.factors[1]));
  return same;
}

// Matrices that the library returns.
bool classifies() {
  tulle::Network network{.layers = {{tulle::FloatMatrix::Ones(4, 2), tulle::FloatVector::Zero(2)}},
                         .classes = {"a", "b"}};
  tulle::FloatMatrix probabilities = network.probabilities(Eigen::MatrixXf::Random(5, 4));
  network = tulle::Network(network);
  const bool sums_to_1 = (probabilities.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-6F;
  probabilities.conservativeResize(11, 2);
  return sums_to_1;
}

}  // namespace

int main() {
  for (const tulle::ModelKind kind : {tulle::ModelKind::cp, tulle::ModelKind::tucker})
    for (const char* method : {"plain", "als", "one-shot"}) hand_around(fitted(method, kind));
  return comes_back_from_a_file("flags.npz") && classifies() ? 0 : 1;
}
