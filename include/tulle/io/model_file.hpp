// A model on disk: an .npz that plain NumPy opens, with a JSON member "tulle.json" for all but the arrays.
#pragma once

#include <tulle/data/measurement.hpp>
#include <tulle/model/interest.hpp>
#include <tulle/model/model.hpp>
#include <tulle/tensor/dataset.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// Public bounds of the values that a model was fitted to.
struct ValueRange {
  double low, high;
};

struct ModelFile {
  Model model;
  std::vector<Mode> modes;
  std::string method;                    // the name of the method that fitted it
  std::string guarantee = "";            // JSON text; empty: no guarantee
  std::optional<ValueRange> range = {};  // to clamp predictions to; empty: none was stated
  // The releases that the model was estimated from, if its guarantee is proven. Another model can be
  // estimated from them.
  std::shared_ptr<const Measurement> measured = {};
  std::optional<Interest> interest = {};  // which positions users have cells at, where it was released
};

void save(const std::string& path, const ModelFile& file);  // load() is in saved_model.hpp

}  // namespace tulle

#pragma GCC visibility pop
