#include "methods.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/method/method.hpp>

#include <algorithm>
#include <map>

namespace tulle {
namespace {

// References to methods stay valid when others are registered: hence a deque.
std::deque<Method>& registered(Job job) {
  static std::map<Job, std::deque<Method>> all = [] {
    std::map<Job, std::deque<Method>> made;
    for (Method (*const describe)() : {
#define TULLE_METHOD(function) function,
#include "methods.inc"
#undef TULLE_METHOD
         }) {
      Method method = describe();
      made[method.job].push_back(std::move(method));
    }
    return made;
  }();
  return all[job];
}

std::string list_of(const std::vector<Protects>& pairs) {
  std::vector<std::string> texts;
  for (const Neighbours& pair : pairs)
    texts.push_back(fmt::format("{} under {}", name(pair.unit), name(pair.relation)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

void check_noise(const Method& method, const Protects& pair, const Settings& settings) {
  const auto noise = settings.get(setting::noise);
  if (!noise || pair.noises.empty() || std::ranges::find(pair.noises, *noise) != pair.noises.end()) return;
  std::vector<std::string_view> names;
  for (const NoiseKind known : pair.noises) names.push_back(name(known));
  fail_usage("noise {}: method {} takes {} for unit {}", name(*noise), method.name, fmt::join(names, ", "),
             list_of({pair}));
}

PublishedClaim claim_of(const Method& method, const Terms& terms) {
  return {method.source, terms.budget, method.why_unproven};
}

}  // namespace

const std::deque<Method>& methods(Job job) {
  return registered(job);
}

const Method& first_method(const IsWanted& is_wanted) {
  return *std::ranges::find_if(methods(Job::completion), is_wanted);
}

std::string names_of_methods(const IsWanted& is_wanted, Job job, std::string_view last) {
  std::vector<std::string_view> names;
  for (const Method& method : methods(job))
    if (is_wanted(method)) names.push_back(method.name);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text.append(i == 0 ? "" : i + 1 < names.size() ? ", " : last).append(names[i]);
  return text;
}

void register_method(Method method) {
  std::deque<Method>& all = registered(method.job);
  if (std::ranges::find(all, method.name, &Method::name) != all.end())
    fail_usage("there is a method '{}' already; choose another name", method.name);
  all.push_back(std::move(method));
}

const Method& find_method(std::string_view name, Job job) {
  std::vector<std::string> names;
  for (const Method& method : methods(job)) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  fail_unknown("method", name, names);
}

const Protects& Method::protection(Unit unit, std::optional<Relation> relation) const {
  for (const Protects& pair : protects)
    if (pair.unit == unit && pair.relation == relation.value_or(pair.relation)) return pair;
  if (!is_private())
    fail_usage("method {} has no privacy guarantee; omit the budget, or choose another method", name);
  fail_usage("method {} does not protect unit {}{}; it protects {}", name, tulle::name(unit),
             relation ? fmt::format(" under {}", tulle::name(*relation)) : "", list_of(protects));
}

const MethodSetting* Method::setting(std::string_view wanted) const {
  const auto found = std::ranges::find(settings, wanted, &MethodSetting::name);
  return found == settings.end() ? nullptr : &*found;
}

Relation relation_for(const Method& method, Unit unit, std::optional<Relation> relation) {
  return method.protection(unit, relation).relation;
}

Curator open_curator(const Method& method, const Terms& terms, RandomBits bits) {
  if (!method.is_private()) return Curator::without_privacy();
  const Relation relation = relation_for(method, terms.unit, terms.relation);
  // The run adds the public facts of the data.
  return terms.calibration == Calibration::published
             ? Curator::as_published(claim_of(method, terms), terms.unit, relation, std::move(bits))
             : Curator::with_budget(terms.budget, terms.unit, relation, std::move(bits));
}

Curator open_curator(const Method& method, const Terms& terms, std::function<void(const Curator&)> pay) {
  Curator curator =
      open_curator(method, terms, terms.seed ? RandomBits::seeded(*terms.seed) : RandomBits::secure());
  curator.before_first_release(std::move(pay));
  return curator;
}

void check_terms(const Method& method, const Terms& terms, const Settings& settings) {
  const bool sound = terms.calibration == Calibration::sound;
  settings.check(method.name, method.settings, terms.calibration, terms.unit);
  if (!sound && !method.has(Calibration::published))
    fail_usage("method {} has no published form; run its sound form", method.name);
  if (sound && method.is_private() && !method.has(Calibration::sound))
    fail_usage("method {} has no proven form; run it as published[ (@calibration published)], or use {}",
               method.name, method.instead.empty() ? "another method" : method.instead);
  if (!method.is_private()) return;
  const Protects& pair = method.protection(terms.unit, terms.relation);
  if (sound && method.needs_delta_for(pair) && terms.budget.delta == 0)
    fail_usage("method {} needs a delta above 0{}, such as 1e-6", method.name,
               method.needs_delta ? "" : fmt::format(" for unit {}", list_of({pair})));
  check_noise(method, pair, settings);
}

void check_curator(const Curator& curator, const Method& method, const Terms& terms) {
  if (!method.is_private()) return;
  const Relation relation = relation_for(method, terms.unit, terms.relation);
  if (curator.unit() != terms.unit || curator.relation() != relation)
    fail_usage("the curator protects unit {} under {}, but the terms say unit {} under {}; open it for these",
               name(curator.unit()), name(curator.relation()), name(terms.unit), name(relation));
  if (curator.published() && curator.claim() != claim_of(method, terms))
    fail_usage(
        "the curator is for the claim of another method, or of another budget; open it for these terms");
  if (curator.published() != (terms.calibration == Calibration::published))
    fail_usage(
        "the curator is for the {} form of a method, but the terms ask for the other; open it for these",
        curator.published() ? "published" : "sound");
}

}  // namespace tulle
