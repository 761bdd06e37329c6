// The methods by name: what can be run, on whose behalf, with which settings.
#pragma once

#include <tulle/method/audited.hpp>
#include <tulle/method/settings.hpp>
#include <tulle/method/terms.hpp>
#include <tulle/model/model.hpp>
#include <tulle/privacy/curator.hpp>
#include <tulle/privacy/releases.hpp>

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

enum class Job { completion, topics, classification, counts };
enum class FitOption;

struct Completion;
struct CountOutcome;
struct CountRequest;
struct FitOptions;
struct Measurement;
struct PrivateRequest;
struct TopicOptions;
struct TopicOutcome;
struct TopicRequest;
struct ClassificationOutcome;
struct ClassificationRequest;

// A method that another one picked, and why: from public facts.
struct MethodChoice {
  std::string_view method;
  std::string why;
};

// How a form of a method runs over several sites.
enum class OverSites {
  no,
  sums,     // sites add up what they release, and share the noise: Gaussian, on sums over units
  entries,  // each site sends releases of its own, which have all of their noise
};

// What a completion releases.
struct Measured {
  Measured(Releases of_the_data) : releases(std::move(of_the_data)) {}

  Releases releases;
  // Under joint privacy: the model with each user's own row, made of her data and of the releases.
  std::function<Protected<Model>()> with_user_rows = {};
};

// A completion in two parts: what is released, and what is made of the releases, as often as one likes. The
// first is given nothing that only the second needs, such as the rank, so that a later estimate is what the
// run would have made of the same releases.
struct MeasuredCompletion {
  // A UsageError where there is no such estimate of a tensor of this shape under this relation, before
  // anything is released.
  void (*check)(const FitOptions&, const Shape&, Relation);
  Measured (*measure)(const PrivateRequest&, Curator&);
  Completion (*estimate)(const Measurement&, const FitOptions&);
  bool of_one_rank = false;  // what is released is of the rank that is asked for
};

// The same of topics.
struct MeasuredTopics {
  Releases (*measure)(const TopicRequest&, Curator&);
  TopicOutcome (*estimate)(const Measurement&, const TopicOptions&);
};

// The same of counts.
struct MeasuredCounts {
  Releases (*measure)(const CountRequest&, Curator&);
  CountOutcome (*estimate)(const Measurement&);
  bool of_all_cells = true;  // every cell has a number of its own, so there are at most kMostCells
};

// What holds of a method for one unit and relation alone.
struct ForNeighbours {
  bool needs_delta = false;            // the sound form, which needs none for others
  std::vector<ModelKind> models = {};  // empty: those of the method
  std::vector<NoiseKind> noises = {};  // of setting noise; empty: all that it takes
  double pairs = 1;                    // share of the method's weight in the exact audit
};

// A unit and relation that a method protects: {Unit::entry, Relation::replace}, or with what holds for them
// alone, {{Unit::user, Relation::add_remove}, {.needs_delta = true}}.
struct Protects : Neighbours, ForNeighbours {};

struct Method {
  Job job = Job::completion;
  std::string name;
  std::string title;      // one line
  std::string source;     // the paper it comes from, or "Tulle"
  std::string guarantee;  // what is proven of it
  std::string details;    // a paragraph: what it does, with which solvers and models

  std::vector<ModelKind> models = {};   // of a completion; empty: all
  std::vector<Protects> protects = {};  // the first of a unit is its default; empty: no unit (plain)
  std::vector<MethodSetting> settings = {};
  bool needs_delta = false;  // its sound form, for every unit and relation
  bool warm_start = false;   // can start from a model, some of whose modes may be held fixed
  // Of a completion: the options of a fit that it reads; those of its published form, where they differ.
  std::vector<FitOption> reads = {};
  std::optional<std::vector<FitOption>> published_reads = {};

