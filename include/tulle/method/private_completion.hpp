// The job of `tulle complete` with privacy: what is public about the data, what is promised about the rest.
#pragma once

#include <tulle/method/completion.hpp>
#include <tulle/privacy/curator.hpp>
#include <tulle/privacy/protected.hpp>
#include <tulle/privacy/unit.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace tulle {

// Public bounds of a value. Never taken from the data.
struct Range {
  double low = 0, high = 0;

  double width() const { return high - low; }
  double middle() const { return low + width() / 2; }
  double largest() const { return std::max(std::abs(low), std::abs(high)); }  // absolute value
  double clamp(double value) const { return std::clamp(value, low, high); }
};

enum class Calibration {
  sound,      // the guarantee is proven
  published,  // exactly what the paper prints, for comparison
};

// What is promised, to whom.
struct Terms {
  Budget budget;
  Unit unit = Unit::entry;
  std::optional<Relation> relation;  // empty: the method's own for the unit
  int user_mode = 0;                 // unit user: whose positions are the users
  Range range;
  Calibration calibration = Calibration::sound;
  std::optional<std::uint64_t> seed;  // reproducible and therefore not private
};

// Settings of single methods. A method refuses those it does not know.
struct Tuning {
  std::string noise;                    // laplace, staircase, discrete-laplace, gaussian, ..
  std::optional<int> entries_per_user;  // at most so many entries of a user count
  std::optional<int> steps;             // releases of an iterative method
  std::optional<double> sampling_rate;  // probability that a unit joins a step
  std::optional<double> clip;           // largest norm of what one unit adds
  std::optional<double> clip_quantile;  // or: the part of the units that it leaves whole
  std::optional<double> learning_rate;
};

// The observed cells of a tensor as a private method sees them: values clamped to their range and protected.
// The shape is public. Positions are, unless the relation says otherwise.
class PrivateTensor {
 public:
  // `blanked` are entries that contribute nothing although their positions are public: so the neighbour
  // under zero-out looks to a query. For auditors.
  PrivateTensor(SparseTensor observed, const Range& range, Relation relation,
                std::span<const std::size_t> blanked = {});

  const Shape& shape() const { return shape_; }
  const Cells& positions() const;  // an Error where positions are private
  const Protected<SparseTensor>& observed() const { return observed_; }

 private:
  Shape shape_;
  std::optional<Cells> positions_;
  Protected<SparseTensor> observed_;
};

struct PrivateRequest {
  PrivateTensor data;
  Terms terms;
  Relation relation;  // the one that applies
  Tuning tuning;
  FitOptions fit;
};

struct Method;

// The curator of a run on these terms, before anything is released.
Curator open_curator(const Method& method, const Terms& terms, RandomBits bits);

// Runs a method on what was observed. All checks come before anything looks at the data; then `pay`, if there
// is one, is asked to charge a ledger, before the first release.
Completion complete_privately(const Method& method, SparseTensor observed, const Terms& terms,
                              const Tuning& tuning, const FitOptions& fit,
                              std::function<void(const Curator&)> pay = {});
// The same with a curator that open_curator() made for these terms: an auditor opens it to choose its random
// bits and to watch it, and is refused what the command is refused. Under zero-out the auditor can also name
// entries whose contribution vanishes (PrivateTensor).
Completion complete_privately(const Method& method, SparseTensor observed, const Terms& terms,
                              const Tuning& tuning, const FitOptions& fit, Curator& curator,
                              std::span<const std::size_t> blanked = {});

}  // namespace tulle
