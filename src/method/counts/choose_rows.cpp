// Before anything is released, logs are likely whose numbers of users by bin fall geometrically on either
// side of the largest, slowly or fast, and end somewhere: activity of people is about double Pareto, where
// rows are counted in powers. How many users there are, which bin has most, where the last is and how fast
// numbers fall are unknown over their whole range, each choice as likely as the others. A bin of a log is as
// far from the number that the prior gives it as that is large.
#include "choose_rows.hpp"

#include "table_shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

constexpr std::array kFalls = {0.5, 1.0, 3.0};                         // bins along which numbers fall to 1/e
constexpr double kFewestUsers = 10, kMostUsers = 1e7, kFactor = 1.78;  // four numbers per power of ten
constexpr std::size_t kDrawn = 48;                                     // logs over which the mean is taken

// Users of bin k have about 3/4 of the most rows of that bin.
double rows_in_bin(std::size_t bin) {
  return bin < 2 ? std::exp2(bin) : 0.75 * std::exp2(bin);
}

// How likely the noisy numbers are, up to a factor; a bin departs from its expected number, and by noise.
double log_likelihood(const UsersByRows& expected, const Release& users) {
  double sum = 0;
  for (std::size_t bin = 0; bin < kRowBins; ++bin) {
    const double scale = std::sqrt((users.deviation * users.deviation + expected[bin] * expected[bin]) / 2);
    sum -= std::log(scale) + std::abs(users.values[bin] - expected[bin]) / scale;
  }
  return sum;
}

struct Weighed {
  UsersByRows users;
  double weight;
};

void add_logs_of(const UsersByRows& shares, const Release& users, std::vector<Weighed>& logs) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double number = kFewestUsers; number <= kMostUsers; number *= kFactor) {
    Weighed log{shares, 0};
    for (double& bin : log.users) bin *= number / sum;
    log.weight = log_likelihood(log.users, users);
    logs.push_back(log);
  }
}

std::vector<Weighed> likely_logs(const Release& users) {
  std::vector<Weighed> logs;
  for (std::size_t mode = 0; mode < kRowBins; ++mode)
    for (const double rise : kFalls)
      for (const double fall : kFalls) {
        UsersByRows shares{};
        for (std::size_t bin = 0; bin < kRowBins; ++bin) {
          const double away = static_cast<double>(bin) - static_cast<double>(mode);
          shares[bin] = std::exp(away < 0 ? away / rise : -away / fall);
        }
        for (std::size_t last = kRowBins; last-- > mode;) {
          add_logs_of(shares, users, logs);
          shares[last] = 0;
        }
      }
  const double most = std::ranges::max_element(logs, {}, &Weighed::weight)->weight;
  for (Weighed& log : logs) log.weight = std::exp(log.weight - most);
  return logs;
}

// The posterior mean of the bins of a log, given about how many users each has.
UsersByRows shrunk(UsersByRows expected, const Release& users) {
  const double noise = users.deviation * users.deviation;
  for (std::size_t bin = 0; bin < kRowBins; ++bin) {
    const double variance = expected[bin] * expected[bin];
    expected[bin] =
        std::max(0.0, expected[bin] + variance / (variance + noise) * (users.values[bin] - expected[bin]));
  }
  return expected;
}

// Systematic sampling of the posterior.
std::vector<Weighed> posterior_logs(const Release& users) {
  const std::vector<Weighed> logs = likely_logs(users);
  double whole = 0, passed = 0;
  for (const Weighed& log : logs) whole += log.weight;
  std::vector<Weighed> drawn;
  std::size_t taken = 0;
  for (const Weighed& log : logs) {
    passed += log.weight / whole * kDrawn;
    const auto upto = std::min(kDrawn, static_cast<std::size_t>(passed + 0.5));
    if (upto > taken) drawn.push_back({shrunk(log.users, users), static_cast<double>(upto - taken) / kDrawn});
    taken = std::max(taken, upto);
  }
  return drawn;
}

LogOfRows cut_at(const Weighed& log, double limit) {
  LogOfRows cut{.weight = log.weight};
  for (std::size_t bin = 0; bin < kRowBins; ++bin) {
    cut.rows += log.users[bin] * rows_in_bin(bin);
    cut.lost += log.users[bin] * std::max(0.0, rows_in_bin(bin) - limit);
  }
  return cut;
}

}  // namespace

std::uint64_t choose_rows_per_user(const Shape& shape, double epsilon, const Release& users) {
  const std::vector<Weighed> logs = posterior_logs(users);
  std::uint64_t best = 1;
  double least = HUGE_VAL;
  for (std::uint64_t limit = 1; limit < std::uint64_t{1} << kRowBins; limit *= 2) {
    std::vector<LogOfRows> cut;
    for (const Weighed& log : logs) cut.push_back(cut_at(log, static_cast<double>(limit)));
    const double error = expected_error(shape, {Loss::pure, epsilon / static_cast<double>(limit)}, cut);
    if (error < least) least = error, best = limit;
  }
  return best;
}

}  // namespace tulle
