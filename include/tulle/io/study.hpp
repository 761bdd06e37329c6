// The study file: several tables that share entities and the coupled model that is fitted to them, in TOML.
// docs/study-file.md describes it.
#pragma once

#include <tulle/data/study.hpp>

#include <string>

namespace tulle {

struct StudyFile {
  std::string title;
  Study study;
  std::string inference;  // empty: not stated
};

// Reads the file and all its tables, whose paths are relative to it. Errors name the file and the line.
StudyFile read_study(const std::string& path);

}  // namespace tulle
