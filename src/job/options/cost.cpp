#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/options/cost.hpp>
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/calibrate.hpp>
#include <tulle/privacy/guarantee.hpp>
#include <tulle/report/plot.hpp>

#include <cmath>

namespace tulle {
namespace {

double need(const std::optional<double>& value, std::string_view option, std::string_view mechanism) {
  if (!value) fail_usage("account {}: give {}", with_marks(mechanism), with_marks(option));
  return *value;
}

Event release_of(const std::string& mechanism, const std::optional<double>& sigma,
                 const std::optional<double>& epsilon_each) {
  if (mechanism == "gaussian") return Event::gaussian(need(sigma, "@sigma", mechanism));
  if (mechanism == "laplace") return Event::laplace(need(sigma, "@sigma", mechanism));
  return Event::pure(need(epsilon_each, "@epsilon-each", mechanism));
}

// The release to be sampled. Noise is stated relative to the sensitivity under the relation, whatever the
// rate: under replace that is twice a unit's contribution, which a sampled event refers to.
Event release_to_sample(const std::string& mechanism, const std::optional<double>& sigma,
                        const std::optional<double>& epsilon_each, Relation relation) {
  const double contributions = relation == Relation::replace ? 2 : 1;
  const auto scaled = [](const std::optional<double>& value, double factor) {
    return value ? std::optional(*value * factor) : value;
  };
  return release_of(mechanism, scaled(sigma, contributions), scaled(epsilon_each, 1 / contributions));
}

Event release_of(const std::string& mechanism, const std::optional<double>& sigma,
                 const std::optional<double>& epsilon_each, const std::optional<double>& rate,
                 Relation relation) {
  if (!rate || *rate == 1) return release_of(mechanism, sigma, epsilon_each);
  return release_to_sample(mechanism, sigma, epsilon_each, relation).sampled(PoissonSampling::what_if(*rate));
}

double number_in(std::string_view text, const std::string& whole) {
  const auto value = parse_number<double>(text);
  if (!value) fail_usage("@also {}: '{}' is not a number", whole, text);
  return *value;
}

// "laplace,sigma=2,rate=0.1,steps=10"
Event parse_release(const std::string& text, Relation relation) {
  std::string mechanism;
  std::optional<double> sigma, epsilon_each, rate;
  double steps = 1;
  for (const std::string& part : split_at_commas(text)) {
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals);
    if (equals == std::string::npos)
      mechanism = part;
    else if (key == "sigma")
      sigma = number_in(std::string_view(part).substr(equals + 1), text);
    else if (key == "epsilon")
      epsilon_each = number_in(std::string_view(part).substr(equals + 1), text);
    else if (key == "rate")
      rate = number_in(std::string_view(part).substr(equals + 1), text);
    else if (key == "steps")
      steps = number_in(std::string_view(part).substr(equals + 1), text);
    else
      fail_usage("@also {}: there is no '{}'; there is sigma, epsilon, rate, steps", text, key);
  }
  if (mechanism != "gaussian" && mechanism != "laplace" && mechanism != "pure")
    fail_usage("@also {}: begin with gaussian, laplace or pure", text);
  if (!(steps >= 1) || steps != std::floor(steps))
    fail_usage("@also {}: steps is a whole number from 1", text);
  return release_of(mechanism, sigma, epsilon_each, rate, relation).times(static_cast<std::uint64_t>(steps));
}

std::vector<Event> events_of(const CostOptions& options, std::uint64_t steps, Relation relation) {
  std::vector<Event> events = {
      release_of(options.mechanism, options.sigma, options.epsilon_each, options.rate, relation)
          .times(steps)};
  for (const std::string& text : options.also) join(events, parse_release(text, relation));
  return events;
}

Json cost(const CostOptions& options, Relation relation) {
  if (options.epsilon.has_value() == options.delta.has_value())
    fail_usage("account: give @delta to learn epsilon, @epsilon to learn delta, or both with @find");
  const std::vector<Event> events = events_of(options, options.steps.value_or(1), relation);
  const Bound bound = options.delta ? epsilon_upper(events, relation, *options.delta)
                                    : delta_upper(events, relation, *options.epsilon);
  Json report;
  report["epsilon"] = options.epsilon ? *options.epsilon : bound.value;
  report["delta"] = options.delta ? *options.delta : bound.value;
  // JSON cannot represent infinity.
  if (std::isinf(bound.value)) {
    report["epsilon"] = "infinity";
    report["reason"] = *options.delta == 0
                           ? "noise with Gaussian tails has no epsilon without a delta; give one above 0"
                           : "no epsilon holds at this delta; grant a larger one, or add noise";
  }
  report["accounting"] = name(bound.how);
  return report;
}

Json found(const CostOptions& options, Relation relation) {
  const Target target{need(options.epsilon, "@epsilon", "@find"), options.delta.value_or(0)};
  if (!options.also.empty()) fail_usage("account: @find and @also exclude each other");
  const std::uint64_t steps = options.steps.value_or(1);
  Json report = {{"epsilon", target.epsilon}, {"delta", target.delta}};
  if (options.find == "sigma") {
    report["sigma"] = noise_for(target, relation, [&](double noise) {
      return release_of(options.mechanism, noise, {}, options.rate, relation).times(steps);
    });
  } else if (options.find == "steps") {
    report["steps"] =
        steps_for(target, relation,
                  release_of(options.mechanism, options.sigma, options.epsilon_each, options.rate, relation));
  } else {
    report["rate"] =
        rate_for(target, relation,
                 release_to_sample(options.mechanism, options.sigma, options.epsilon_each, relation), steps);
  }
  return report;
}

// Epsilon against the number of steps, on a logarithmic axis up to the requested number.
void plot_steps(const CostOptions& options, Relation relation) {
  const std::uint64_t last = options.steps.value_or(1000);
  const double delta = need(options.delta, "@delta", "@plot");
  PlotSeries series{fmt::format("delta {:g}", delta), {}};
  std::uint64_t previous = 0;
  for (int i = 0; i <= 40; ++i) {
    const auto steps =
        static_cast<std::uint64_t>(std::llround(std::pow(static_cast<double>(last), i / 40.0)));
    if (steps == previous) continue;
    previous = steps;
    const double epsilon = epsilon_upper(events_of(options, steps, relation), relation, delta).value;
    if (std::isfinite(epsilon)) series.points.emplace_back(static_cast<double>(steps), epsilon);
  }
  write_text(options.plot,
             to_svg({"Cost of " + options.mechanism + " releases", "steps", "epsilon", true, {series}}));
}

}  // namespace

