// A model on disk: an .npz that plain NumPy opens, with a JSON member "tulle.json" for what is not an array.
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

// Public bounds of the values that a model was made for.
struct ValueRange {
  double low, high;
};

struct ModelFile {
  Model model;
  std::vector<Mode> modes;
  std::string method;                    // the name of the method that fitted it
  std::string guarantee = "";            // JSON text; empty while nothing is guaranteed
  std::optional<ValueRange> range = {};  // predictions are best clamped to it; empty: none was stated
  // The releases that the model was made from, where its guarantee is proven: another one can be made of
  // them.
  std::shared_ptr<const Measurement> measured = {};
  std::optional<Interest> interest = {};  // which positions users have cells at, where it was released
};

void save(const std::string& path, const ModelFile& file);  // load() is of any model: saved_model.hpp

}  // namespace tulle

#pragma GCC visibility pop
