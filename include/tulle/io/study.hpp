// The study file: several tables that share entities and the coupled model that is fitted to them, in TOML.
// docs/study-file.md describes it.
#pragma once

#include <tulle/data/study.hpp>
#include <tulle/io/read.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tulle {

enum class Transform { none, binary, log };

// What a relation makes of its file.
struct TableReading {
  Transform values = Transform::none;
  std::vector<int> dropped;  // positions of the last entity, from 1 on
};

struct StudyFile {
  std::string title;
  Study study;
  std::string inference;               // empty: not stated
  std::vector<std::string> files;      // of the tables that were read
  std::vector<TableReading> readings;  // of these files
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

// More cells of a relation, from a file that has positions and values as the relation's own file has them.
Dataset read_cells_of(const StudyFile& file, int product, const std::string& path, ReadOptions reading);

}  // namespace tulle
