// Which data a charge is for.
#pragma once

#include <string>
#include <vector>

namespace tulle {

// SHA-256 of a file's bytes. It identifies a data set in the owner's ledger and must not be published:
// whoever can guess a small data set can confirm the guess with it.
std::string fingerprint_of_file(const std::string& path);
// The fingerprint of files that form one data set, in this order, made from theirs and their names without
// the folder. The folder may be renamed; if a file is renamed, changed, added or removed, the data are
// different. No single file has this fingerprint, whatever it contains.
std::string fingerprint_of_folder(const std::vector<std::string>& paths);
// The fingerprint of data in several files: theirs, each once, in increasing order, joined by commas. The
// order of the files does not matter.
std::string fingerprint_of_files(const std::vector<std::string>& paths);
std::string joined_fingerprints(const std::vector<std::string>& each);
// Whether every file of `some` is also a file of `all`.
bool is_part_of(const std::string& some, const std::string& all);
// Whether the two have a file in common.
bool share_a_file(const std::string& some, const std::string& others);

}  // namespace tulle
