// A model on disk: an .npz that plain NumPy opens, with a JSON member "tulle.json" for what is not an array.
#pragma once

#include <tulle/model/model.hpp>
#include <tulle/tensor/dataset.hpp>

#include <string>
#include <vector>

namespace tulle {

struct ModelFile {
  Model model;
  std::vector<Mode> modes;
  std::string method;          // the name of the method that fitted it
  std::string guarantee = "";  // JSON text; empty while nothing is guaranteed
};

void save(const std::string& path, const ModelFile& file);
ModelFile load(const std::string& path);
bool is_model_file(const std::string& path);  // whether load() would find a model there, valid or not

}  // namespace tulle
