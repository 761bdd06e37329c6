// Opens the curator, checks a private request from public facts, runs the method.
#include <tulle/base/error.hpp>
#include <tulle/method/registry.hpp>
#include <tulle/privacy/margin.hpp>

#include <algorithm>

namespace tulle {
namespace {

void check_range(const Range& range) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high) || !(range.low < range.high))
    fail_usage("a range of {}:{} makes no sense; give LOW:HIGH with LOW < HIGH", range.low, range.high);
}

// A delta of 1/n allows a mechanism that publishes the whole of one unit in n. For n that is public: where it
// is private, a refusal would tell about it.
void check_delta(double delta, std::uint64_t units) {
  if (delta > 0 && delta * static_cast<double>(units) >= 1)
    fail_usage(
        "delta {:g} is not below 1/n for the n units of the data: it would allow publishing one of them "
        "whole; give a smaller --delta",
        delta);
}

// Positions of a mode that have cells.
std::uint64_t distinct_positions(const SparseTensor& observed, int mode) {
  if (observed.shape()[mode] <= PrivateTensor::kMostUsers) return observed.shape()[mode];
  const auto column = observed.column(mode);
  std::vector<Index> positions(column.begin(), column.end());
  std::ranges::sort(positions);
  return static_cast<std::uint64_t>(std::unique(positions.begin(), positions.end()) - positions.begin());
}

void check_data(const SparseTensor& observed, const Terms& terms, Relation relation) {
  const bool users = terms.unit == Unit::user;
  if (users && (terms.user_mode < 0 || terms.user_mode >= observed.order()))
    fail_usage("unit user needs the mode that the users are; give --user-mode 1 .. {}", observed.order());
  if (users && relation == Relation::add_remove &&
      distinct_positions(observed, terms.user_mode) > PrivateTensor::kMostUsers)
    fail("more than {} users; private sums are exact up to so many", PrivateTensor::kMostUsers);
  if (relation == Relation::add_remove) return;
  if (observed.size() == 0) fail("the tensor has no observed cell; there is nothing to complete");
  check_delta(terms.budget.delta, users ? observed.shape()[terms.user_mode] : observed.size());
}

std::string list_of(const std::vector<Neighbours>& pairs) {
  std::vector<std::string> texts;
  for (const Neighbours& pair : pairs)
    texts.push_back(fmt::format("{} under {}", name(pair.unit), name(pair.relation)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

void check_model(const Method& method, const std::string& model) {
  if (!method.models.empty() && std::ranges::find(method.models, model) == method.models.end())
    fail_usage("method {} has no model '{}'; it has: {}", method.name, model, fmt::join(method.models, ", "));
}

void check_tuning(const Method& method, const Tuning& tuning, const FitOptions& fit) {
  const std::pair<std::string_view, bool> given[] = {
      {"noise", !tuning.noise.empty()},    {"entries-per-user", tuning.entries_per_user.has_value()},
      {"steps", tuning.steps.has_value()}, {"sampling-rate", tuning.sampling_rate.has_value()},
      {"clip", tuning.clip.has_value()},   {"clip-quantile", tuning.clip_quantile.has_value()},
      {"from", fit.from != nullptr},       {"learning-rate", tuning.learning_rate.has_value()},
      {"hold", !fit.held.empty()},
  };
  for (const auto& [setting, is_given] : given)
    if (is_given && std::ranges::find(method.takes, setting) == method.takes.end())
      fail_usage("method {} takes no --{}; leave it out", method.name, setting);
}

// What every method is checked for before it runs, whether it was asked for or picked.
void check_request(const Method& method, const PrivateRequest& request) {
  relation_for(method, request.terms.unit, request.relation);
  check_model(method, request.fit.model);
  check_tuning(method, request.tuning, request.fit);
  if (request.terms.calibration == Calibration::published && !method.published)
    fail_usage("method {} was not published by anyone; run it with --calibration sound", method.name);
}

void check_curator(const Curator& curator, const Terms& terms, Relation relation) {
  if (curator.unit() != terms.unit || curator.relation() != relation)
    fail_usage("the curator protects unit {} under {}, but the terms say unit {} under {}; open it for these",
               name(curator.unit()), name(curator.relation()), name(terms.unit), name(relation));
}

}  // namespace

Relation relation_for(const Method& method, Unit unit, std::optional<Relation> relation) {
  for (const Neighbours& pair : method.protects)
    if (pair.unit == unit && pair.relation == relation.value_or(pair.relation)) return pair.relation;
  if (method.protects.empty())
    fail_usage("method {} protects nobody; leave --epsilon out, or choose another (see: tulle methods)",
               method.name);
  fail_usage("method {} does not protect unit {}{}; it protects {}", method.name, name(unit),
             relation ? fmt::format(" under {}", name(*relation)) : "", list_of(method.protects));
}

Curator open_curator(const Method& method, const Terms& terms, RandomBits bits) {
  const Relation relation = relation_for(method, terms.unit, terms.relation);
  Curator curator = terms.calibration == Calibration::published
                        ? Curator::as_published({method.source, terms.budget, method.why_unproven},
                                                terms.unit, relation, std::move(bits))
                        : Curator::with_budget(terms.budget, terms.unit, relation, std::move(bits));
  curator.set_scope(terms.scope);
  return curator;
}

Completion complete_privately(const Method& method, SparseTensor observed, const Terms& terms,
                              const Tuning& tuning, const FitOptions& fit, Curator& curator,
                              std::span<const std::size_t> blanked) {
  check_range(terms.range);
  const Relation relation = relation_for(method, terms.unit, terms.relation);
  check_curator(curator, terms, relation);
  check_data(observed, terms, relation);
  if (!blanked.empty() && relation != Relation::zero_out)
    fail_usage("entries that contribute nothing are for zero-out, not {}", name(relation));
  PrivateRequest request{
      PrivateTensor(std::move(observed), terms.range, {terms.unit, relation}, terms.user_mode, blanked),
      terms, relation, tuning, fit};
  if (terms.calibration == Calibration::sound) request.terms.budget = with_margin(terms.budget);
  check_request(method, request);
  const MethodChoice choice = method.pick ? method.pick(request) : MethodChoice{method.name, ""};
  const Method& chosen = find_method(choice.method);
  check_request(chosen, request);
  const Method::Run run = terms.calibration == Calibration::sound ? chosen.sound : chosen.published;
  Completion completion = run(request, curator);
  if (method.pick)
    completion.remarks.insert(completion.remarks.begin(),
                              fmt::format("Chose method {}: {}.", choice.method, choice.why));
  completion.guarantee = curator.guarantee();
  return completion;
}

Completion complete_privately(const Method& method, SparseTensor observed, const Terms& terms,
                              const Tuning& tuning, const FitOptions& fit,
                              std::function<void(const Curator&)> pay) {
  Curator curator =
      open_curator(method, terms, terms.seed ? RandomBits::seeded(*terms.seed) : RandomBits::secure());
  curator.before_first_release(std::move(pay));
  return complete_privately(method, std::move(observed), terms, tuning, fit, curator);
}

}  // namespace tulle
