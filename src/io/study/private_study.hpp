// What a private study must be, so that the guarantee is for somebody in every table and states what is
// public.
#pragma once

#include <tulle/io/study.hpp>

namespace tulle {

// An Error where it is not. Reads lists of positions.
void check_private(const StudyFile& study);

}  // namespace tulle
