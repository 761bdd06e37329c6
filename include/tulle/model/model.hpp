// Any of the models, and what all of them can do.
#pragma once

#include <tulle/model/cp.hpp>
#include <tulle/model/topics.hpp>
#include <tulle/model/tubal.hpp>
#include <tulle/model/tucker.hpp>

#include <string_view>
#include <variant>

namespace tulle {

using Model = std::variant<Cp, Tucker, Tubal, Topics>;

std::string_view kind(const Model& model);  // "cp", "tucker", "tubal", "topics"
Shape shape(const Model& model);
std::vector<double> predict(const Model& model, const Cells& cells);
DenseTensor reconstruct(const Model& model);

}  // namespace tulle
