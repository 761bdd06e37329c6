// The job of `tulle complete` with privacy.
#pragma once

#include <tulle/data/measurement.hpp>
#include <tulle/method/completion.hpp>
#include <tulle/method/method.hpp>
#include <tulle/privacy/curator.hpp>
#include <tulle/privacy/protected.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// The observed cells of a tensor as a private method sees them: values clamped to their range and protected.
// Positions are public, unless the relation says otherwise. The shape is public, except for the size of the
// user mode where users are added or removed: there the public shape has one row, which stands for any user.
//
// Guarantees hold for any list of up to 2^31 cells: what is no number counts as the middle of the range, and
// of a cell that is listed several times only the first value counts, and none for entries under add-remove,
// where the second would take the place of the first. So one entry affects only its own cell, and a refusal
// reveals nothing about the data except that there were more cells.
class PrivateTensor {
 public:
  static constexpr std::uint64_t kMostUsers = std::uint64_t{1} << 27;  // where their number is private

  // A UsageError where float32, which values are kept in, has too few values in the range.
  // `blanked` are entries that contribute nothing although their positions are public: so the neighbour
  // under zero-out looks to a query. For auditors.
  PrivateTensor(SparseTensor observed, const Range& range, const Neighbours& neighbours, int user_mode = 0,
                std::span<const std::size_t> blanked = {});

  const Shape& shape() const { return shape_; }
  // The range in force: of the range that was given, what float32 can hold. Every value lies in it.
  const Range& range() const { return range_; }
  // By how much a neighbour may change the value of a cell: what sensitivities are made of. The range is what
  // values are clamped to.
  double largest_change() const { return range_.width(); }
  // How many users there may be at most, by public facts alone.
  double most_users() const { return most_users_; }
  const Cells& positions() const;  // an Error where positions are private
  const Protected<SparseTensor>& observed() const { return observed_; }

 private:
  // The entries that count, and which of them are blanked.
  PrivateTensor(const Range& in_force, std::pair<SparseTensor, std::vector<std::size_t>> repaired,
                const Neighbours& neighbours, int user_mode);

  Shape shape_;
  double most_users_;
  Range range_;
  bool positions_are_public_;
  std::optional<Cells> with_blanked_;  // positions, where some of them are blanked
  Protected<SparseTensor> observed_;
};

struct PrivateRequest {
  PrivateTensor data;
  Terms terms;
  Relation relation;  // the one that applies
  Settings settings;
  FitOptions fit;
};

// A UsageError where a name for the mode of the users is that of another mode of data without names, or its
// number.
void check_users_name(const std::string& name, int user_mode, int order);

// How the guarantee says that the size of a mode is stated.
std::string size_fact(const std::string& mode);

// A private run before it is charged: checked, and its method picked, from public facts.
class PrivateRun {
 public:
  // Entries that are blanked contribute nothing (zero-out, PrivateTensor).
  PrivateRun(const Method& method, SparseTensor observed, const Terms& terms, const Settings& settings,
             const FitOptions& fit, std::span<const std::size_t> blanked = {});

  // The method that runs, where the one that was asked for picks another; else "".
  std::string picked() const;
  void set_observer(Observer observer) { request_.fit.observer = fit_.observer = std::move(observer); }
  // The curator is one that open_curator() made for these terms.
  Completion run(Curator& curator) const;

 private:
  Completion complete(const Method& chosen, Curator& curator) const;

  const Method& method_;
  PrivateRequest request_;
  MethodChoice choice_;
  std::vector<FitOption>
      unread_;      // options that were given and that the method which was picked does not read
  FitOptions fit_;  // all of it: a measurement does not see what only its estimate needs
};

// The estimate that a run would have made of the same releases with this fit. It costs nothing, and has the
// guarantee of the releases. A UsageError where there is none: then the data must be fitted again.
Completion refit(const Measurement& measured, const FitOptions& fit);

// Runs a method on what was observed. All checks come before anything looks at the data; then `pay`, if there
// is one, is asked to charge a ledger, before the first release.
Completion complete_privately(const Method& method, SparseTensor observed, const Terms& terms,
                              const Settings& settings, const FitOptions& fit,
                              std::function<void(const Curator&)> pay = {});
// The same with a curator that open_curator() made for these terms: an auditor opens it to choose its random
// bits and to watch it, and is refused what the command is refused. Under zero-out the auditor can also name
// entries whose contribution vanishes (PrivateTensor).
Completion complete_privately(const Method& method, SparseTensor observed, const Terms& terms,
                              const Settings& settings, const FitOptions& fit, Curator& curator,
                              std::span<const std::size_t> blanked = {});

}  // namespace tulle

#pragma GCC visibility pop