Json cost_of(const CostOptions& options) {
  const Relation relation = relation_of(options.relation);
  if (!options.plot.empty()) plot_steps(options, relation);
  return options.find.empty() ? cost(options, relation) : found(options, relation);
}

void CostOptions::declare(OptionTable& table) {
  table.add("mechanism", mechanism, "Mechanism of each release; pure: any mechanism with pure epsilon")
      .required()
      .one_of({"gaussian", "laplace", "pure"});
  table.add("sigma", sigma,
            "Noise multiplier under the relation: sigma/L2 (gaussian), b/L1 (laplace); with @rate under "
            "replace, a unit contributes at most half of the sensitivity");
  table.add("epsilon-each", epsilon_each,
            "Epsilon of each pure release under the relation; with @rate under replace, half of it for the "
            "presence of a unit");
  table.add("steps", steps, "Number of releases [1]");
  table.add("rate", rate, "Poisson sampling rate of each step [1: no sampling]");
  table.add("also", also, "Another release, such as laplace,sigma=2,rate=0.1,steps=10 (repeatable)")
      .repeats();
  table.add("delta", delta, "Print epsilon at this delta");
  table.add("epsilon", epsilon, "Print delta at this epsilon");
  table.add("find", find, "Find the sigma, steps or rate that meets @epsilon and @delta")
      .one_of({"sigma", "steps", "rate"});
  table.add("relation", relation, "Neighbouring relation: replace, zero-out or add-remove").show_default();
  table.add("plot", plot, "Also plot epsilon against steps to this file (.svg)");
}

}  // namespace tulle
