// The coupled model that the relations of a study file state, by formulas or by short forms.
#pragma once

#include "formula.hpp"

#include <tulle/io/study.hpp>

namespace tulle {

// Sizes of entities are left at 0: the tables say them.
Coupled structure_of(const StudyFile& file);

}  // namespace tulle
