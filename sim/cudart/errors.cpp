// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/abi.h"
#include "sim/cudart/connection.h"
#include "sim/cudart/context.h"
#include "sim/cudart/last_error.h"
#include "sim/cudart/launch.h"

namespace stc::cuda {
namespace {

thread_local int kept = 0;

struct ErrorText {
  int number;
  const char *name, *text;
};
constexpr ErrorText kErrors[] = {
#define STC_CUDA_ERROR(number, name, text) {number, name, text},
#include "sim/cudart/errors.def"
#undef STC_CUDA_ERROR
};

const ErrorText* find(int error) {
  for (const ErrorText& known : kErrors) {
    if (known.number == error) return &known;
  }
  return nullptr;
}

/// CUDA 12's runtime looks at grids and blocks before the driver does; 13 passes on what the driver answers.
int of_this_version(int error) {
  const bool as_driver = STC_CUDART_MAJOR >= 13 && error == remote::kInvalidConfiguration;
  return as_driver ? remote::kInvalidValue : error;
}

constexpr char kUnknown[] = "unrecognized error code";

}  // namespace

int finish_question(int error) {
  const int told = of_this_version(error);
  if (told != 0) kept = told;
  return told;
}
int finish(int error) {
  if (error == 0) use_primary_context();
  return finish_question(error);
}
int last_error() { return kept; }
int take_last_error() {
  const int error = kept;
  kept = 0;
  take_refusal();
  return error;
}
int finish_wait(int error) {
  const bool refused = take_refusal();
  return finish(error == 0 && refused ? remote::kNotSupported : error);
}
int not_supported(const char* name) {
  Connection::get().report_unsupported(name);
  return finish(remote::kNotSupported);
}

}  // namespace stc::cuda

extern "C" {

int cudaGetLastError() { return stc::cuda::take_last_error(); }
int cudaPeekAtLastError() { return stc::cuda::last_error(); }
const char* cudaGetErrorName(int error) {
  const auto* const known = stc::cuda::find(error);
  return known != nullptr ? known->name : stc::cuda::kUnknown;
}
const char* cudaGetErrorString(int error) {
  const auto* const known = stc::cuda::find(error);
  return known != nullptr ? known->text : stc::cuda::kUnknown;
}
}
