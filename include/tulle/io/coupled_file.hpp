// A coupled model on disk: an .npz that plain NumPy opens, with an array per factor, under its name, and a
// JSON member "tulle.json" for everything else. docs/model-file.md describes it.
#pragma once

#include <tulle/model/posterior.hpp>
#include <tulle/tensor/dataset.hpp>

#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct CoupledFile {
  CoupledPosterior posterior;  // means, and shapes and samples, if any, as NAME_shape and NAME_samples
  std::vector<Mode> entities;
  std::string inference;
};

void save(const std::string& path, const CoupledFile& file);  // load() is in saved_model.hpp

}  // namespace tulle

#pragma GCC visibility pop
