#include "protection.hpp"

#include <tulle/base/json.hpp>
#include <tulle/job/run_page.hpp>
#include <tulle/privacy/account/event_text.hpp>
#include <tulle/privacy/account/posterior.hpp>
#include <tulle/privacy/guarantee.hpp>
#include <tulle/report/bars.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace tulle {
namespace {

std::string text(const Json& json, const char* field) {
  return json.value(field, std::string());
}

// Bounds are rounded up, to one digit after the point, or to as many as distinguish them from certainty.
std::string percent(double probability) {
  double scale = 1000;
  int digits = 1;
  while (digits < 12 && probability < 1 && std::ceil(probability * scale - 1e-9) >= scale) {
    scale *= 10;
    ++digits;
  }
  return fmt::format("{:.{}f} %", std::min(100.0, std::ceil(probability * scale - 1e-9) / scale * 100),
                     digits);
}

std::string cost(const Json& guarantee) {
  const double delta = guarantee.at("delta");
  const std::string epsilon = rounded_up(guarantee.at("epsilon"), 4);
  return delta > 0 ? fmt::format("epsilon {}, delta {}", epsilon, rounded_up(delta, 4))
                   : fmt::format("epsilon {}, delta 0", epsilon);
}

Unit unit_in(const Json& guarantee) {
  return unit_of(text(guarantee, "unit"));
}

std::string one_unit(const Json& guarantee) {
  switch (unit_in(guarantee)) {
    case Unit::entry:
      return "one value";
    case Unit::event:
      return "one event";
    case Unit::user:
      return fmt::format("one {}", text(guarantee, "mode"));
    case Unit::document:
      return "one document";
    case Unit::example:
      return "one labelled example";
  }
  return "";
}

std::string protected_words(const Json& guarantee) {
  if (unit_in(guarantee) == Unit::user)
    return fmt::format("Everything that any one position of mode {} contributed, all its values together",
                       text(guarantee, "mode"));
  return fmt::format("Any {}", one_unit(guarantee));
}

std::string relation_words(const Json& guarantee) {
  switch (relation_of(text(guarantee, "relation"))) {
    case Relation::replace:
      return "what it says, anything in the public range. That it is there, and where, is taken as public "
             "(replace)";
    case Relation::zero_out:
      return "what it says, and whether it counts at all. Where it stands is taken as public (zero-out)";
    case Relation::add_remove:
      return "what it says, where, and whether it is in the data at all (add-remove)";
  }
  return "";
}

// Provable bounds on an attacker: from the releases if epsilon was composed from them, else from epsilon and
// delta alone.
struct Learned {
  Comparison compared;
  double exception = 0;  // probability with which the bound on the loss may fail, at most
  double loss = 0;       // infinite: there is no bound
};

// A question of the attacker with two possible answers.
struct Question {
  std::string asked;      // of the attacker
  std::string suspected;  // the same, as part of a sentence
  Learned learned;
};

// The releases that epsilon was composed from.
std::vector<Event> accounted_releases(const Json& guarantee) {
  Json list = Json::array();
  for (const Json& release : guarantee.at("releases")) list.push_back(release.at("accounted"));
  std::vector<Event> events;
  for (const Event& event : events_from_json(json_text(list))) join(events, event);
  return events;
}

std::vector<Event> events_of(const Json& guarantee) {
  if (is_composed_of_its_record(guarantee)) return accounted_releases(guarantee);
  return {Event::approximate(guarantee.at("epsilon"), guarantee.at("delta"))};
}

Learned learned_of(Comparison compared, double delta) {
  Learned learned{std::move(compared)};
  // From epsilon and delta alone no bound follows for an exception of delta, but one does for a larger one.
  for (double exception = delta;; exception *= 10) {
    learned.exception = std::min(0.5, exception);
    learned.loss = loss_upper(learned.compared.events, learned.compared.relation, learned.exception);
    if (std::isfinite(learned.loss) || delta == 0 || exception >= 0.5) return learned;
  }
}

// Whether a unit is in the data, unless that is public, and which content it has: two contents of a unit that
// may be missing are further apart than neighbours.
std::vector<Question> questions_of(const Json& guarantee) {
  const std::vector<Event> events = events_of(guarantee);
  const Relation relation = relation_of(text(guarantee, "relation"));
  const double delta = guarantee.at("delta");
  const std::string unit = one_unit(guarantee);
  std::vector<Question> questions;
  if (relation == Relation::add_remove)
    questions.push_back({fmt::format("Is {} in the data, or not?", unit),
                         fmt::format("whether {} is in the data", unit),
                         learned_of({events, relation}, delta)});
  if (relation == Relation::zero_out)
    questions.push_back({fmt::format("Did {} count, or not?", unit), fmt::format("whether {} counted", unit),
                         learned_of({events, relation}, delta)});
  questions.push_back({fmt::format("Which of two contents does {} have?", unit),
                       fmt::format("which of two contents {} has", unit),
                       learned_of(between_contents(events, relation), delta)});
  return questions;
}

std::string except(const Learned& learned) {
  return learned.exception > 0
             ? fmt::format(", except with probability {} at most", rounded_up(learned.exception, 3))
             : "";
}

// From here on an even suspicion may become nearly certain: odds of 19 to 1, which is epsilon 2.9.
constexpr double kWeak = 0.95;
constexpr std::array kPriors = {0.01, 0.1, 0.25, 0.5, 0.75, 0.9};

void add_priors(Page& page, const Learned& learned) {
  std::vector<Page::Row> rows;
  Bars bars{.title = "What an attacker may become sure of, from what was suspected before", .bars = {}};
  for (double prior : kPriors) {
    const double posterior = posterior_upper(prior, learned.loss);
    rows.push_back({{fmt::format("{:g} %", 100 * prior), percent(posterior)}});
    bars.bars.push_back({fmt::format("{:g} %", 100 * prior), prior, posterior, percent(posterior)});
  }
  page.table({"suspected before", "sure afterwards, at most"}, rows);
  page.drawing(to_svg(bars), "From what was suspected before to what may be sure afterwards, at most");
}

void add_attacks(Page& page, const Learned& learned) {
  constexpr int kPoints = 41;
  Plot plot{.title = "Detections against false alarms of any attack",
            .x_label = "false alarms",
            .y_label = "detections, at most",
            .series = {{"any attack on these releases",
                        attack_bound(learned.compared.events, learned.compared.relation, kPoints)},
                       {"a blind guess", {{0, 0}, {1, 1}}}},
            .compact = true};
  page.drawing(to_svg(plot), "How often an attacker can be right against how often wrong, at most");
}

std::string how_bounded(const Learned& learned) {
  if (learned.exception == 0)
    return fmt::format(
        "Everything that was released is at most exp({}) times as probable under one answer as under the "
        "other, so by Bayes' rule the odds of an answer grow by that factor at most, whatever the outcome.",
        rounded_up(learned.loss, 4));
  return fmt::format(
      "By Bayes' rule the odds of an answer grow by exp(l), l the privacy loss of what was released. From "
      "the whole trade-off of epsilon and delta that the composed releases have, not from one pair of them: "
      "for every c between 0 and 1, l is at most epsilon(c d) - ln(1 - c), except with probability d = {}. "
      "The least over c is {}. (Exp(epsilon) alone would be too small a factor, since delta is above 0.)",
      rounded_up(learned.exception, 3), rounded_up(learned.loss, 4));
}

void add_question(Page& page, const Question& question) {
  const Learned& learned = question.learned;
  page.heading(question.asked);
  if (std::isfinite(learned.loss)) {
    page.paragraph(
        fmt::format("What the attacker suspected before, and how sure the attacker can be afterwards{}:",
                    except(learned)));
    add_priors(page, learned);
  } else {
    page.paragraph("No bound on single outcomes is known for these releases; on average the next one holds.");
  }
  add_attacks(page, learned);
  page.paragraph(
      fmt::format("On average over what may be released, an attacker who guesses between two answers that "
                  "are equally probable is right at most {} of the time (one half and half of the delta at "
                  "epsilon 0 between the two).",
                  percent(right_guess_upper(learned.compared.events, learned.compared.relation))));
  if (std::isfinite(learned.loss)) page.paragraph(how_bounded(learned));
}

std::vector<std::string> release_cells(const Json& release) {
  std::string sensitivity = "-";
  if (release.contains("sensitivity")) {
    const Json& bound = release["sensitivity"];
    sensitivity = fmt::format("{:.4g} ({})", bound.at("value").get<double>(), text(bound, "norm"));
  }
  return {text(release, "what"),
          fmt::format("{}", release.at("coordinates").get<std::uint64_t>()),
          sensitivity,
          text(release, "noise"),
          fmt::format("{:.4g}", release.at("stddev").get<double>()),
          text(release, "event")};
}

}  // namespace

