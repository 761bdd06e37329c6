#include <tulle/base/error.hpp>
#include <tulle/base/names.hpp>
#include <tulle/base/spelling.hpp>
#include <tulle/method/completion.hpp>
#include <tulle/method/method.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr Names<FitOption, kAllFitOptions.size()> kFitOptions = {{{FitOption::rank, "rank"},
                                                                  {FitOption::biases, "biases"},
                                                                  {FitOption::solver, "solver"},
                                                                  {FitOption::ridge, "ridge"},
                                                                  {FitOption::start, "start"},
                                                                  {FitOption::ordered, "ordered"},
                                                                  {FitOption::iterations, "iterations"},
                                                                  {FitOption::tolerance, "tolerance"},
                                                                  {FitOption::seed, "seed"}}};

bool is_given(const FitOptions& fit, FitOption option) {
  switch (option) {
    case FitOption::rank:
      return !fit.ranks.empty();
    case FitOption::biases:
      return fit.biases;
    case FitOption::solver:
      return fit.solver.has_value();
    case FitOption::ridge:
      return fit.ridge.has_value();
    case FitOption::start:
      return fit.start.has_value();
    case FitOption::ordered:
      return std::ranges::any_of(
          fit.orders, [](const ModeOrder& order) { return order.kind == ModeOrder::Kind::stated; });
    case FitOption::iterations:
      return fit.max_iterations.has_value();
    case FitOption::tolerance:
      return fit.tolerance.has_value();
    case FitOption::seed:
      return false;
  }
  return false;
}

}  // namespace

std::string_view name(FitOption option) {
  return name_in(kFitOptions, option);
}

std::vector<FitOption> FitOptions::given() const {
  std::vector<FitOption> all;
  std::ranges::copy_if(kAllFitOptions, std::back_inserter(all),
                       [&](FitOption option) { return is_given(*this, option); });
  return all;
}

void FitOptions::leave_open(FitOption option) {
  switch (option) {
    case FitOption::rank:
      ranks.clear();
      break;
    case FitOption::biases:
      biases = false;
      break;
    case FitOption::solver:
      solver.reset();
      break;
    case FitOption::ridge:
      ridge.reset();
      break;
    case FitOption::start:
      start.reset();
      break;
    case FitOption::ordered:
      orders.clear();
      break;
    case FitOption::iterations:
      max_iterations.reset();
      break;
    case FitOption::tolerance:
      tolerance.reset();
      break;
    case FitOption::seed:
      break;
  }
}

bool Method::does_read(FitOption option, Calibration form) const {
  const bool differs = form == Calibration::published && published_reads;
  const std::vector<FitOption>& read = differs ? *published_reads : reads;
  return std::ranges::find(read, option) != read.end();
}

void check_reads(const Method& method, Calibration form, const std::vector<FitOption>& given) {
  for (const FitOption option : given)
    if (!method.does_read(option, form))
      fail_usage("method {}{} does not read {}; omit it", method.name,
                 form == Calibration::published ? " as published" : "", option_name(name(option)));
}

}  // namespace tulle
