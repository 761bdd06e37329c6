// The coupled model that the relations of a study file state, by formulas or by short forms.
#pragma once

#include "formula.hpp"

#include <tulle/io/study.hpp>

namespace tulle {

// Sizes of entities remain 0 until the tables are read.
Coupled structure_of(const StudyFile& file);

}  // namespace tulle
