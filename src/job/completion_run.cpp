#include "terms_on.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/name_hashes.hpp>
#include <tulle/job/completion_run.hpp>
#include <tulle/job/mode_orders.hpp>
#include <tulle/job/owner_notes.hpp>
#include <tulle/job/prediction.hpp>

#include <chrono>

namespace tulle {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void append(SparseTensor& cells, const SparseTensor& more) {
  cells.reserve(cells.size() + more.size());
  for (std::size_t entry = 0; entry < more.size(); ++entry) {
    const auto cell = more.cells().cell(entry);
    cells.append(std::span(cell).first(static_cast<std::size_t>(more.order())), more.values()[entry]);
  }
}

std::optional<SparseTensor> cells_to_score(CompletionData& data, bool all) {
  if (!data.test || data.test->size() == 0) return std::nullopt;
  std::optional<SparseTensor> cells = std::move(data.test);
  if (all) append(*cells, observed(Dataset{{}, data.train}));
  return cells;
}

std::optional<Range> range_of(const CompletionJob& job) {
  return job.found().is_private() ? std::optional(job.terms.range) : std::nullopt;
}

// Whether a model file has the releases.
bool keeps_releases(const CompletionJob& job, const Completion& fit) {
  return job.keep_releases && fit.measured && fit.guarantee.covers_releases();
}

// The owner may not expect that a model shows which cells are observed.
std::optional<std::string> listing_note(const CompletionJob& job, const Completion& fit) {
  if (!keeps_releases(job, fit) || !fit.measured->positions) return std::nullopt;
  return fmt::format(
      "A model file of this run keeps its releases and lists the {} observed cells; drop the releases to "
      "omit both.",
      fit.measured->positions->size());
}

// Without privacy nothing is for the owner alone.
void compare_with_baselines(const CompletionJob& job, CompletionOutcome& outcome) {
  const bool is_private = job.found().is_private();
  if (auto note = no_better_note(outcome.scores->rmse, outcome.baselines, is_private))
    (is_private ? outcome.owner_notes : outcome.completion.remarks).push_back(std::move(*note));
}

}  // namespace

DataPrivacy privacy_of(const Method& method, Unit unit, std::optional<Relation> relation,
                       std::string user_mode) {
  if (!method.is_private()) return {};  // nothing is private
  return {.values = true,
          .positions = relation_for(method, unit, relation) == Relation::add_remove,
          .user_mode = std::move(user_mode)};
}

DataPrivacy privacy_of(const CompletionJob& job) {
  const Terms& terms = job.terms;
  const std::string users = terms.unit != Unit::user   ? ""
                            : terms.scope.mode.empty() ? std::to_string(terms.user_mode + 1)
                                                       : terms.scope.mode;
  return privacy_of(job.found(), terms.unit, terms.relation, users);
}

CompletionData read_completion_data(const DataOptions& options, const CompletionJob& job) {
  return read_completion_data(options, privacy_of(job), job.fit.seed);
}

CompletionRun::CompletionRun(const CompletionJob& job, CompletionData data, bool score_all,
                             std::optional<double> most_lost)
    : job_(job), data_(std::move(data)) {
  const bool is_private = job_.found().is_private();
  if (data_.coupling) job_.fit.coupling = data_.coupling;
  if (is_private) job_.terms = terms_on(job_, data_);
  outcome_.train_cells = data_.train_cells();
  outcome_.tested = data_.test.has_value();
  losses_ = tulle::losses(job_, data_);
  owner_notes_ = tulle::owner_notes(job_, data_);
  scored_ = cells_to_score(data_, score_all);
  if (scored_)
    outcome_.baselines = measured_or<std::optional<Baselines>>(
        std::nullopt, [&] { return baselines(data_.train, *scored_, range_of(job_)); }, owner_notes_);
  if (!is_private) return;
  state_losses(most_lost, job_.terms.scope);
  const auto start = Clock::now();
  const Shape shape = std::visit([](const auto& tensor) { return tensor.shape(); }, data_.train);
  job_.fit.names = std::make_shared<const NameHashes>(hashes_for_choice(data_.modes, shape, data_.seed));
  if (job_.fit.orders.empty()) job_.fit.orders = mode_orders({}, data_.public_modes, shape);
  private_.emplace(job_.found(), observed({{}, std::move(data_.train)}), job_.terms, job_.settings, job_.fit);
  refuse_losses(losses_, most_lost);
  outcome_.seconds = seconds_since(start);
}

