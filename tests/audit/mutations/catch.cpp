// Exit 0 if the fault that was built in is caught: by attacks, by the exact audit, or by the curator.
#include <tulle/audit/report.hpp>
#include <tulle/base/error.hpp>
#include <tulle/job/jobs.hpp>

#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

namespace tulle {
namespace {

struct Look {
  std::string name;
  Neighbours neighbours{Unit::entry, Relation::replace};
  std::uint64_t trials = 20'000;
};

bool the_audit_says_violated(const Look& look) {
  for (const AuditEntry& entry : audit_entries()) {
    if (entry.name != look.name || entry.calibration != Calibration::sound ||
        !(entry.neighbours == look.neighbours))
      continue;
    const AuditRow row{entry, {1, entry.delta}, audit(entry, {1, entry.delta}, {.trials = look.trials})};
    fmt::print("{}\n", sentence(row));
    if (row.finding.verdict() == Verdict::violated) return true;
  }
  return false;
}

bool the_curator_refuses(const Look& look) {
  try {
    the_audit_says_violated(look);
  } catch (const Error& error) {
    fmt::print("{}\n", error.what());
    return std::string(error.what()).find("the shares of the budget add up to") != std::string::npos;
  }
  return false;
}

// Which pairs to search: several jobs have methods of one name.
struct Pairs {
  std::string method;
  bool of_counts = false;
  bool over_sites = false;

