// Which data a charge is for.
#pragma once

#include <string>

namespace tulle {

// SHA-256 of a file's bytes. It tells data sets apart and nothing else; it is for the owner's ledger, not for
// publication: whoever can guess a small data set can confirm the guess with it.
std::string fingerprint_of_file(const std::string& path);

}  // namespace tulle