std::string CompletionRun::picked() const {
  return private_ ? private_->picked() : "";
}

Completion CompletionRun::complete(Pay pay, Observer observer) {
  if (!private_) {
    job_.fit.observer = std::move(observer);
    return job_.run(Dataset{{}, std::move(data_.train)}, {}, data_.validation ? &*data_.validation : nullptr);
  }
  private_->set_observer(std::move(observer));
  Curator curator = link_ ? open_curator(job_.found(), job_.terms, std::move(*bits_)) : open();
  curator.before_first_release(std::move(pay));
  if (link_) curator.join_sites(std::move(*link_));
  return private_->run(curator);
}

void CompletionRun::join_sites(Curator::SiteLink link, RandomBits bits) {
  link_ = std::move(link);
  bits_ = std::move(bits);
}

CompletionOutcome CompletionRun::run(Pay pay, Observer observer) {
  const auto start = Clock::now();
  CompletionOutcome outcome = std::move(outcome_);
  outcome.owner_notes = owner_notes_;
  outcome.completion = complete(std::move(pay), std::move(observer));
  if (auto note = listing_note(job_, outcome.completion)) outcome.owner_notes.push_back(std::move(*note));
  outcome.seconds += seconds_since(start);
  outcome.picked = picked();
  if (!scored_) return outcome;
  outcome.scores = measured_or<std::optional<Scores>>(
      std::nullopt,
      [&] { return score(owners_model(outcome.completion), *scored_, outcome.completion.range); },
      outcome.owner_notes);
  if (outcome.scores) compare_with_baselines(job_, outcome);
  if (outcome.completion.with_user_rows)
    outcome.published_scores = measured_or<std::optional<Scores>>(
        std::nullopt,
        [&] {
          return score(scored_->values(), predict_cells(published_model(job_, outcome, data_),
                                                        scored_->cells(), Clamping::to_range));
        },
        outcome.owner_notes);
  return outcome;
}

ModelFile published_model(const CompletionJob& job, const CompletionOutcome& outcome,
                          const CompletionData& data) {
  const Completion& fit = outcome.completion;
  ModelFile file{.model = fit.model,
                 .modes = data.public_modes,
                 .method = outcome.picked.empty() ? job.method : outcome.picked,
                 .guarantee = job.found().is_private() ? to_json(fit.guarantee) : ""};
  if (fit.range) file.range = {fit.range->low, fit.range->high};
  file.interest = fit.interest;
  if (keeps_releases(job, fit)) file.measured = fit.measured;
  return file;
}

ModelFile model_with_user_rows(const CompletionJob& job, const CompletionOutcome& outcome,
                               const CompletionData& data) {
  if (!outcome.completion.with_user_rows)
    fail("a model with users' own rows is for joint privacy; here the model holds all there is");
  Guarantee none;
  none.remark = outcome.completion.guarantee.joint
                    ? "holds a row of every user, computed from her data; it is for that user alone"
                    : "holds what a site fitted to its own data; it is for that site alone";
  ModelFile file = published_model(job, outcome, data);
  file.model = owners_model(outcome.completion);
  file.modes = data.modes;
  file.guarantee = to_json(none);
  file.measured = nullptr;
  return file;
}

void save_models(const ModelPaths& paths, const CompletionJob& job, const CompletionOutcome& outcome,
                 const CompletionData& data) {
  if (!paths.model.empty()) save(paths.model, published_model(job, outcome, data));
  if (!paths.with_user_rows.empty()) save(paths.with_user_rows, model_with_user_rows(job, outcome, data));
}

}  // namespace tulle
