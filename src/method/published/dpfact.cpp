// DPFact (Ma, Zhang, Lou, Ho, Xiong and Jiang 2019), which wang2021 compares with. What is here follows that
// paper's outline as wang2021 and its abstract describe it, not its code:
// - the users (mode 1 unless another is named) are spread over sites; a site sees its own users' cells;
// - every site has factors of its own; in an epoch it makes one pass of gradient descent over its cells, and
//   moves its shared factors towards the server's by elastic averaging (Zhang, Choromanska and LeCun 2015) of
//   strength kElastic;
// - it sends its shared factors to the server, with noise N(0, Delta^2 / (2 rho)), Delta = 2 tau L eta
//   for one pass (tau = 1), L the longest gradient it has seen, and rho = epsilon^2 / (4 ln(1/delta)) spread
//   over all epochs and shared factors; sites hold different users, which the authors count once (parallel
//   composition);
// - the server moves towards the mean of what it gets;
// - users' rows never leave their site.
// Omitted: the L2,1 penalty that lets a site drop components.
#include "crafted.hpp"
#include "methods.hpp"
#include "published_sgd.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>

#include <cmath>

namespace tulle {
namespace {

constexpr std::size_t kSites = 5;
constexpr int kEpochs = 50;
constexpr double kElastic = 0.2;
constexpr double kRate = 0.01;
constexpr double kRidge = 0.01;

struct Epochs {
  int epochs;
  double rate;
  int mode;
};

Epochs epochs_of(const PrivateRequest& request) {
  if (request.terms.budget.delta == 0) fail_usage("method dpfact needs a delta above 0");
  return {request.settings.get(setting::steps).value_or(kEpochs),
          request.settings.get(setting::learning_rate).value_or(kRate), request.terms.user_mode};
}

// The cells of the users of one site: user u belongs to site u mod sites.
SparseTensor cells_of_site(const SparseTensor& observed, int mode, std::size_t site, std::size_t sites) {
  std::vector<std::size_t> entries;
  for (std::size_t entry = 0; entry < observed.size(); ++entry)
    if (observed.column(mode)[entry] % sites == site) entries.push_back(entry);
  return observed.select(entries);
}

// One pass of a site over its own cells; then its shared factors move towards the server's.
PublishedSgd after_pass(PublishedSgd fit, const Epochs& settings, const ModelLayout& layout,
                        const std::vector<double>& server) {
  fit.pass(settings.rate);
  for (int mode = 0; mode < layout.order(); ++mode)
    if (mode != settings.mode)
      for (std::size_t i = layout.start(mode); i < layout.start(mode) + layout.factor_size(mode); ++i)
        fit.numbers()[i] += kElastic * (server[i] - fit.numbers()[i]);
  return fit;
}

Completion complete_as_described(const PrivateRequest& request, Curator& curator) {
  const Epochs settings = epochs_of(request);
  const ModelLayout layout = layout_of(request);
  const Standard standard{0, request.data.range().largest()};
  const std::size_t sites = std::min<std::size_t>(kSites, layout.shape()[settings.mode]);
  const Budget& budget = request.terms.budget;
  const double rho = budget.epsilon * budget.epsilon / (4 * std::log(1 / budget.delta)) /
                     (settings.epochs * (layout.order() - 1));
  curator.set_joint();
  std::vector<Protected<PublishedSgd>> site_fits;
  for (std::size_t site = 0; site < sites; ++site)
    site_fits.push_back(request.data.observed().map([&](const SparseTensor& observed) {
      return PublishedSgd(cells_of_site(observed, settings.mode, site, sites), layout, standard,
                          {.weight = 0.5, .ridge = kRidge}, request.fit.seed);
    }));
  std::vector<double> server =
      released_without_noise(site_fits[0]).numbers();  // the start: drawn, the same for all
  for (int epoch = 0; epoch < settings.epochs; ++epoch) {
    std::vector<double> towards(layout.size());
    for (Protected<PublishedSgd>& fit : site_fits) {
      fit = fit.map([&](PublishedSgd copy) { return after_pass(std::move(copy), settings, layout, server); });
      for (int mode = 0; mode < layout.order(); ++mode) {
        if (mode == settings.mode) continue;
        const double lipschitz = released_without_noise(fit).longest_gradient(mode);
        const std::size_t start = layout.start(mode), size = layout.factor_size(mode);
        const Noisy factor = curator.release(
            fit,
            AdditiveNoise::gaussian(Sensitivity::l2(std::max(2 * lipschitz * settings.rate, 1e-12),
                                                    request.terms.unit, request.relation),
                                    1 / std::sqrt(2 * rho), size),
            fmt::format("a site's factor of mode {}", mode + 1), [&](const PublishedSgd& fitted) {
              const auto begin = fitted.numbers().begin() + static_cast<std::ptrdiff_t>(start);
              return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(size));
            });
        for (std::size_t i = 0; i < size; ++i)
          towards[start + i] += (factor.values[i] - server[start + i]) / static_cast<double>(sites);
      }
    }
    for (std::size_t i = 0; i < server.size(); ++i) server[i] += towards[i];
  }
  // Users' rows come from their sites.
  const std::size_t columns = layout.columns(settings.mode);
  std::vector<double> whole = server;
  for (std::size_t user = 0; user < layout.shape()[settings.mode]; ++user) {
    const auto row = static_cast<std::ptrdiff_t>(layout.row(settings.mode, user));
    const std::vector<double>& own = released_without_noise(site_fits[user % sites]).numbers();
    std::copy_n(own.begin() + row, columns, whole.begin() + row);
    std::fill_n(server.begin() + row, columns, 0.0);
  }
  return {.model = to_model(layout, server, standard.level, standard.scale),
          .solver = "elastic averaging",
          .with_user_rows = Protected<Model>(to_model(layout, whole, standard.level, standard.scale)),
          .remarks = {fmt::format("{} sites, {} epochs.", sites, settings.epochs)}};
}

}  // namespace

Method dpfact_method() {
  return {
      .name = "dpfact",
      .title = "several sites that share noisy factors",
      .source = "Ma et al. 2019, as described by wang2021",
      .guarantee = "none is proven",
      .details =
          "Model cp. Published form only: sites fit their own users' cells by gradient descent and share the "
          "other factors, with noise, through a server that averages them.",
      .models = {ModelKind::cp},
      .protects = {{Unit::entry, Relation::replace}},
      .settings = {takes(setting::steps, fmt::format("{}", kEpochs), {.least = 1}),
                   takes(setting::learning_rate, fmt::format("{}", kRate), {.above = 0})},
      .reads = {FitOption::rank},
      .published = complete_as_described,
      .why_unproven =
          "the bound on how far a site's factors move is for convex losses and a constant measured on the "
          "data, and users' rows, which follow the data without noise, carry it from epoch to epoch",
      .instead = "method gradient, which protects users",
      .worst_cases = {{.data = value_among_others(),
                       .calibration = Calibration::published,
                       .delta = kCraftedDelta,
                       .settings = Settings().set(setting::steps, 2)}}};
}

}  // namespace tulle
