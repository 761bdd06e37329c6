// tulle generate: synthetic tensors with a known truth, for experiments.
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/data/links.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/options/common.hpp>

namespace tulle::cli {
namespace {

struct Generate {
  std::string kind, shape = "20x20x20", rank = "3", output, test, truth, side, side_shape;
  std::optional<double> snr;
  double observed = 0.5, noise = 0.1, exponent = 0.8;
  std::size_t cells = 100'000, side_cells = 100'000;
  std::optional<std::uint64_t> seed;
  bool json = false;
};

int single_rank(const Generate& options) {
  const std::vector<int> ranks = parse_ranks(options.rank);
  if (ranks.size() > 1) fail_usage("{} takes one rank, not {}", options.kind, ranks.size());
  return ranks.front();
}

std::vector<Index> core_sizes(const Generate& options, int order) {
  const std::vector<int> ranks = parse_ranks(options.rank);
  std::vector<Index> sizes(ranks.begin(), ranks.end());
  if (sizes.size() == 1) sizes.resize(order, sizes.front());
  if (static_cast<int>(sizes.size()) != order) fail_usage("{} ranks for {} modes", sizes.size(), order);
  return sizes;
}

Synthetic draw(const Generate& options, const Shape& shape, std::uint64_t seed) {
  if (options.kind == "cp") return generate_cp(shape, single_rank(options), seed, options.snr.value_or(1));
  if (options.kind == "tucker")
    return generate_tucker(shape, core_sizes(options, shape.order()), seed, options.snr.value_or(1));
  if (options.kind == "counts") return generate_counts(shape, single_rank(options), seed);
  return generate_tubal(shape, single_rank(options), seed, options.snr.value_or(kNoiseless));
}

// The true values of all unobserved cells, for measuring the error of a completion.
SparseTensor unobserved_truth(const DenseTensor& truth, const Cells& observed) {
  std::vector<bool> seen(truth.size());
  for (std::size_t entry = 0; entry < observed.size(); ++entry)
    seen[truth.shape().offset(observed.cell(entry))] = true;
  SparseTensor test(truth.shape(), Unlisted::missing);
  test.reserve(truth.size() - observed.size());
  std::vector<Index> cell(truth.order());
  for (std::size_t offset = 0; offset < truth.size(); ++offset) {
    if (seen[offset]) continue;
    for (int mode = 0; mode < truth.order(); ++mode)
      cell[mode] = static_cast<Index>(offset / truth.shape().stride(mode) % truth.shape()[mode]);
    test.append(cell, static_cast<float>(truth.values()[offset]));
  }
  return test;
}

SparseTensor generate_dense_kind(const Generate& options, const Shape& shape, std::uint64_t seed) {
  const std::vector<Mode> modes = unnamed_modes(shape.order());
  const Synthetic synthetic = draw(options, shape, seed);
  SparseTensor train = observe(synthetic.noisy, options.observed, seed);
  if (!options.test.empty()) write(options.test, {modes, unobserved_truth(synthetic.truth, train.cells())});
  if (!options.truth.empty()) write(options.truth, {modes, synthetic.truth});
  return train;
}

// The first mode of the side table is the second of the table.
SparseTensor generate_links(const Generate& options, const Shape& shape, std::uint64_t seed) {
  const LinkModel model{.groups = single_rank(options), .exponent = options.exponent};
  const auto named = [](int order, const std::string& name, int shared) {
    std::vector<std::string> modes;
    for (int mode = 0; mode < order; ++mode)
      modes.push_back(mode == shared ? "shared" : fmt::format("{}{}", name, mode));
    return modes;
  };
  if (!options.side.empty()) {
    const Shape side = Shape::parse(options.side_shape);
    if (shape.order() < 2 || side[0] != shape[1])
      fail_usage("@side-shape {}: its first size must be the second of @shape {}", options.side_shape,
                 options.shape);
    write(options.side, {unnamed_modes(side.order()),
                         draw_links(side, named(side.order(), "side", 0), options.side_cells, model, seed)});
  }
  return draw_links(shape, named(shape.order(), "mode", 1), options.cells, model, seed);
}

void run(const Generate& options) {
  if (options.json && options.output == "-")
    fail_usage("@json and the cells would both go to standard output; give -o FILE");
  check_outputs({options.output, options.test, options.truth, options.side}, {});
  const Shape shape = Shape::parse(options.shape);
  const std::uint64_t seed = seed_or_new(options.seed);
  const bool links = options.kind == "links", sparse = links || options.kind == "sparse";
  if (!options.side.empty() && (!links || options.side_shape.empty()))
    fail_usage("@side is for links, and needs @side-shape");
  if (sparse && !(options.test.empty() && options.truth.empty()))
    fail_usage(
        "generate {}: @test and @truth would hold every cell of a large tensor; use tulle complete "
        "@holdout",
        options.kind);
  if (!sparse && !(options.observed > 0 && options.observed <= 1))
    fail_usage("@observed {}: give a fraction above 0, up to 1", options.observed);
  const std::size_t count = [&] {
    const Progress progress("generating");
    SparseTensor data = links    ? generate_links(options, shape, seed)
                        : sparse ? sparse_low_rank(shape, options.cells, single_rank(options), options.noise,
                                                   options.exponent, seed)
                                 : generate_dense_kind(options, shape, seed);
    const std::size_t cells = data.size();
    write(options.output, {unnamed_modes(shape.order()), std::move(data)});
    return cells;
  }();
  if (options.json)
    fmt::print(
        "{}\n",
        json_text(Json({{"kind", options.kind}, {"shape", shape.text()}, {"cells", count}, {"seed", seed}}),
                  2));
  else if (options.output != "-")
    fmt::print("{} {} observed cells of a {} tensor ({}, rank {}, seed {}) in {}\n", bold("Generated"), count,
               shape.text(), options.kind, options.rank, seed, options.output);
}

}  // namespace

void add_generate(Verb& command) {
  auto options = std::make_shared<Generate>();
  Verb verb = command.add_verb("generate", "Generate a synthetic tensor with a known structure");
  verb.add_option("KIND", options->kind,
                  "cp, tucker, tubal, counts: small and dense, then sampled; sparse: large, power-law "
                  "positions; links: ones and zeros, by groups")
      .required()
      .one_of({"cp", "tucker", "tubal", "counts", "sparse", "links"});
  verb.add_option("-o,--output", options->output, "File for the observed, noisy cells").required();
  verb.add_option("--test", options->test, "File for the noise-free values of all other cells");
  verb.add_option("--truth", options->truth, "File for the whole noise-free tensor");
  verb.add_option("--shape", options->shape, "Sizes of the modes").show_default();
  verb.add_option("--rank", options->rank,
                  "Number of components, for tucker also one per mode: 3,3,2; for links the number of groups")
      .show_default();
  verb.add_option("--snr", options->snr,
                  "Variance of the signal over the variance of the noise [cp, tucker: 1; tubal: no noise]");
  verb.add_option("--observed", options->observed, "Fraction of the cells that are observed").show_default();
  verb.add_option("--cells", options->cells, "Number of cells (sparse, links)").show_default();
  verb.add_option("--noise", options->noise, "Standard deviation of the noise (sparse)").show_default();
  verb.add_option("--exponent", options->exponent,
                  "Exponent of the power law of the positions (sparse, links)")
      .show_default();
  verb.add_option("--side", options->side, "File for a second table that shares the second mode (links)");
  verb.add_option("--side-shape", options->side_shape,
                  "Sizes of the second table, the shared mode first (links)");
  verb.add_option("--side-cells", options->side_cells, "Number of cells of the second table (links)")
      .show_default();
  declare_json(verb, options->json);
  verb.add_options([&](OptionTable& table) { declare_seed(table, options->seed); });
  declare_threads(verb);
  verb.footer(
      "Example:\n  tulle generate cp --shape 40x30x20 --rank 3 --snr 10 --seed 1 -o train.tns --test "
      "test.tns");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
