// One relation of a coupled model on disk, for predicting its cells.
#pragma once

#include <tulle/io/coupled_file.hpp>
#include <tulle/io/read.hpp>
#include <tulle/io/write.hpp>

#include <string>

namespace tulle::cli {

class CoupledRelation {
 public:
  // `relation` is its name; empty: the first one.
  CoupledRelation(CoupledFile file, const std::string& relation);

  std::string_view inference() const { return file_.inference; }
  ReadOptions reading(ReadOptions options) const;  // for reading cells with its entities
  std::vector<double> predict(const Cells& cells) const;
  // The bounds of each cell's interval under the posterior: columns low and high.
  std::vector<ValueColumn> bounds(const Cells& cells, double probability) const;

 private:
  CoupledFile file_;
  int product_;
};

// Throws a UsageError if a relation is named although the model has none.
void refuse_relation(const std::string& relation);

}  // namespace tulle::cli