  using CompletionRun = Completion (*)(const PrivateRequest&, Curator&);
  using TopicRun = TopicOutcome (*)(const TopicRequest&, Curator&);
  using ClassificationRun = ClassificationOutcome (*)(const ClassificationRequest&, Curator&);
  using Run = std::variant<std::monostate, CompletionRun, TopicRun, ClassificationRun, MeasuredCompletion,
                           MeasuredTopics, MeasuredCounts>;
  Run sound = {};
  MethodChoice (*pick)(const PrivateRequest&) = nullptr;  // instead of sound: names the method that runs
  Run published = {};                                     // none: not published
  std::string why_unproven = {};                          // of the published form
  std::string instead = {};  // of a method without a sound form: "method als, which .."
  std::string no_refit =
      {};  // of a method that does not measure and estimate: why its releases make no other model
  OverSites over_sites = OverSites::no, published_over_sites = OverSites::no;
  bool couples = false;  // takes several relations of the users, and public tables (sound form)
  // Whether its sound form releases sums over blocks of units, or a value per unit: then no query needs the
  // data of all units together.
  bool in_blocks = false;
  bool image_features = false;  // learns from features of images

  RandomPairs pairs = {};
  std::vector<WorstCase> worst_cases = {};  // at least one for each form, unit and relation

  bool is_private() const { return !protects.empty(); }
  // The first that it protects with this unit and, if it is given, relation; a UsageError if there is none.
  const Protects& protection(Unit unit, std::optional<Relation> relation) const;
  bool needs_delta_for(const Protects& these) const { return needs_delta || these.needs_delta; }
  const std::vector<ModelKind>& models_for(const Protects& these) const {
    return these.models.empty() ? models : these.models;
  }
  const MethodSetting* setting(std::string_view name) const;  // none: the method does not take it
  // What is released makes other models too, without the data.
  bool keeps_releases() const {
    return std::holds_alternative<MeasuredCompletion>(sound) ||
           std::holds_alternative<MeasuredTopics>(sound) || std::holds_alternative<MeasuredCounts>(sound);
  }
  bool sums_over_sites() const { return over_sites == OverSites::sums; }
  bool sends_entries() const { return over_sites == OverSites::entries; }
  OverSites runs_over_sites(Calibration form) const {
    return form == Calibration::sound ? over_sites : published_over_sites;
  }
  bool does_read(FitOption option, Calibration form) const;
  bool has(Calibration form) const {
    return (form == Calibration::sound ? sound : published).index() != 0 ||
           (form == Calibration::sound && pick);
  }
};

const std::deque<Method>& methods(Job job);  // the first is the job's default
using IsWanted = std::function<bool(const Method&)>;
// The first method of completion that is wanted.
const Method& first_method(const IsWanted& is_wanted);
// The names of all that are: "als, gradient or dp-sgld".
std::string names_of_methods(const IsWanted& is_wanted, Job job = Job::completion,
                             std::string_view last = " or ");
// A method from outside the library, to be found by its name like any other.
void register_method(Method method);
// A UsageError that lists the names when there is none.
const Method& find_method(std::string_view name, Job job = Job::completion);

// The relation that applies: the one asked for, or else the method's own for the unit. A UsageError where the
// method does not protect these neighbours.
Relation relation_for(const Method& method, Unit unit, std::optional<Relation> relation);

// The curator of a run on these terms, before anything is released.
Curator open_curator(const Method& method, const Terms& terms, RandomBits bits);
// The same with bits of the operating system, or of the seed of these terms, and `pay`, if there is one, to
// charge a ledger before the first release.
Curator open_curator(const Method& method, const Terms& terms, std::function<void(const Curator&)> pay);

// What is checked of every method before it runs: a UsageError where it does not take these settings, needs a
// delta, or has no such form.
void check_terms(const Method& method, const Terms& terms, const Settings& settings);
// A UsageError that names the first of the options that this form of a method does not read.
void check_reads(const Method& method, Calibration form, const std::vector<FitOption>& given);
void check_curator(const Curator& curator, const Method& method, const Terms& terms);

}  // namespace tulle

#pragma GCC visibility pop
