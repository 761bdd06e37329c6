// Predictions of a model that was saved, or is about to be.
#pragma once

#include <tulle/io/model_file.hpp>

#include <vector>

namespace tulle {

// Values lie in the public range of the data, and so do the best predictions of them: they are clamped to it.
enum class Clamping { to_range, none };

std::vector<double> predict_cells(const ModelFile& file, const Cells& cells, Clamping clamping);
DenseTensor predict_all(const ModelFile& file, Clamping clamping);

}  // namespace tulle
