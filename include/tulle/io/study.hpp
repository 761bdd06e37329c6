// The study file: several tables that share entities and the coupled model that is fitted to them, in TOML.
// docs/study-file.md describes it.
#pragma once

#include <tulle/data/study.hpp>

#include <optional>
#include <string>

namespace tulle {

struct StudyFile {
  std::string title;
  Study study;
  std::string inference;           // empty: not stated
  std::vector<std::string> files;  // of the tables that were read
};

// What is read otherwise than the file says.
struct StudyChanges {
  std::string tables;           // the folder that paths of tables are relative to; empty: that of the file
  std::string only;             // one relation, by its name, without the others; empty: all
  std::optional<Index> rank;    // of latent indices that [sizes] does not name
  std::optional<double> power;  // p of all relations
  std::optional<double> floor;  // of all relations
  std::optional<GammaPrior> prior;  // of all factors that [priors] does not name
};

// Reads the file and its tables. Errors name the file and the line.
StudyFile read_study(const std::string& path, const StudyChanges& changes = {});

}  // namespace tulle
