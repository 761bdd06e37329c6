#include "public_modes.hpp"
#include "terms_on.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/name_hashes.hpp>
#include <tulle/job/completion_run.hpp>
#include <tulle/job/merging.hpp>
#include <tulle/job/topics/site_topics.hpp>
#include <tulle/tensor/mode_of.hpp>

namespace tulle {
namespace {

Relation relation_of(const CompletionJob& job) {
  return relation_for(job.found(), job.terms.unit, job.terms.relation);
}

// A mode beyond those of the data is refused by the method.
bool is_users(const Terms& terms, std::size_t mode) {
  return terms.unit == Unit::user && static_cast<int>(mode) == terms.user_mode;
}

// Names the users by their mode in the data; for data without names, by the terms.
void name_users(Terms& terms, const std::vector<Mode>& modes) {
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    if (!is_users(terms, mode)) continue;
    const bool unnamed = modes[mode].name == unnamed_modes(static_cast<int>(modes.size()))[mode].name;
    if (unnamed) check_users_name(terms.scope.mode, terms.user_mode, static_cast<int>(modes.size()));
    if (!unnamed && !terms.scope.mode.empty() && terms.scope.mode != modes[mode].name)
      fail_usage("the terms name mode {} of the users '{}', but in the data it is '{}'; leave the name out",
                 mode + 1, terms.scope.mode, modes[mode].name);
    if (terms.scope.mode.empty()) terms.scope.mode = modes[mode].name;
  }
}

// Positions are numbered in the order of their labels in the data: one more entry moves others.
void check_labels(const Terms& terms, const Dataset& data) {
  for (std::size_t mode = 0; mode < data.modes.size(); ++mode)
    if ((data.is_labelled || !data.modes[mode].labels.empty()) && !is_users(terms, mode))
      fail_usage(
          "under add-remove the labels of mode {} are private, and these were found in the data; read the "
          "data for this job (read_completion_data) and give their public list[ (@public MODE=FILE)], or "
          "state that those found in the data are public[ (@public MODE)]",
          data.modes[mode].name);
}

void name_sizes(Terms& terms, const std::vector<Mode>& modes) {
  if (!terms.shape || !terms.shape->facts.empty()) return;
  for (std::size_t mode = 0; mode < modes.size(); ++mode)
    if (!is_users(terms, mode)) terms.shape->facts.push_back(size_fact(modes[mode].name));
}

void check_read_for(const CompletionJob& job, const CompletionData& data) {
  const DataPrivacy needed = privacy_of(job), kept = data.privacy;
  constexpr int kNobody = -1;
  const int users = kept.user_mode.empty() ? kNobody : mode_of(kept.user_mode, data.modes, "user mode");
  const int protected_users = job.terms.unit == Unit::user ? job.terms.user_mode : kNobody;
  const bool kept_private = (kept.values || !needed.values) && (kept.positions || !needed.positions);
  if (!kept_private || (needed.positions && users != protected_users))
    fail_usage(
        "the data were read for a weaker guarantee than unit {} under {}: what was made public of them would "
        "not be covered; read them for this job (read_completion_data)",
        name(job.terms.unit), name(relation_of(job)));
}

// The reader states what is public under the guarantee that it read for. A weaker guarantee takes more as
// public, which the run adds (PrivateRun). For a run over sites the study states all of it, so that every
// site states the same.
std::vector<std::string> facts_for(const Terms& terms, const CompletionData& data) {
  std::vector<std::string> facts = data.public_facts;
  if (terms.sites) return facts;
  const Unit read_for = data.privacy.user_mode.empty() ? Unit::entry : Unit::user;
  if (data.duplicates != Duplicates::refuse && read_for != terms.unit)
    facts.push_back(merging_fact(data.duplicates, terms.unit));
  return facts;
}

// Checks data from a reader, whoever had them read.
void check_entries(const auto& data, const Terms& terms, Relation relation) {
  check_merging(data.duplicates, terms.unit, relation);
  if (data.repeats_entries)
    fail_usage(
        "in a symmetric matrix an entry stands for two cells, but a private run protects single ones; list "
        "the cells in the general form");
}

}  // namespace

void refuse_validation() {
  fail_usage(
      "validation data[ (@validation)] would be looked at without a charge; private methods choose on "
      "released data");
}

Terms terms_on(const CompletionJob& job, const Dataset& data) {
  Terms terms = job.terms;
  const Relation relation = relation_of(job);
  check_entries(data, terms, relation);
  name_users(terms, data.modes);
  if (relation == Relation::add_remove) {
    check_labels(terms, data);
    check_header(data);
    name_sizes(terms, data.modes);
  }
  if (data.duplicates != Duplicates::refuse)
    terms.scope.public_facts.push_back(merging_fact(data.duplicates, terms.unit));
  return terms;
}

Terms terms_on(const CompletionJob& job, const CompletionData& data) {
  Terms terms = job.terms;
  check_entries(data, terms, relation_of(job));
  if (data.validation) refuse_validation();
  name_users(terms, data.modes);
  check_read_for(job, data);
  const Shape shape = std::visit([](const auto& tensor) { return tensor.shape(); }, data.train);
  terms.shape = PublicShape{shape, facts_for(terms, data)};
  return terms;
}

Completion CompletionJob::run(Dataset data, Pay pay, const SparseTensor* validation) const {
  if (!found().is_private()) {
    settings.check(method, found().settings, terms.calibration, terms.unit);
    return complete_best({.data = std::move(data.tensor), .validation = validation, .fit = fit});
  }
  if (validation) refuse_validation();
  const Terms stated = terms_on(*this, data);
  FitOptions named = fit;  // users' positions shift with those before them, their names do not
  const Shape shape = data.shape();
  named.names = std::make_shared<const NameHashes>(hashes_for_choice(data.modes, shape, fit.seed));
  return complete_privately(found(), observed(std::move(data)), stated, settings, named, std::move(pay));
}

Completion CompletionJob::run(SparseTensor data, Pay pay, const SparseTensor* validation) const {
  std::vector<Mode> modes = unnamed_modes(data.order());
  return run(Dataset{std::move(modes), std::move(data)}, std::move(pay), validation);
}

CompletionJob with_public_shape(CompletionJob job, const Shape& sizes) {
  job.terms.shape = PublicShape{sizes};
  return job;
}

TopicOutcome TopicJob::run(TopicData data, Pay pay) const {
  if (terms.sites) return find_topics_at_sites(*this, std::move(data), pay);
  return find_topics(found(), std::move(data), terms, options, std::move(pay));
}

}  // namespace tulle
