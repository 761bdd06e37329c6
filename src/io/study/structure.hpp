// The coupled model that the relations of a study file state, by formulas or by short forms.
#pragma once

#include "formula.hpp"

#include <tulle/model/coupled.hpp>

#include <map>

namespace tulle {

// What a relation says about its model.
struct StatedRelation {
  std::string where;  // file and line
  std::string name;
  std::vector<std::string> entities;
  std::string formula;  // or:
  std::string model;    // cp, tucker
};

struct StatedSizes {
  Index rank = 0;                     // of latent indices that have no size of their own; 0: not stated
  std::map<std::string, Index> each;  // by entity or latent index
  bool may_be_unused = false;         // of relations that are left out
};

// Sizes of entities are left at 0: the tables say them.
Coupled structure_of(std::vector<StatedRelation> relations, const StatedSizes& sizes,
                     const std::string& path);

}  // namespace tulle
