// Arrays and tables of Python as data in memory (io/memory.hpp). Nothing is copied but labels.
#pragma once

#include <tulle/io/memory.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <string>
#include <vector>

namespace tulle::python {

using AnyArray = nanobind::ndarray<nanobind::ro, nanobind::c_contig, nanobind::device::cpu>;

// Data that readers find under a path while it lives, with the arrays that they lie in.
class HeldData {
 public:
  HeldData(const std::string& name, DataInMemory data, std::vector<AnyArray> arrays)
      : arrays_(std::move(arrays)), memory_(std::make_unique<InMemory>(name, std::move(data))) {}

  const std::string& path() const { return memory_->path(); }
  std::vector<std::uintptr_t> addresses() const;  // of the arrays that are read

 private:
  std::vector<AnyArray> arrays_;
  std::unique_ptr<InMemory> memory_;
};

void bind_data(nanobind::module_& module);

}  // namespace tulle::python
