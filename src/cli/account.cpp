// tulle account: what releases would cost, or what noise, number or rate a target allows. Looks at no data.
#include "options.hpp"
#include "terminal.hpp"
#include "verb.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/write.hpp>
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/calibrate.hpp>
#include <tulle/report/plot.hpp>

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>

namespace tulle::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Account {
  std::string mechanism, relation = "add-remove", find, plot;
  std::optional<double> sigma, epsilon_each, rate, epsilon, delta;
  std::optional<std::uint64_t> steps;
  std::vector<std::string> also;
  bool json = false;
};

double need(const std::optional<double>& value, std::string_view option, std::string_view mechanism) {
  if (!value) fail_usage("account {}: give {}", mechanism, option);
  return *value;
}

Event release_of(const std::string& mechanism, const std::optional<double>& sigma,
                 const std::optional<double>& epsilon_each) {
  if (mechanism == "gaussian") return Event::gaussian(need(sigma, "--sigma", mechanism));
  if (mechanism == "laplace") return Event::laplace(need(sigma, "--sigma", mechanism));
  return Event::pure(need(epsilon_each, "--epsilon-each", mechanism));
}

Event refined(Event event, const std::optional<double>& rate, std::uint64_t steps) {
  if (rate && *rate < 1) event = event.sampled(PoissonSampling::what_if(*rate));
  return event.times(steps);
}

double number_in(std::string_view text, const std::string& whole) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size())
    fail_usage("--also {}: '{}' is not a number", whole, text);
  return value;
}

// "laplace,sigma=2,rate=0.1,steps=10"
Event parse_release(const std::string& text) {
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
      fail_usage("--also {}: there is no '{}'; there is sigma, epsilon, rate, steps", text, key);
  }
  if (mechanism != "gaussian" && mechanism != "laplace" && mechanism != "pure")
    fail_usage("--also {}: begin with gaussian, laplace or pure", text);
  if (!(steps >= 1) || steps != std::floor(steps))
    fail_usage("--also {}: steps is a whole number from 1", text);
  return refined(release_of(mechanism, sigma, epsilon_each), rate, static_cast<std::uint64_t>(steps));
}

std::vector<Event> events_of(const Account& options, std::uint64_t steps) {
  std::vector<Event> events = {
      refined(release_of(options.mechanism, options.sigma, options.epsilon_each), options.rate, steps)};
  for (const std::string& text : options.also) events.push_back(parse_release(text));
  return events;
}

Json cost(const Account& options, Relation relation) {
  if (options.epsilon.has_value() == options.delta.has_value())
    fail_usage("account: give --delta to learn epsilon, --epsilon to learn delta, or both with --find");
  const std::vector<Event> events = events_of(options, options.steps.value_or(1));
  const Bound bound = options.delta ? epsilon_upper(events, relation, *options.delta)
                                    : delta_upper(events, relation, *options.epsilon);
  Json report;
  report["epsilon"] = options.delta ? bound.value : *options.epsilon;
  report["delta"] = options.delta ? *options.delta : bound.value;
  report["accounting"] = name(bound.how);
  return report;
}

Json found(const Account& options, Relation relation) {
  const Target target{need(options.epsilon, "--epsilon", "--find"), options.delta.value_or(0)};
  if (!options.also.empty()) fail_usage("account: --find and --also exclude each other");
  const std::uint64_t steps = options.steps.value_or(1);
  Json report = {{"epsilon", target.epsilon}, {"delta", target.delta}};
  if (options.find == "sigma") {
    report["sigma"] = noise_for(target, relation, [&](double noise) {
      return refined(release_of(options.mechanism, noise, {}), options.rate, steps);
    });
  } else if (options.find == "steps") {
    report["steps"] = steps_for(
        target, relation,
        refined(release_of(options.mechanism, options.sigma, options.epsilon_each), options.rate, 1));
  } else {
    report["rate"] =
        rate_for(target, relation, release_of(options.mechanism, options.sigma, options.epsilon_each), steps);
  }
  return report;
}

// Epsilon against the number of steps, on a logarithmic axis up to the number that was asked about.
void plot_steps(const Account& options, Relation relation) {
  const std::uint64_t last = options.steps.value_or(1000);
  const double delta = need(options.delta, "--delta", "--plot");
  PlotSeries series{fmt::format("delta {:g}", delta), {}};
  std::uint64_t previous = 0;
  for (int i = 0; i <= 40; ++i) {
    const auto steps =
        static_cast<std::uint64_t>(std::llround(std::pow(static_cast<double>(last), i / 40.0)));
    if (steps == previous) continue;
    previous = steps;
    series.points.emplace_back(static_cast<double>(steps),
                               epsilon_upper(events_of(options, steps), relation, delta).value);
  }
  write_text(options.plot,
             to_svg({"Cost of " + options.mechanism + " releases", "steps", "epsilon", true, {series}}));
}

void run(const Account& options) {
  const Relation relation = relation_of(options.relation);
  if (!options.plot.empty()) plot_steps(options, relation);
  const Json report = options.find.empty() ? cost(options, relation) : found(options, relation);
  if (options.json) {
    fmt::print("{}\n", report.dump(2));
    return;
  }
  for (const auto& [key, value] : report.items())
    fmt::print("{:<11}{}\n", key,
               value.is_number_float() ? fmt::format("{:.7g}", value.get<double>())
               : value.is_string()     ? value.get<std::string>()
                                       : value.dump());
}

}  // namespace

void add_account(CLI::App& command) {
  auto options = std::make_shared<Account>();
  CLI::App& verb =
      *command.add_subcommand("account", "Say what releases would cost, or what a target allows");
  verb.add_option("MECHANISM", options->mechanism, "gaussian, laplace or pure")
      ->required()
      ->check(CLI::IsMember({"gaussian", "laplace", "pure"}));
  verb.add_option("--sigma", options->sigma,
                  "Noise over sensitivity: sigma/L2 of a Gaussian, b/L1 of a Laplace");
  verb.add_option("--epsilon-each", options->epsilon_each, "pure: epsilon of each release");
  verb.add_option("--steps", options->steps, "How often [1]");
  verb.add_option("--rate", options->rate, "Poisson sampling rate of each step [1: no sampling]");
  verb.add_option("--also", options->also,
                  "A further release: laplace,sigma=2,rate=0.1,steps=10 (repeatable)");
  verb.add_option("--delta", options->delta, "Answer with epsilon at this delta");
  verb.add_option("--epsilon", options->epsilon, "Answer with delta at this epsilon");
  verb.add_option("--find", options->find, "The sigma, steps or rate that meets --epsilon and --delta")
      ->check(CLI::IsMember({"sigma", "steps", "rate"}));
  verb.add_option("--relation", options->relation, "replace, zero-out or add-remove")->capture_default_str();
  verb.add_option("--plot", options->plot, "Also write epsilon against steps to this .svg");
  declare_json(verb, options->json);
  verb.footer("Example:\n  tulle account gaussian --sigma 1.1 --rate 0.00427 --steps 14062 --delta 1e-5");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
