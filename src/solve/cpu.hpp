// The CPU as a device. Its operations for a model are implemented in the folder of that model.
#pragma once

#include <tulle/solve/device.hpp>

namespace tulle {

class Cpu final : public Device {
 public:
  std::string_view name() const override { return "cpu"; }
  std::unique_ptr<CpSweeps> cp_sweeps(const DenseTensor& tensor) const override;
  std::unique_ptr<CpSweeps> cp_sweeps(const SparseTensor& tensor) const override;
  std::unique_ptr<TuckerSweeps> tucker_sweeps(const DenseTensor& tensor) const override;
  std::unique_ptr<TuckerSweeps> tucker_sweeps(const SparseTensor& tensor) const override;
  std::unique_ptr<CpCompletion> cp_completion(const SparseTensor& observed, const SparseTensor* validation,
                                              const CompletionState& state) const override;
  std::unique_ptr<ClippedCells> clipped_cells(const SparseTensor& observed, const ModelLayout& layout,
                                              const Standard& standard, double share) const override {
    return std::make_unique<CellGradients>(observed, layout, standard, share);
  }
  std::unique_ptr<ClippedSlices> clipped_slices(const SparseTensor& observed, const ModelLayout& layout,
                                                int mode, SliceTables tables) const override {
    return std::make_unique<SliceGradients>(observed, layout, mode, std::move(tables));
  }
  std::unique_ptr<ClippedExamples> clipped_examples(FloatMatrix prepared, std::vector<int> labels,
                                                    const NetworkLayout& layout) const override {
    return std::make_unique<ExampleGradients>(std::move(prepared), std::move(labels), layout);
  }
};

}  // namespace tulle
