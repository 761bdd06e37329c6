#include "tubes.hpp"

#include <tulle/base/fft.hpp>
#include <tulle/tensor/tubal/spectrum.hpp>

namespace tulle {

// How the tubes of a shape are transformed. Two real tubes form one complex signal c = a + i b, and
// Fft::kLanes of these are transformed at a time: C(k) and C(-k) then give A(k) = (C(k) + conj C(-k)) / 2 and
// B(k) = (C(k) - conj C(-k)) / 2i.
class Spectrum::Plan {
 public:
  static constexpr std::size_t kLanes = Fft::kLanes;
  static_assert(kTubesPerBlock == 2 * kLanes);

  struct Slice {
    std::size_t frequency, partner;  // in C order of modes 3..N; equal when the slice is real
    std::size_t start;               // in units of one real slice
    bool is_real() const { return frequency == partner; }
  };

  explicit Plan(const Shape& shape) : depth_(shape.stride(1)), slice_size_(std::size_t{shape[0]} * shape[1]) {
    for (int mode = 2; mode < shape.order(); ++mode) modes_.push_back({Fft(shape[mode]), shape.stride(mode)});
    std::size_t start = 0;
    for (std::size_t frequency = 0; frequency < depth_; ++frequency) {
      const std::size_t partner = mirrored(shape, frequency);
      if (partner < frequency) continue;
      slices_.push_back({frequency, partner, start});
      start += slices_.back().is_real() ? 1 : 2;
    }
  }

  const std::vector<Slice>& slices() const { return slices_; }
  std::size_t slice_size() const { return slice_size_; }
  std::size_t blocks() const { return (slice_size_ + kTubesPerBlock - 1) / kTubesPerBlock; }

  // Memory for one thread to transform one block.
  struct Workspace {
    explicit Workspace(const Plan& plan)
        : tubes(kTubesPerBlock * plan.depth_),
          re(kLanes * plan.depth_),
          im(kLanes * plan.depth_),
          scratch(plan.scratch_size()) {}
    std::vector<double> tubes, re, im, scratch;
  };

  std::size_t tubes_in(std::size_t block) const {
    return std::min(kTubesPerBlock, slice_size_ - block * kTubesPerBlock);
  }

  // Transforms `tubes` (tube after tube) into the block's place in `spectrum`.
  void forward(std::size_t block, const double* tubes, double* spectrum, Workspace& work) const {
    const std::size_t count = tubes_in(block);
    std::fill(work.re.begin(), work.re.end(), 0);
    std::fill(work.im.begin(), work.im.end(), 0);
    for (std::size_t tube = 0; tube < count; ++tube) {
      double* signal = (tube % 2 == 0 ? work.re : work.im).data() + tube / 2;
      for (std::size_t k = 0; k < depth_; ++k) signal[k * kLanes] = tubes[tube * depth_ + k];
    }
    transform(work.re.data(), work.im.data(), work.scratch.data());
    for (const Slice& slice : slices_) {
      const double *at_re = &work.re[slice.frequency * kLanes], *at_im = &work.im[slice.frequency * kLanes];
      const double *partner_re = &work.re[slice.partner * kLanes],
                   *partner_im = &work.im[slice.partner * kLanes];
      double out[4 * kLanes];
      double* const place = spectrum + slice.start * slice_size_;
      if (slice.is_real()) {
        for (std::size_t l = 0; l < kLanes; ++l) out[2 * l] = at_re[l], out[2 * l + 1] = at_im[l];
        std::copy_n(out, count, place + block * kTubesPerBlock);
      } else {
        for (std::size_t l = 0; l < kLanes; ++l) {
          out[4 * l] = 0.5 * (at_re[l] + partner_re[l]);
          out[4 * l + 1] = 0.5 * (at_im[l] - partner_im[l]);
          out[4 * l + 2] = 0.5 * (at_im[l] + partner_im[l]);
          out[4 * l + 3] = 0.5 * (partner_re[l] - at_re[l]);
        }
        std::copy_n(out, 2 * count, place + 2 * block * kTubesPerBlock);
      }
    }
  }

  // The inverse of forward(), including the factor 1 / depth.
  void inverse(std::size_t block, const double* spectrum, double* tubes, Workspace& work) const {
    const std::size_t count = tubes_in(block);
    const double scale = 1.0 / static_cast<double>(depth_);
    for (const Slice& slice : slices_) {
      double *at_re = &work.re[slice.frequency * kLanes], *at_im = &work.im[slice.frequency * kLanes];
      double *partner_re = &work.re[slice.partner * kLanes], *partner_im = &work.im[slice.partner * kLanes];
      double in[4 * kLanes] = {};
      const double* const place = spectrum + slice.start * slice_size_;
      if (slice.is_real()) {
        std::copy_n(place + block * kTubesPerBlock, count, in);
        for (std::size_t l = 0; l < kLanes; ++l)
          at_re[l] = scale * in[2 * l], at_im[l] = scale * in[2 * l + 1];
      } else {
        std::copy_n(place + 2 * block * kTubesPerBlock, 2 * count, in);
        for (std::size_t l = 0; l < kLanes; ++l) {
          const double ar = scale * in[4 * l], ai = scale * in[4 * l + 1];
          const double br = scale * in[4 * l + 2], bi = scale * in[4 * l + 3];
          at_re[l] = ar - bi, at_im[l] = ai + br;
          partner_re[l] = ar + bi, partner_im[l] = br - ai;
        }
      }
    }
    transform(work.im.data(), work.re.data(), work.scratch.data());  // swapped: the inverse
    for (std::size_t tube = 0; tube < count; ++tube) {
      const double* signal = (tube % 2 == 0 ? work.re : work.im).data() + tube / 2;
      for (std::size_t k = 0; k < depth_; ++k) tubes[tube * depth_ + k] = signal[k * kLanes];
    }
  }

