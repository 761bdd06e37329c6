// Marks a kernel that gains from wider vectors: on x86-64 it is compiled for the baseline and for AVX2, and
// the loader picks one. The baseline of ARM64 has NEON, so nothing is needed there. Sanitizers do not work
// with the loader's choice.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define TULLE_MULTIARCH __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define TULLE_MULTIARCH
#endif
