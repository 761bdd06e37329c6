// Which data a charge is for.
#pragma once

#include <string>
#include <vector>

namespace tulle {

// SHA-256 of a file's bytes. It tells data sets apart and nothing else; it is for the owner's ledger, not for
// publication: whoever can guess a small data set can confirm the guess with it.
std::string fingerprint_of_file(const std::string& path);
// Of files that are one data set together, in this order: one, made of theirs and of their names without the
// folder. The folder may be renamed; a file that is renamed, changed, added or left out is other data. No
// file has it, whatever is in it.
std::string fingerprint_of_folder(const std::vector<std::string>& paths);
// Of data in several files: theirs, each once, in increasing order, joined by commas. The order of the files
// does not matter.
std::string fingerprint_of_files(const std::vector<std::string>& paths);
std::string joined_fingerprints(const std::vector<std::string>& each);
// Whether each of the files that `some` is of is one that `all` is of.
bool is_part_of(const std::string& some, const std::string& all);
// Whether some file is one of both.
bool share_a_file(const std::string& some, const std::string& others);

}  // namespace tulle
