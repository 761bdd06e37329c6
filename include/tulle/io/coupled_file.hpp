// A coupled model on disk: an .npz with an array per factor, under its name, which plain NumPy opens, and
// what is not an array in "tulle.json". docs/model-file.md describes it.
#pragma once

#include <tulle/model/posterior.hpp>
#include <tulle/tensor/dataset.hpp>

#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct CoupledFile {
  CoupledPosterior
      posterior;  // means; shapes and samples, where there are some, as NAME_shape and NAME_samples
  std::vector<Mode> entities;
  std::string inference;
};

void save(const std::string& path, const CoupledFile& file);  // load() is of any model: saved_model.hpp

}  // namespace tulle

#pragma GCC visibility pop
