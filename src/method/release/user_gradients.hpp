// Sums of users' clipped gradients of the parameters that all users share.
//
// Joint privacy: a user fits her own row to her own cells and what was released so far, and adds a clipped
// gradient of the shared parameters. Her row affects the sum only through that gradient. Where there are
// several relations, it is one gradient, of her cells in all of them, that is clipped.
#pragma once

#include "coupled_layout.hpp"
#include "release/clipped_steps.hpp"

#include <tulle/method/private_completion.hpp>
#include <tulle/solve/device.hpp>

namespace tulle {

class UserGradients {
 public:
  // `standards`: one per relation.
  UserGradients(const PrivateRequest& request, CoupledLayout layout, std::vector<Standard> standards);

  // `parameters` in the layout of the entities, `ridge` of the users' own rows. What is released is in the
  // layout too, with zeros for the users' rows, and the count of whole gradients, if there is one, last.
  Noisy release(const ClippedSteps& steps, Curator& curator, std::span<const double> parameters, double ridge,
                double clip) const;

  // The parameters with every user's own row, as a model.
  Protected<Model> with_own_rows(const std::vector<double>& parameters, double ridge) const;
  // The same, with the site's own rows fitted to its data too, in turn with those of its users. This is no
  // release, and does not protect users of the site from each other.
  Protected<Model> with_local_rows(const std::vector<double>& parameters, double ridge,
                                   const std::vector<Coupling::Local>& local) const;

 private:
  const Device& device_;
  int user_mode_;
  Protected<SparseTensor> observed_;
  CoupledLayout layout_;
  std::vector<Standard> standards_;
  std::ptrdiff_t first_, own_;  // where users' rows are in the layout
  std::size_t shared_;          // parameters
  Protected<std::unique_ptr<ClippedSlices>> gradients_;
  Protected<std::uint64_t> count_;
};

}  // namespace tulle
