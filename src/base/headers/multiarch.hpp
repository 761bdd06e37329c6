// Marks a kernel that gains from wider vectors: on x86-64 it is compiled for the base line and for AVX2, and
// the loader picks one. On ARM64 the base line has NEON, so nothing is needed. Sanitizers do not work with
// the loader's choice.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define TULLE_MULTIARCH __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define TULLE_MULTIARCH
#endif
