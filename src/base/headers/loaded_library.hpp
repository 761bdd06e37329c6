// Libraries of the system that are loaded when something asks for them: programs start without them, and run
// where they are not installed. The functions below a declaration are called as those of the library's header
// are:
//
//   inline constinit const LoadedLibrary kPq("libpq.so.5");
//   inline constinit const LoadedFunction<decltype(::PQexec)> PQexec(kPq, "PQexec");
#pragma once

#include <atomic>
#include <utility>

namespace tulle {

class LoadedLibrary {
 public:
  enum class Symbols { own, shared };  // shared: plug-ins of the library look for its symbols in the program

  // The first of the files (names, with spaces between them) that is installed is taken.
  constexpr explicit LoadedLibrary(const char* files, Symbols symbols = Symbols::own)
      : files_(files), symbols_(symbols) {}

  bool is_installed() const { return handle() != nullptr; }
  void* symbol(const char* name) const;  // an Error if there is none

 private:
  void* handle() const;

  const char* files_;
  Symbols symbols_;
  mutable std::atomic<void*> handle_ = nullptr;
};

class LoadedSymbol {
 public:
  constexpr LoadedSymbol(const LoadedLibrary& library, const char* name) : library_(library), name_(name) {}

  void* address() const {
    void* found = found_.load(std::memory_order_acquire);
    if (!found) found_.store(found = library_.symbol(name_), std::memory_order_release);
    return found;
  }
  void* operator&() const { return address(); }  // macros of MPI take addresses

 private:
  const LoadedLibrary& library_;
  const char* name_;
  mutable std::atomic<void*> found_ = nullptr;
};

template <class Value>
class LoadedValue : LoadedSymbol {
 public:
  using LoadedSymbol::LoadedSymbol;
  operator const Value&() const { return *static_cast<const Value*>(address()); }
};

template <class Function>
class LoadedFunction;

template <class Result, class... Arguments>
class LoadedFunction<Result(Arguments...)> : LoadedSymbol {
 public:
  using LoadedSymbol::LoadedSymbol;
  using Pointer = Result (*)(Arguments...);

  operator Pointer() const { return reinterpret_cast<Pointer>(address()); }
  Result operator()(Arguments... arguments) const { return Pointer(*this)(arguments...); }
};

}  // namespace tulle
