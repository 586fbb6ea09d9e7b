// SPDX-License-Identifier: Apache-2.0
#include "sim/jobs/failure.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <new>
#include <system_error>

#include "models/gpu/gpu.h"
#include "models/isa/state/simulated_fault.h"
#include "sim/base/error.h"
#include "sim/base/interrupt.h"

namespace stc::sim {
namespace {

Failure input_failure(std::string text) { return {Failure::Kind::kInput, std::move(text), kUserErrorExit}; }

}  // namespace

Failure current_failure() {
  try {
    throw;
  } catch (const UserError& error) {
    return input_failure(error.what());
  } catch (const Interrupted& stopped) {
    return {Failure::Kind::kStopped, fmt::format("{}: {}", stopped.name(), stopped.what()), stopped.exit_code()};
  } catch (const stc::gpu::LaunchError& error) {
    return input_failure(error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return input_failure(fmt::format("{}: cannot be written: {}", error.path1().string(), error.code().message()));
  } catch (const std::system_error& error) {  // of fmt::print
    return input_failure(fmt::format("standard output: cannot be written: {}", error.code().message()));
  } catch (const std::bad_alloc&) {
    return input_failure("not enough memory on this computer for the buffers of this run");
  } catch (const stc::isa::SimulatedFault& error) {
    return {Failure::Kind::kFault, error.what(), kFaultExit};
  } catch (const stc::gpu::Deadlock& error) {
    return {Failure::Kind::kFault, error.what(), kFaultExit};
  } catch (const std::exception& error) {
    return {Failure::Kind::kInternal, error.what(), kFaultExit};
  } catch (...) {
    return {Failure::Kind::kInternal, "an exception that says nothing", kFaultExit};
  }
}

}  // namespace stc::sim
