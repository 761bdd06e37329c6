// One relation of a coupled model on disk, whose cells are predicted.
#pragma once

#include <tulle/io/coupled_file.hpp>
#include <tulle/io/read.hpp>
#include <tulle/io/write.hpp>

#include <string>

namespace tulle::cli {

class CoupledRelation {
 public:
  // The relation by its name; empty: the first.
  CoupledRelation(CoupledFile file, const std::string& relation);

  std::string_view inference() const { return file_.inference; }
  ReadOptions reading(ReadOptions options) const;  // of cells that have its entities
  std::vector<double> predict(const Cells& cells) const;
  // Of a distribution, the bounds of each cell's interval: columns low and high.
  std::vector<ValueColumn> bounds(const Cells& cells, double probability) const;

 private:
  CoupledFile file_;
  int product_;
};

// A UsageError when a relation is named of a model that has none.
void refuse_relation(const std::string& relation);

}  // namespace tulle::cli
