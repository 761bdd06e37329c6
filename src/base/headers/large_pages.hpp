// Memory for arrays that kernels gather from. With pages of 4 KiB most gathers from a factor of several MiB
// miss the TLB, so large arrays request transparent huge pages of 2 MiB, which Linux gives to programs that
// ask for them.
#pragma once

#include <cstddef>
#include <vector>

namespace tulle {

// Memory aligned to a cache line or, if it is large, to a large page. Its contents are undefined.
void* allocate_pages(std::size_t bytes);
void free_pages(void* memory, std::size_t bytes) noexcept;  // allocated with the same size

// Requests large pages for memory of another allocator; it takes effect where the memory is not yet in use.
void ask_for_large_pages(void* memory, std::size_t bytes) noexcept;

template <class T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <class Other>
  LargePages(const LargePages<Other>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_pages(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { free_pages(memory, count * sizeof(T)); }

  friend bool operator==(const LargePages&, const LargePages&) { return true; }
};

template <class T>
using PagedVector = std::vector<T, LargePages<T>>;

}  // namespace tulle
