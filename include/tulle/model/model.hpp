// A variant of the models, and functions that all of them have.
#pragma once

#include <tulle/model/counts.hpp>
#include <tulle/model/cp.hpp>
#include <tulle/model/topics.hpp>
#include <tulle/model/tubal.hpp>
#include <tulle/model/tucker.hpp>

#include <string_view>
#include <variant>

#pragma GCC visibility push(default)

namespace tulle {

using Model = std::variant<Cp, Tucker, Tubal, Topics, Counts>;

enum class ModelKind { cp, tucker, tubal, topics, counts };  // in the order of Model
std::string_view name(ModelKind kind);
ModelKind model_of(std::string_view name);  // a UsageError that lists the names if there is none

ModelKind kind(const Model& model);
Shape shape(const Model& model);
bool is_finite(const Model& model);  // all of its parameters
std::vector<double> predict(const Model& model, const Cells& cells);
DenseTensor reconstruct(const Model& model);

}  // namespace tulle

#pragma GCC visibility pop
