// Effects on a grid, some of whose axes have an order: smoothed as far as the effects themselves ask for it.
#pragma once

#include "axes.hpp"
#include "estimate/seen_effects.hpp"

#include <span>
#include <vector>

namespace tulle {

// What smoothing finds: effects everywhere on the grid, and how probable it is that neighbours are alike
// along some axis (`smooth`), and along each.
struct SmoothedGrid {
  std::vector<double> effects;
  double smooth = 0;
  std::vector<double> along;
};

class OrderedGrid {
 public:
  // `without_margins`: the effects have no part that is constant along all axes of a mode.
  OrderedGrid(std::vector<ModeAxes> modes, bool without_margins);
  OrderedGrid(const OrderedGrid&) = delete;  // it points to its own axes
  OrderedGrid& operator=(const OrderedGrid&) = delete;

  std::size_t size() const { return size_; }
  // The place on the grid of a group at these positions of the modes.
  std::size_t place(std::span<const Index> positions) const;

  // The posterior mean of effects that are seen at places, each once at most, under priors whose covariance
  // is that of a Gaussian field with a length along every axis, plus independent effects; averaged by their
  // evidence, with an even prior of whether neighbours are alike at all. `independent`: their posterior
  // means if not.
  SmoothedGrid smooth(std::span<const std::size_t> places, std::span<const SeenEffect> seen,
                      std::span<const double> independent, double most) const;

 private:
  // Waves that are about as rough along every axis.
  struct Bin {
    double waves = 0, square = 0, gain = 0;
  };
  struct AxisBins {
    std::vector<std::size_t> of;  // wave
    std::vector<double> roughness;
  };
  struct Alternative;

  void transform(Vector& grid, bool back) const;
  std::size_t lengths(std::size_t axis) const;
  template <class Visit>
  void for_each_wave(Visit&& visit) const;  // that may have a variance: its number and its bin
  SmoothedGrid posterior(Vector noisy, double variance, double most) const;

  std::vector<ModeAxes> modes_;
  std::vector<const OrderedAxis*> axes_;
  std::vector<std::vector<std::size_t>> axes_of_mode_;
  std::vector<AxisBins> bins_;
  std::size_t size_ = 1, all_bins_ = 1;
  std::vector<std::uint32_t> bin_of_wave_;
};

}  // namespace tulle
