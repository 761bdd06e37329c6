// tulle count, query, synthesize: private counts of events, sums of them, and synthetic events.
#include "charging.hpp"
#include "dry_run.hpp"
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/counts/query.hpp>
#include <tulle/job/counts/request.hpp>
#include <tulle/job/counts/synthesize.hpp>
#include <tulle/job/write_page.hpp>

namespace tulle::cli {
namespace {

struct Count {
  CountOptions asked;
  bool json = false, dry_run = false;
};

struct Query {
  QueryOptions asked;
  bool json = false;
};

void print_report(const CountOptions& options, const CountsFound& found) {
  const Counts& model = found.outcome.model;
  const Estimated events = model.sum(Block(static_cast<std::size_t>(model.shape().order())));
  fmt::print("{} about {:.0f} events (standard deviation {:.3g}) in {} cells with {}\n", bold("Counted"),
             events.mean, events.stddev, model.shape().text(), options.method);
  for (const std::string& remark : found.outcome.remarks) fmt::print("{}\n", remark);
  fmt::print("{} {:.2f} s ({})\n", bold("Time:"), found.seconds, kForTheOwner);
  for (const std::string& note : found.owner_notes)
    fmt::print("{} {} ({})\n", bold("Note:"), note, kForTheOwner);
  fmt::print("{} {}\n", bold("Guarantee:"), sentence(found.outcome.guarantee));
  if (!options.output.empty()) fmt::print("{} {}\n", bold("Model:"), options.output);
  if (options.page.wanted()) fmt::print("{} {}\n", bold("Report:"), options.page.path);
}

void run(const Count& options) {
  const CountOptions& asked = options.asked;
  CountsRequest request = [&] {
    const Progress progress("reading");
    return CountsRequest(asked);
  }();
  if (options.dry_run) return print_plan(request.plan(), options.json);
  const CountsFound found = [&] {
    const Progress progress("counting");
    return request.run(on_terminal({}));
  }();
  write_outputs(asked.ledger.account, [&] {
    if (!asked.output.empty()) save(asked.output, request.model(found));
    write_page(asked.page, "Privacy report: counts", report_of(request.job(), found),
               drawings_of(request.model(found)), request.payment());
    request.payment().delivered();
  });
  if (options.json) return print_json(report_of(request.job(), found), request.payment());
  print_report(asked, found);
  print_balance(request.payment());
}

void print_sums(const CountSums& sums, double probability) {
  for (const CountSums::Line& line : sums.lines) {
    for (std::size_t mode = 0; mode < sums.modes.size(); ++mode)
      fmt::print("{} {}  ", legible(sums.modes[mode].name), legible(line.positions[mode]));
    fmt::print("{:.1f} ({:.0f} %: {:.1f} to {:.1f})\n", line.count.mean, 100 * probability, line.low,
               line.high);
  }
}

void write_margins_of(const Query& options) {
  if (options.json) fail_usage("--margins writes a table; omit --json");
  const std::size_t margins = save_margins(options.asked);
  fmt::print("{} {} noisy margins: {}\n", bold("Wrote"), margins, options.asked.margins);
}

void run(const Query& options) {
  if (!options.asked.margins.empty()) return write_margins_of(options);
  const CountSums sums = query(options.asked);
  if (!options.asked.output.empty()) save(options.asked.output, sums);
  if (options.json)
    fmt::print("{}\n", json_text(to_json(sums), 2));
  else if (options.asked.output.empty())
    print_sums(sums, options.asked.probability);
}

}  // namespace

void add_count(Verb& command) {
  auto options = std::make_shared<Count>();
  Verb verb = command.add_verb("count", "Count events by cell, with privacy for single events or users");
  verb.add_options([&](OptionTable& table) { options->asked.declare(table); },
                   {{"input", "INPUT"}, {"output", "-o,--output"}});
  declare_dry_run(verb, options->dry_run);
  declare_json(verb, options->json);
  verb.footer(
      "Example:\n  tulle count trips.csv --columns from,to,hour --public from=stations.txt --public "
      "to=stations.txt --public hour --epsilon 1 -o trips.npz");
  verb.callback([options] { run(*options); });
}

void add_query(Verb& command) {
  auto options = std::make_shared<Query>();
  Verb verb = command.add_verb("query", "Sums of the counts of a model, with intervals, at no cost");
  verb.add_options([&](OptionTable& table) { options->asked.declare(table); },
                   {{"model", "MODEL"}, {"output", "-o,--output"}});
  declare_json(verb, options->json);
  verb.footer("Example:\n  tulle query trips.npz --sum-over hour --where from=12 --where hour=7:9");
  verb.callback([options] { run(*options); });
}

void add_synthesize(Verb& command) {
  auto options = std::make_shared<SynthesizeOptions>();
  Verb verb = command.add_verb("synthesize", "Synthetic events with the counts of a model, at no cost");
  verb.add_options([&](OptionTable& table) { options->declare(table); },
                   {{"model", "MODEL"}, {"output", "-o,--output"}});
  verb.footer("Example:\n  tulle synthesize trips.npz -o rows.csv --seed 1");
  verb.callback([options] {
    const Progress progress("drawing");
    write(options->output, synthesize(*options));
  });
}

}  // namespace tulle::cli
