// SPDX-License-Identifier: Apache-2.0
// STC_VECTOR_CLONES before a function: compiled for several x86-64 levels, the best one chosen when the program starts
// (before the thread sanitizer is set up, which cannot run that).
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define STC_VECTOR_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define STC_VECTOR_CLONES
#endif
