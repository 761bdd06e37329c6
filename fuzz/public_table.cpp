// Any bytes as a public table of a study over sites: an Error or a table within the positions that the study
// states, never anything else. Input: a byte of choices, a list of positions up to a 0 byte, the table.
#include "memory_file.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/io/study.hpp>

#include <algorithm>
#include <cstdlib>

namespace {

// Films are shared by the sites, and listed or numbered; features are the table's own.
tulle::StudyFile study_of(unsigned choices, const std::string& list, const std::string& table) {
  tulle::StudyFile study;
  study.private_entity = "user";
  if (choices & 1)
    study.positions["film"] = list;
  else
    study.sizes["film"] = 4;
  tulle::StudyFile::Relation features{.name = "features", .entities = {"film", "feature"}, .is_public = true};
  if (choices & 2) features.entities = {"film", "film"};
  features.file = table;
  features.reading.format = choices & 4 ? tulle::Format::csv : tulle::Format::tns;
  features.reading.nan_is_missing = true;
  features.values = choices & 8 ? tulle::Transform::log : tulle::Transform::none;
  if (choices & 16) features.dropped = {1};
  if (choices & 32) features.clamp = std::pair(0.0, 1.0);
  study.relations = {{.name = "ratings", .entities = {"user", "film"}}, features};
  return study;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  const MemoryFile list(bytes.substr(0, end)), table(bytes.substr(std::min(end + 1, bytes.size())));
  tulle::set_threads(1);
  const tulle::StudyFile study = study_of(data[0], list.path(), table.path());
  try {
    const tulle::PublicTable read = read_public_table(study, study.relations[1]);
    const auto films = (data[0] & 1) ? tulle::read_lines(list.path()).size() : 4;
    if (read.cells.shape()[0] != films || read.modes.size() != 2 || read.own_mode() != 1) std::abort();
  } catch (const tulle::Error&) {
  }
  return 0;
}