bool is_composed_of_its_record(const Json& guarantee) {
  return text(guarantee, "accounting").ends_with(", planned") &&
         std::ranges::all_of(guarantee.at("releases"),
                             [](const Json& release) { return release.contains("accounted"); });
}

bool is_proven(const Json& guarantee) {
  return text(guarantee, "status").starts_with("proven");
}

void add_summary(Page& page, const Json& guarantee) {
  const std::string status = text(guarantee, "status");
  if (status == "none") {
    page.notice(Page::Tone::alarming, "No guarantee", text(guarantee, "remark"));
    return;
  }
  if (!is_proven(guarantee)) {
    page.notice(Page::Tone::alarming, "Not proven",
                fmt::format("A paper claims {}. {}", cost(guarantee), text(guarantee, "remark")));
    return;
  }
  const std::vector<Question> questions = questions_of(guarantee);
  if (guarantee.at("reproducible"))
    page.notice(
        Page::Tone::warning, "Proven, but not against whoever knows the seed",
        fmt::format(
            "The noise was drawn from a seed that was given, for a run that can be repeated; whoever knows "
            "it can subtract the noise. Against all others: {}.",
            cost(guarantee)));
  else if (guarantee.contains("source"))
    page.notice(
        Page::Tone::warning, "Proven, given the model that the run was started from",
        fmt::format("{}, besides what that model tells: {}.", cost(guarantee), text(guarantee, "source")));
  else if (!(posterior_upper(0.5, questions.back().learned.loss) < kWeak))
    page.notice(Page::Tone::warning, "Proven, with a large epsilon",
                fmt::format("Differential privacy with {} for {}. It bounds little of what an attacker could "
                            "learn who knows all "
                            "other data.",
                            cost(guarantee), one_unit(guarantee)));
  else
    page.notice(Page::Tone::good, "Proven",
                fmt::format("Differential privacy with {} for {}.", cost(guarantee), one_unit(guarantee)));
  for (const Question& question : questions)
    if (std::isfinite(question.learned.loss))
      page.key_figure(
          percent(posterior_upper(0.5, question.learned.loss)),
          fmt::format("An attacker who is undecided (50 %) {} can become at most this sure of the answer{}.",
                      question.suspected, except(question.learned)));
}

