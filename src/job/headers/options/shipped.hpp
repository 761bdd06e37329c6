// Files shipped with the command: experiments, vocabularies.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tulle {

// Possible places of a folder of such files: below the prefix of the installed command, or in the source tree
// that contains its build folder.
std::vector<std::filesystem::path> shipped_folders(const std::string& name);

// A public list of words: a file, or the shipped list of that name.
std::string vocabulary_file(const std::string& name);

}  // namespace tulle
