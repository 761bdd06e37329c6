// A network on disk: an .npz that plain NumPy opens, with arrays weights1, bias1, weights2, .. and a JSON
// member "tulle.json" for everything else. Samples of a posterior are arrays sample1_weights1, ..
#pragma once

#include <tulle/data/labelled.hpp>
#include <tulle/model/network.hpp>

#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct NetworkFile {
  Network model;
  std::vector<Network> samples = {};               // of the posterior, from methods that draw samples
  std::string method;                              // the name of the method that fitted it
  std::vector<CategoricalColumn> categories = {};  // how tables of examples are read; public
  std::string guarantee = "";                      // JSON text; empty: no guarantee
};

void save(const std::string& path, const NetworkFile& file);  // load() is in saved_model.hpp

}  // namespace tulle

#pragma GCC visibility pop
