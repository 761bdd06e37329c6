#include "check.hpp"

#include <tulle/model/tubal.hpp>
#include <tulle/tensor/tubal/spectrum.hpp>

namespace tulle {
namespace {

// U * S and V, transformed: slice k of the model is scaled(k) v(k)^H.
struct Transformed {
  explicit Transformed(const Tubal& model) : scaled(model.u), v(model.v) {
    const Shape one_row = model.u.shape().with(0, 1);
    const Spectrum s(DenseTensor(one_row, {model.s.values().begin(), model.s.values().end()}));
    for (std::size_t slice = 0; slice < s.slices(); ++slice)
      if (s.is_real(slice)) {
        scaled.real(slice).array().rowwise() *= s.real(slice).row(0).array();
      } else {
        scaled.complex(slice).array().rowwise() *= s.complex(slice).row(0).array();
      }
  }

  Spectrum scaled, v;
};

DenseTensor reconstruct_interaction(const Tubal& model) {
  const Transformed factors(model);
  Spectrum product(model.shape());
#pragma omp parallel for schedule(dynamic)
  for (std::size_t slice = 0; slice < product.slices(); ++slice)
    if (product.is_real(slice)) {
      product.real(slice).noalias() = factors.scaled.real(slice) * factors.v.real(slice).transpose();
    } else {
      product.complex(slice).noalias() = factors.scaled.complex(slice) * factors.v.complex(slice).adjoint();
    }
  return product.inverse();
}

// The cells ordered by tube: entries first[t] .. first[t + 1] of `entries` are in tube t.
struct CellsByTube {
  CellsByTube(const Shape& model, const Cells& cells) : entries(cells.size()) {
    std::vector<std::uint64_t> tube(cells.size());
    for (std::size_t entry = 0; entry < cells.size(); ++entry)
      tube[entry] = std::uint64_t{cells(entry, 0)} * model[1] + cells(entry, 1);
    std::iota(entries.begin(), entries.end(), std::size_t{0});
    std::sort(entries.begin(), entries.end(),
              [&](std::size_t a, std::size_t b) { return std::pair(tube[a], a) < std::pair(tube[b], b); });
    for (std::size_t place = 0; place < entries.size(); ++place)
      if (place == 0 || tube[entries[place]] != tube[entries[place - 1]]) first.push_back(place);
    tubes = first.size();
    first.push_back(entries.size());
  }

  std::vector<std::size_t> entries, first;
  std::size_t tubes = 0;
};

// The values of tubes begin .. end-1, as an (end - begin) x 1 x n3 .. tensor.
DenseTensor tubes_of(const Transformed& factors, const Cells& cells, const CellsByTube& order,
                     std::size_t begin, std::size_t end) {
  Spectrum tubes(factors.scaled.shape().with(0, end - begin).with(1, 1));
  for (std::size_t slice = 0; slice < tubes.slices(); ++slice)
    for (std::size_t tube = begin; tube < end; ++tube) {
      const std::size_t entry = order.entries[order.first[tube]];
      const Index i = cells(entry, 0), j = cells(entry, 1);
      const auto row = static_cast<Eigen::Index>(tube - begin);
      if (tubes.is_real(slice)) {
        tubes.real(slice)(row, 0) = factors.v.real(slice).row(j).dot(factors.scaled.real(slice).row(i));
      } else {  // Eigen's dot conjugates its left side
        tubes.complex(slice)(row, 0) =
            factors.v.complex(slice).row(j).dot(factors.scaled.complex(slice).row(i));
      }
    }
  return tubes.inverse();
}

std::size_t place_in_tube(const Shape& model, const std::array<Index, kMaxOrder>& cell) {
  std::size_t place = 0;
  for (int mode = 2; mode < model.order(); ++mode) place = place * model[mode] + cell[mode];
  return place;
}

}  // namespace

Shape Tubal::shape() const {
  return v.shape().with(1, v.shape()[0]).with(0, u.shape()[0]);
}

// A cell costs its whole tube, r n3 ..: cells of one tube share it. If a quarter of all cells or more are
// asked for, products of whole slices are cheaper, and the full tensor is then only a small multiple of the
// list of cells.
std::vector<double> Tubal::predict(const Cells& cells) const {
  const Shape model = shape();
  check_cells(model, cells);
  std::vector<double> result(cells.size());
  if (cells.size() >= model.cells() / 4) {
    const DenseTensor full = reconstruct_interaction(*this);
#pragma omp parallel for schedule(static)
    for (std::size_t entry = 0; entry < cells.size(); ++entry) {
      const auto cell = cells.cell(entry);
      result[entry] = full[std::span(cell).first(model.order())] + biases.at(cell);
    }
    return result;
  }

  constexpr std::size_t kTubesAtOnce = 256;
  const Transformed factors(*this);
  const CellsByTube order(model, cells);
  const std::size_t depth = model.stride(1), pieces = (order.tubes + kTubesAtOnce - 1) / kTubesAtOnce;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const std::size_t begin = piece * kTubesAtOnce, end = std::min(order.tubes, begin + kTubesAtOnce);
    const DenseTensor tubes = tubes_of(factors, cells, order, begin, end);
    for (std::size_t tube = begin; tube < end; ++tube)
      for (std::size_t place = order.first[tube]; place < order.first[tube + 1]; ++place) {
        const std::size_t entry = order.entries[place];
        const auto cell = cells.cell(entry);
        result[entry] = tubes.values()[(tube - begin) * depth + place_in_tube(model, cell)] + biases.at(cell);
      }
  }
  return result;
}

DenseTensor Tubal::reconstruct() const {
  DenseTensor result = reconstruct_interaction(*this);
  if (!biases.empty()) add_biases(biases, result);
  return result;
}

void check(const Tubal& model) {
  const Shape &u = model.u.shape(), &s = model.s.shape(), &v = model.v.shape();
  if (u.order() < 3) fail("tubal model: U is {}, but a tubal model has 3 modes or more", u.text());
  bool agree = v.order() == u.order() && s.order() == u.order() - 1 && v[1] == u[1] && s[0] == u[1];
  for (int mode = 2; agree && mode < u.order(); ++mode) agree = v[mode] == u[mode] && s[mode - 1] == u[mode];
  if (!agree)
    fail("tubal model: U is {}, S is {} and V is {}; expected n1 x r x n3.., r x n3.. and n2 x r x n3..",
         u.text(), s.text(), v.text());
  check_biases(model.biases, model.shape());
}

}  // namespace tulle
