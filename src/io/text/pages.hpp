// A fixed room for values whose memory goes back to the system at once when it is not needed any more. The
// heap would keep it: blocks of a file are freed while the tensor that they are copied into grows.
#pragma once

#include <sys/mman.h>

#include <new>
#include <span>
#include <utility>

namespace tulle {

template <class T>
class Pages {
 public:
  Pages() = default;
  explicit Pages(std::size_t capacity) : bytes_(capacity * sizeof(T)) {
    if (bytes_ == 0) return;
    void* const start = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<T*>(start);
  }
  Pages(Pages&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Pages& operator=(Pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Pages() {
    if (data_) ::munmap(data_, bytes_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace tulle
