// Predictions of a model that was saved or is about to be.
#pragma once

#include <tulle/io/model_file.hpp>

#include <span>
#include <vector>

namespace tulle {

// Whether a model, and everything computed from it, is for the owner of the data: it states that nothing is
// guaranteed, like a model with users' own rows.
bool is_for_owner(const ModelFile& file);

// Values lie in the public range of the data, so predictions improve when clamped to it.
enum class Clamping { to_range, none };

// For values returned by `predict`.
void clamp_predicted(const ModelFile& file, Clamping clamping, std::span<double> values);

std::vector<double> predict_cells(const ModelFile& file, const Cells& cells, Clamping clamping);
DenseTensor predict_all(const ModelFile& file, Clamping clamping);

}  // namespace tulle
