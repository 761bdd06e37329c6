// The number of cells and their mean, which a method needs before it optimises a model by steps. At most
// `entries_per_user` cells of each user count; where she is in several relations, over all of them, the first
// ones first.
#pragma once

#include <tulle/base/sum_grid.hpp>
#include <tulle/method/private_completion.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tulle {

struct CountAndMean {
  struct OfRelation {
    double cells = 0, mean = 0;
  };
  std::vector<OfRelation> relations;  // one where the tensor is of one

  double cells = 0;  // of all relations; public where positions are
  double users = 0;  // unit user: how many there are, or about how many where that is private
  double mean = 0;   // of the first; posterior mean: shrunk to the middle of the range by its noise
};

class CountAndMeanRelease {
 public:
  // How many releases there are.
  static std::uint64_t releases(const PrivateRequest& request);

  // Each release is made with Gaussian noise of this multiplier.
  CountAndMeanRelease(const PrivateRequest& request, double noise_multiplier, int entries_per_user);

  CountAndMean release(Curator& curator) const;

 private:
  bool counts() const { return request_.relation == Relation::add_remove; }
  bool users() const { return request_.terms.unit == Unit::user; }
  Noisy release_vector(Curator& curator, double sensitivity, std::size_t coordinates, std::string what,
                       const std::function<std::vector<double>(const SparseTensor&)>& query) const;
  std::vector<double> released_counts(Curator& curator) const;
  double released_users(Curator& curator) const;
  double shrunk_mean(double sum, double weight, double deviation) const;
  // User by user, relation by relation.
  std::vector<double> cells_by_user(const Cells& cells) const;
  // The number of each user's cells that count.
  std::vector<double> that_count(std::vector<double> cells_by_user) const;
  std::vector<double> counted(const std::vector<double>& cells_by_user) const;
  std::vector<double> sums(const SparseTensor& observed) const;
  std::size_t relation_of(const Cells& cells, std::size_t entry) const {
    return relation_mode_ < 0 ? 0 : cells(entry, relation_mode_);
  }

  const PrivateRequest& request_;
  double multiplier_;
  double most_;   // entries of a unit
  SumGrid grid_;  // of the sum of values
  std::size_t relations_ = 1;
  int relation_mode_ = -1;
};

}  // namespace tulle
