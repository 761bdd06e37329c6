// Checks a private study: every table must be public or protected by the guarantee, and public facts must be
// stated.
#pragma once

#include <tulle/io/study.hpp>

namespace tulle {

// Throws an Error if the study is invalid. Reads lists of positions.
void check_private(const StudyFile& study);

}  // namespace tulle
