// Files that come with the command: experiments, vocabularies.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tulle {

// Where a folder of such files may lie: below the prefix that the command is installed in, or in the source
// tree whose build folder it stands in.
std::vector<std::filesystem::path> shipped_folders(const std::string& name);

// A public list of words: a file, or the list of that name that comes with the command.
std::string vocabulary_file(const std::string& name);

}  // namespace tulle