  bool have(const PairKind& kind) const {
    return kind.method == method && (kind.model == "counts") == of_counts && kind.over_sites == over_sites;
  }
};

// One of these pairs is further apart than its noise is made for. The first that is ends the search.
bool the_exact_audit_sees(const Pairs& pairs) {
  constexpr std::uint64_t kMostPairs = 2'000;
  for (std::uint64_t number = 0; number < kMostPairs; ++number)
    for (const PairKind& kind : pair_kinds()) {
      if (!pairs.have(kind)) continue;
      const NeighbouringPair pair = random_pair(kind, number);
      if (pairs.over_sites && pair.text.find(" sites, ") == std::string::npos) continue;  // all in one place
      const ExactFinding finding = audit_exactly(pair, number);
      if (finding.holds()) continue;
      fmt::print("{}: {} times the sensitivity apart, loss {} of epsilon; {}\n", pair.text, finding.ratio(),
                 finding.loss(), finding.differs);
      return true;
    }
  return false;
}

SparseTensor ones(const Shape& shape) {
  SparseTensor cells(shape, Unlisted::missing);
  for (Index i = 0; i < shape[0]; ++i)
    for (Index j = 0; j < shape[1]; ++j) cells.append(std::array{i, j}, 1);
  return cells;
}

// A mode that is held comes out as it was: of a fit to the same data without privacy, with all that it knows.
bool a_plain_fit_is_published() {
  const Shape shape{6, 5};
  const auto plain = std::make_shared<const Model>(
      CompletionJob{.method = "plain", .fit = {.ranks = {1}, .seed = 1}}.run(ones(shape)).model);
  CompletionJob job{.method = "one-shot", .terms = {.budget = {100, 0}, .range = {0, 1}, .seed = 1}};
  job.fit.from = plain;
  job.fit.held = {0};
  try {
    return std::get<Cp>(job.run(ones(shape)).model).factors[0] == std::get<Cp>(*plain).factors[0];
  } catch (const UsageError& refusal) {
    fmt::print("{}\n", refusal.what());
    return false;
  }
}

// An entry at a position that no other one has, which the owner does not state.
bool the_shape_tells_of_an_entry() {
  CompletionJob job{.method = "input",
                    .terms = {.budget = {1, 0}, .relation = Relation::add_remove, .range = {0, 1}},
                    .fit = {.ranks = {1}}};
  job.terms.shape = PublicShape{{6, 5}};
  return shape(job.run(ones({7, 5})).model) != Shape({6, 5});
}

const std::map<std::string, Pairs> kSeenIn = {
    {"als_root_forgotten", {"als"}},
    {"als_sweeps_in_l2", {"als"}},
    {"als_users_level_forgotten", {"als"}},
    {"blocks_halved", {"one-shot"}},
    {"cell_listed_twice", {"sparse", true}},
    {"cells_above_without_noise", {"sparse", true}},
    {"cells_width_halved", {"input"}},
    {"event_replaced_as_removed", {"margins", true}},
    {"events_counted_twice", {"margins", true}},
    {"events_not_clamped", {"margins", true}},
    {"rows_drawn_by_others", {"margins", true}},
    {"rows_in_cell_not_bounded", {"margins", true}},
    {"rows_merged_in_l2", {"margins", true}},
    {"rows_of_cell_as_one", {"margins", true}},
    {"rows_of_user_not_bounded", {"margins", true}},
    {"table_without_noise", {"margins", true}},
    {"user_as_event", {"margins", true}},
    {"example_bias_forgotten", {"sgd"}},
    {"example_clipping_skipped", {"sgd"}},
    {"example_count_forgotten", {"best"}},
    {"example_squares_forgotten", {"logistic"}},
    {"example_replaced_as_removed", {"logistic"}},
    {"clip_count_forgotten", {"gradient"}},
    {"input_width_halved", {"input"}},
    {"key_delta_not_divided", {"margins", true}},
    {"key_epsilon_not_divided", {"margins", true}},
    {"key_noise_halved", {"margins", true}},
    {"key_threshold_one_less", {"margins", true}},
    {"keys_by_rows", {"margins", true}},
    {"margins_beyond_window", {"margins"}},
    {"margins_not_weighted", {"margins"}},
    {"margins_blocks_not_weighted", {"margins"}},
    {"margins_squares_halved", {"margins"}},
    {"mean_of_too_many", {"one-shot"}},
    {"mixture_step_halved", {"histogram"}},
    {"mixture_term_forgotten", {"agn"}},
    {"pilot_by_rows", {"margins", true}},
    {"pilot_forgotten", {"margins", true}},
    {"pilot_in_every_bin", {"margins", true}},
    {"pilot_one_less", {"one-shot"}},
    {"replaced_as_removed", {"gradient"}},
    {"ridge_halved", {"output"}},
    {"rows_not_clipped", {"power"}},
    {"share_of_user_forgotten", {"local"}},
    {"subspace_wrong_bound", {"subspace"}},
    {"third_moment_halved", {"agn"}},
    {"triples_halved", {"histogram"}},
    {"users_root_forgotten", {"input"}},
    {"values_not_clamped", {"factor"}},
    {"counts_move_by_one", {"ldp1"}},
    {"user_gradients_doubled", {"dp-sgld"}},
    {"words_counted_whole", {"histogram"}},
    {"words_of_others_kept", {"histogram"}},
    {"user_vectors_half_measured", {"als"}},
    {"window_counts_once", {"one-shot"}},
    {"window_not_clamped", {"one-shot"}},
    {"drawn_values_doubled", {"ops"}},
    {"drawn_too_sharply", {"ops"}},
    {"relations_counted_apart", {"dp-sgld"}},
    {"relations_clipped_apart", {"dp-sgld"}},
};

const std::map<std::string, std::function<bool()>> kCaughtBy = {
    {"start_not_asked", a_plain_fit_is_published},
    {"shape_of_the_data", the_shape_tells_of_an_entry},
    {"share_for_all_sites", [] { return the_exact_audit_sees({.method = "als", .over_sites = true}); }},
    {"overlap_forgotten", [] { return the_exact_audit_sees({.method = "als", .over_sites = true}); }},
    {"raw_counts_sent", [] { return the_exact_audit_sees({.method = "ldp2", .over_sites = true}); }},
    {"local_rows_published", [] { return the_exact_audit_sees({.method = "dp-sgld", .over_sites = true}); }},
    {"dealt_by_rank", [] { return the_exact_audit_sees({.method = "dp-sgld", .over_sites = true}); }},
    {"site_rounding_forgotten",
     [] { return the_exact_audit_sees({.method = "gradient", .over_sites = true}); }},
    {"site_stream_reused", [] { return the_exact_audit_sees({.method = "als", .over_sites = true}); }},
    {"site_without_noise", [] { return the_exact_audit_sees({.method = "als", .over_sites = true}); }},
    {"noise_halved", [] { return the_audit_says_violated({.name = "laplace"}); }},
    {"noise_in_floating_point", [] { return the_audit_says_violated({.name = "laplace"}); }},
    {"clipping_skipped", [] { return the_audit_says_violated({.name = "gradient", .trials = 5'000}); }},
    {"user_clipping_skipped",
     [] {
       return the_exact_audit_sees({.method = "gradient", .over_sites = true}) &&
              the_audit_says_violated(
                  {.name = "gradient", .neighbours = {Unit::user, Relation::add_remove}, .trials = 5'000});
     }},
    {"split_forgotten", [] { return the_curator_refuses({.name = "output"}); }},
    {"composition_forgotten", [] { return the_audit_says_violated({.name = "planned-gaussian"}); }},
    {"poisson_by_fixed_batch",
     [] {
       return the_audit_says_violated(
           {.name = "sampled-gaussian", .neighbours = {Unit::entry, Relation::add_remove}, .trials = 5'000});
     }},
    {"factor_without_noise", [] { return the_audit_says_violated({.name = "output", .trials = 5'000}); }},
    {"empty_cells_without_noise",
     [] {
       return the_audit_says_violated(
           {.name = "sparse", .neighbours = {Unit::event, Relation::add_remove}, .trials = 5'000});
     }},
    {"release_not_recorded", [] { return the_audit_says_violated({.name = "adaptive", .trials = 10'000}); }},
};

}  // namespace
}  // namespace tulle

int main(int, char** arguments) {
  const auto exactly = tulle::kSeenIn.find(arguments[1]);
  const bool caught = exactly != tulle::kSeenIn.end() ? tulle::the_exact_audit_sees(exactly->second)
                                                      : tulle::kCaughtBy.at(arguments[1])();
  fmt::print("{}: {}\n", arguments[1], caught ? "caught" : "NOT CAUGHT");
  return caught ? 0 : 1;
}
