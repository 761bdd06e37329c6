#include <tulle/base/large_pages.hpp>

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace tulle {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;
constexpr std::align_val_t kCacheLine{64};

bool is_large(std::size_t bytes) {
  return bytes >= 2 * kLargePage;
}

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + kLargePage - 1) / kLargePage * kLargePage;
}

std::size_t up_to_large_page(const void* memory) {
  return (kLargePage - reinterpret_cast<std::uintptr_t>(memory) % kLargePage) % kLargePage;
}

}  // namespace

// Large arrays get a new mapping: memory that the heap reuses already consists of small pages.
void* allocate_pages(std::size_t bytes) {
  if (!is_large(bytes)) return ::operator new(bytes, kCacheLine);
  const std::size_t size = whole_pages(bytes);
  void* const mapped =
      mmap(nullptr, size + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  char* const start = static_cast<char*>(mapped);
  const std::size_t before = up_to_large_page(start);
  if (before > 0) munmap(start, before);
  if (before < kLargePage) munmap(start + before + size, kLargePage - before);
  ask_for_large_pages(start + before, size);
  return start + before;
}

// A request only: if there are no such pages, nothing changes.
void ask_for_large_pages(void* memory, std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  const std::size_t before = up_to_large_page(memory);
  if (bytes >= before + kLargePage)
    madvise(static_cast<char*>(memory) + before, (bytes - before) / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
}

void free_pages(void* memory, std::size_t bytes) noexcept {
  if (is_large(bytes))
    munmap(memory, whole_pages(bytes));
  else
    ::operator delete(memory, kCacheLine);
}

}  // namespace tulle
