// The few parts of HDF5 that MATLAB files need, with errors as exceptions. HDF5 is loaded when a file asks
// for it.
#pragma once

#include "binary/hdf5_calls.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tulle {

// An identifier that is released with its object.
class Hdf5Id {
 public:
  Hdf5Id(hid_t id, herr_t (*release)(hid_t)) : id_(id), release_(release) {}
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), release_(other.release_) {}
  Hdf5Id& operator=(Hdf5Id&&) = delete;
  ~Hdf5Id() {
    if (id_ >= 0) release_(id_);
  }

  bool valid() const { return id_ >= 0; }
  hid_t get() const { return id_; }

 private:
  hid_t id_;
  herr_t (*release_)(hid_t);
};

void silence_hdf5();  // no messages of its own on standard error

// Divides an array into boxes of at most `most` cells, which follow one another in C order.
void for_each_box(std::span<const hsize_t> dimensions, std::size_t most,
                  const std::function<void(const std::vector<hsize_t>& start,
                                           const std::vector<hsize_t>& count, std::size_t cells)>& visit);

}  // namespace tulle
