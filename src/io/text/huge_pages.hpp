// The first access to each page of a large array is a page fault. With pages of 2 MiB there are 512 times
// fewer of them, and random access causes fewer TLB misses.
#pragma once

#include <sys/mman.h>

#include <cstdint>

namespace tulle {

// Requests huge pages for the whole ones within the memory; call it before the memory is touched. It is only
// advice: if the system has none, nothing changes.
inline void prefer_huge_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t kHugePage = std::uintptr_t{1} << 21;
  const auto start = (reinterpret_cast<std::uintptr_t>(memory) + kHugePage - 1) & ~(kHugePage - 1);
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) & ~(kHugePage - 1);
  if (start < end) ::madvise(reinterpret_cast<void*>(start), end - start, MADV_HUGEPAGE);
}

}  // namespace tulle