void add_protection(Page& page, const Json& guarantee) {
  page.section("What was protected, and against whom");
  std::vector<std::pair<std::string, std::string>> facts = {
      {"Protected", protected_words(guarantee)},
      {"What of it is hidden", relation_words(guarantee)},
      {"Against", text(guarantee, "adversary")}};
  if (guarantee.contains("assumption")) facts.emplace_back("Assuming", text(guarantee, "assumption"));
  if (guarantee.at("joint"))
    facts.emplace_back("Jointly",
                       "what is published holds no row of a single user; each user's own row is for "
                       "that user alone");
  if (guarantee.contains("source")) facts.emplace_back("Started from", text(guarantee, "source"));
  facts.emplace_back("In one sentence", text(guarantee, "sentence"));
  page.facts(facts);

  page.section("What is public");
  page.paragraph("The guarantee does not hide these facts: they are public by the word of the data owner.");
  std::vector<std::string> items = guarantee.at("public").get<std::vector<std::string>>();
  items.emplace_back("the method, its settings, epsilon and delta, and what this page says");
  page.items(items);
}

void add_learned(Page& page, const Json& guarantee) {
  page.section("What an attacker can learn");
  const std::vector<Question> questions = questions_of(guarantee);
  page.paragraph(
      fmt::format("Think of an attacker who knows everything in the data but {}, sees all that was released, "
                  "and asks one question.",
                  one_unit(guarantee)));
  if (questions.size() > 1)
    page.paragraph(
        "Epsilon and delta are stated for the first question. Two contents differ by two such steps: the one "
        "is taken away, the other put in its place. So an attacker can learn more about the second.");
  for (const Question& question : questions) add_question(page, question);
}

void add_releases(Page& page, const Json& guarantee) {
  page.section("Every release");
  page.paragraph(
      is_proven(guarantee)
          ? "All that left the private data did so here, with noise. The model and everything else "
            "on this page are computed from these values and from public facts."
          : "What was recorded, with the sensitivities that the paper assumes, which are not proven. "
            "The published form may use more of the private data, without noise.");
  std::vector<std::pair<std::vector<std::string>, int>> kinds;  // consecutive equal ones are shown once
  for (const Json& release : guarantee.at("releases")) {
    std::vector<std::string> cells = release_cells(release);
    if (!kinds.empty() && kinds.back().first == cells)
      ++kinds.back().second;
    else
      kinds.emplace_back(std::move(cells), 1);
  }
  std::vector<Page::Row> rows;
  for (auto& [cells, times] : kinds) {
    cells.push_back(fmt::format("{}", times));
    rows.push_back({std::move(cells)});
  }
  const bool proven = is_proven(guarantee);
  page.table({"what", "values", proven ? "changes at most by" : "changes at most by, as claimed", "noise",
              "standard deviation", proven ? "as accounted" : "as claimed", "times"},
             rows);
  if (guarantee.at("relation") == "replace" &&
      std::ranges::any_of(guarantee.at("releases"), [](const Json& release) {
        return release.at("accounted").contains("poisson_rate");
      }))
    page.paragraph(
        "Of a sampled sum, what one unit adds is stated. Replaced by another one, it changes the sum by at "
        "most twice as much, which is accounted for.");
  if (guarantee.contains("accounting"))
    page.paragraph(fmt::format("{}: {} (accounting: {}).",
                               proven ? "Together" : "Together, as the paper claims, not proven",
                               cost(guarantee), text(guarantee, "accounting")));
}

}  // namespace tulle
