// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/reset.h"

#include "sim/cudart/connection.h"
#include "sim/cudart/context.h"
#include "sim/cudart/device_memory.h"
#include "sim/cudart/limits.h"
#include "sim/cudart/program.h"
#include "sim/cudart/stream_capture.h"
#include "sim/cudart/streams.h"

namespace stc::cuda {

int reset_device() {
  if (const int error = Connection::get().tell(remote::Request::kReset, {}); error != 0) return error;
  forget_primary_context();
  forget_limits();
  forget_memory();
  forget_captures();
  forget_streams_and_events();
  Program::get().reset();
  return 0;
}

}  // namespace stc::cuda
