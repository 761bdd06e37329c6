// The number of cells and their mean, which a method needs before it optimises a model by steps. At most
// `entries_per_user` cells of each user count.
#pragma once

#include <tulle/base/sum_grid.hpp>
#include <tulle/method/private_completion.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tulle {

struct CountAndMean {
  double cells = 0;  // public where positions are
  double users = 0;  // unit user: how many there are, or about how many where that is private
  double mean = 0;   // posterior mean: shrunk to the middle of the range by its noise
};

class CountAndMeanRelease {
 public:
  // How many values are released.
  static std::uint64_t releases(const PrivateRequest& request);

  // Each value is released with Gaussian noise of this multiplier.
  CountAndMeanRelease(const PrivateRequest& request, double noise_multiplier, int entries_per_user);

  CountAndMean release(Curator& curator) const;

 private:
  bool counts() const { return request_.relation == Relation::add_remove; }
  bool users() const { return request_.terms.unit == Unit::user; }
  Noisy release_one(Curator& curator, double sensitivity, std::string what,
                    const std::function<double(const SparseTensor&)>& query) const;
  double released_users(Curator& curator) const;
  std::vector<double> cells_by_user(const Cells& cells) const;
  double counted(const std::vector<double>& cells_by_user) const;
  double sum(const SparseTensor& observed) const;

  const PrivateRequest& request_;
  double multiplier_;
  double most_;   // entries of a unit
  SumGrid grid_;  // of the sum of values
};

}  // namespace tulle
