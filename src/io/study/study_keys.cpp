#include <tulle/io/study_keys.hpp>

#include <string_view>

namespace tulle {
namespace {

// How readers say what to do, and how it is said of a study.
struct Proposal {
  std::string_view words, by_key;
};
constexpr Proposal kProposals[] = {
    {", or have NaN read as missing", ""},
    {", or have empty values read as missing", ""},
    {"have them merged", "have them merged (key duplicates of the relation: mean, last, sum or count)"},
    {"state whether it is", "state whether it is (key header of the relation: true or false)"},
    {"give their public list, or state that those found in the data are public",
     "give their public list (in [positions])"},
    {"say which of these it is", "say which of these it is (key format of the relation)"},
    {"choose the columns by name", "choose the columns by name (key columns of the relation)"},
    {"choose the columns that are meant", "choose the columns that are meant (key columns of the relation)"},
    {"choose columns by number", "choose columns by number (key columns of the relation)"},
    {"give a larger shape", "state a larger size (in [sizes])"}};

}  // namespace

std::string with_keys(std::string message) {
  for (const auto& [words, by_key] : kProposals)
    if (const std::size_t place = message.find(words); place != std::string::npos)
      message.replace(place, words.size(), by_key);
  return message;
}

}  // namespace tulle
