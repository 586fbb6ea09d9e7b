// SPDX-License-Identifier: Apache-2.0
#include "sim/python/worker.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/base/worker_pool.h"
#include "sim/jobs/failure.h"

namespace stc::sim {
namespace {

constexpr int kPollMs = 50;

void append(std::string& text, const void* data, std::size_t bytes) {
  const std::uint64_t length = bytes;
  text.append(reinterpret_cast<const char*>(&length), sizeof length);
  text.append(static_cast<const char*>(data), bytes);
}

/// Pieces behind their lengths.
std::string packed(const WorkerAnswer& answer) {
  std::string text;
  append(text, answer.json.data(), answer.json.size());
  append(text, answer.printed.data(), answer.printed.size());
  for (const auto& [name, bytes] : answer.buffers) {
    append(text, name.data(), name.size());
    append(text, bytes.data(), bytes.size());
  }
  return text;
}

WorkerAnswer unpacked(const std::string& text) {
  std::size_t at = 0;
  const auto piece = [&] {
    std::uint64_t length = 0;
    std::memcpy(&length, text.data() + at, sizeof length);
    const char* const from = text.data() + at + sizeof length;
    at += sizeof length + static_cast<std::size_t>(length);
    return std::string_view(from, static_cast<std::size_t>(length));
  };
  WorkerAnswer answer;
  answer.json = piece();
  answer.printed = piece();
  while (at < text.size()) {
    const std::string name(piece());
    const std::string_view bytes = piece();
    answer.buffers.emplace_back(name, std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
  }
  return answer;
}

const char* name_of(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::kInput: return "input";
    case Failure::Kind::kFault: return "fault";
    case Failure::Kind::kStopped: return "stopped";
    case Failure::Kind::kInternal: break;
  }
  return "internal";
}

WorkerAnswer failed(const char* kind, const std::string& message) {
  WorkerAnswer answer;
  answer.json = json_text({{"failure", kind}, {"message", message}});
  return answer;
}

/// Of the worker process.
std::string answer_of(const std::function<WorkerAnswer(std::FILE*)>& work) {
  char* text = nullptr;
  std::size_t length = 0;
  std::FILE* const printed = ::open_memstream(&text, &length);
  WorkerAnswer answer;
  try {
    answer = work(printed);
  } catch (...) {
    const Failure failure = current_failure();
    answer = failed(name_of(failure.kind), failure.text);
  }
  std::fclose(printed);
  answer.printed.assign(text, length);
  std::free(text);
  return packed(answer);
}

}  // namespace

WorkerAnswer in_worker(const std::function<WorkerAnswer(std::FILE*)>& work, const std::function<void()>& waiting,
                       const std::function<void(const std::function<void()>&)>& aside) {
  WorkerPool pool(1, [&work](const std::string&) { return answer_of(work); });
  pool.submit(0, "");
  while (true) {
    std::optional<WorkerPool::Answer> answer;
    aside([&] { answer = pool.poll(kPollMs); });
    waiting();
    if (!answer) continue;
    // It waits for another job until every copy of its channel is closed, and workers forked later hold some.
    for (const pid_t worker : pool.process_ids()) ::kill(worker, SIGKILL);
    if (answer->died) return failed("internal", fmt::format("the simulation has no answer: {}", answer->text));
    if (answer->failed) return failed("internal", answer->text);
    return unpacked(answer->text);
  }
}

}  // namespace stc::sim
