// Coupled factorization of a study, and how well it predicts cells that were kept from it: link prediction
// (Ermis 2020, chapter 6).
#pragma once

#include <tulle/io/study.hpp>
#include <tulle/job/baselines.hpp>
#include <tulle/method/coupled.hpp>

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace tulle {

// What is kept from the fit, of one relation: one of these, or nothing.
struct KeptBack {
  std::optional<double> missing;    // a fraction of the cells
  std::optional<Index> cold_start;  // all cells of so many positions
  std::string entity;               // of the cold start; empty: the first of the relation
  std::optional<Dataset> test;      // given cells
};

struct CoupleJob {
  StudyFile file;
  Study study = {};      // its tables
  std::string relation;  // whose cells are kept back; empty: the first
  KeptBack kept_back;
  CoupledOptions options;
  int top = 10;  // precision among so many cells of each position of the relation's first entity
};

// A value above 0 is a link.
struct LinkScores {
  std::size_t cells = 0, links = 0;
  double rmse = 0;
  std::optional<Baselines> baselines;  // where unlisted cells are missing
  // Where there are links and others. auc_within: the mean over positions of the first entity.
  std::optional<double> auc, auc_within, precision, popularity_auc;
  std::optional<double> listed_popularity_auc;  // where side tables have indices of the relation alone
};

struct CoupleOutcome {
  CoupledFit fit;
  Study study;                       // without what was kept back
  int product = 0;                   // the relation in question
  std::optional<SparseTensor> test;  // with its values
  std::vector<double> predicted;     // of the test cells
  std::optional<LinkScores> scores;
  double seconds = 0;  // of the fit
};

CoupleOutcome run(const CoupleJob& job);
nlohmann::ordered_json report_of(const CoupleJob& job, const CoupleOutcome& outcome);
std::string text(const LinkScores& scores, int top);

}  // namespace tulle