 private:
  struct ModeTransform {
    Fft fft;
    std::size_t inner;  // distance between neighbours along the mode
  };

  std::size_t scratch_size() const {
    std::size_t size = 0;
    for (const auto& mode : modes_) size = std::max(size, mode.fft.scratch_samples() * mode.inner * kLanes);
    return size;
  }

  // Mode by mode; the modes inside the transformed one are just more signals side by side.
  void transform(double* re, double* im, double* scratch) const {
    for (const auto& mode : modes_) {
      const std::size_t stride = mode.inner * kLanes, extent = mode.fft.length() * stride;
      for (std::size_t start = 0; start < depth_ * kLanes; start += extent)
        mode.fft.forward(re + start, im + start, stride, scratch);
    }
  }

  std::size_t depth_, slice_size_;
  std::vector<ModeTransform> modes_;
  std::vector<Slice> slices_;
};

Spectrum::Spectrum(const Shape& shape)
    : shape_(shape),
      depth_(tube_length(shape)),
      plan_(std::make_shared<const Plan>(shape)),
      values_(shape.cells()) {}

Spectrum::Spectrum(const DenseTensor& tensor) : Spectrum(tensor.shape()) {
  const std::size_t block_size = kTubesPerBlock * depth_;
#pragma omp parallel
  {
    Plan::Workspace work(*plan_);
#pragma omp for schedule(static)
    for (std::size_t block = 0; block < blocks(); ++block)
      plan_->forward(block, tensor.values().data() + block * block_size, values_.data(), work);
  }
}

Spectrum::~Spectrum() = default;
Spectrum::Spectrum(Spectrum&&) noexcept = default;
Spectrum& Spectrum::operator=(Spectrum&&) noexcept = default;
Spectrum::Spectrum(const Spectrum&) = default;
Spectrum& Spectrum::operator=(const Spectrum&) = default;

DenseTensor Spectrum::inverse() const {
  DenseTensor tensor(shape_);
  const std::size_t block_size = kTubesPerBlock * depth_;
#pragma omp parallel
  {
    Plan::Workspace work(*plan_);
#pragma omp for schedule(static)
    for (std::size_t block = 0; block < blocks(); ++block)
      plan_->inverse(block, values_.data(), tensor.values().data() + block * block_size, work);
  }
  return tensor;
}

void Spectrum::update_tubes(const TubeVisitor& visit) {
#pragma omp parallel
  {
    Plan::Workspace work(*plan_);
#pragma omp for schedule(static)
    for (std::size_t block = 0; block < blocks(); ++block) {
      plan_->inverse(block, values_.data(), work.tubes.data(), work);
      visit(block, std::span(work.tubes).first(plan_->tubes_in(block) * depth_));
      plan_->forward(block, work.tubes.data(), values_.data(), work);
    }
  }
}

std::size_t Spectrum::blocks() const {
  return plan_->blocks();
}

std::size_t Spectrum::slices() const {
  return plan_->slices().size();
}

bool Spectrum::is_real(std::size_t slice) const {
  return plan_->slices()[slice].is_real();
}

std::size_t Spectrum::frequency(std::size_t slice) const {
  return plan_->slices()[slice].frequency;
}

std::span<const double> Spectrum::values(std::size_t slice) const {
  const std::size_t size = plan_->slice_size();
  return std::span(values_).subspan(plan_->slices()[slice].start * size, is_real(slice) ? size : 2 * size);
}

std::span<double> Spectrum::values(std::size_t slice) {
  const auto held = std::as_const(*this).values(slice);
  return std::span(values_).subspan(static_cast<std::size_t>(held.data() - values_.data()), held.size());
}

Eigen::Map<Matrix> Spectrum::real(std::size_t slice) {
  return {values(slice).data(), rows(), columns()};
}

Eigen::Map<const Matrix> Spectrum::real(std::size_t slice) const {
  return {values(slice).data(), rows(), columns()};
}

// std::complex is laid out as an array of doubles with alternating real and imaginary parts
// ([complex.numbers]).
Eigen::Map<ComplexMatrix> Spectrum::complex(std::size_t slice) {
  return {reinterpret_cast<std::complex<double>*>(values(slice).data()), rows(), columns()};
}

Eigen::Map<const ComplexMatrix> Spectrum::complex(std::size_t slice) const {
  return {reinterpret_cast<const std::complex<double>*>(values(slice).data()), rows(), columns()};
}

}  // namespace tulle
