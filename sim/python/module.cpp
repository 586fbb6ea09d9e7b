// SPDX-License-Identifier: Apache-2.0
// The extension module stcsim._core. Thin: shapes, units and texts for people are in the package around it
// (sim/python/stcsim).
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "sim/base/data_folder.h"
#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/base/version.h"
#include "sim/jobs/failure.h"
#include "sim/launch/manifest.h"
#include "sim/python/matrices.h"
#include "sim/python/run_request.h"
#include "sim/result/gpu_json.h"
#include "sim/result/result_json.h"
#include "traces/cubin/cubin.h"
#include "traces/cubin/cubin_error.h"

namespace py = pybind11;

namespace stc::sim {
namespace {

template <class T>
using Numbers = py::array_t<T, py::array::c_style>;  // of this very type: the package converts

template <class T>
std::vector<T> copied(const Numbers<T>& array) {
  return {array.data(), array.data() + array.size()};
}

template <class T>
Numbers<T> array_of(const std::vector<T>& values) {
  return Numbers<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// (json, printed, {name: bytes as an array}).
py::tuple run(const std::string& name, const std::optional<std::string>& text, const std::vector<std::string>& sets,
              const std::map<std::string, Numbers<std::uint8_t>>& contents, const Numbers<float>& a,
              const Numbers<float>& b, int threads, const std::optional<std::vector<std::string>>& keep) {
  RunRequest request;
  request.name = name;
  request.text = text;
  request.sets = sets;
  request.threads = threads;
  request.keep = keep;
  request.a = copied(a);
  request.b = copied(b);
  for (const auto& [buffer, bytes] : contents) {
    request.contents[buffer] = std::make_shared<const std::vector<std::uint8_t>>(copied(bytes));
  }
  WorkerAnswer answer;
  {
    // The fork is made under the lock: no other thread is inside of stcsim then.
    const auto work = [&request](std::FILE* printed) { return answer_request(request, printed); };
    const auto waiting = [] {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    };
    answer = in_worker(work, waiting, [](const std::function<void()>& wait) {
      const py::gil_scoped_release others_may_run;
      wait();
    });
  }
  py::dict buffers;
  for (const auto& [buffer, bytes] : answer.buffers) buffers[py::str(buffer)] = array_of(bytes);
  return py::make_tuple(answer.json, py::bytes(answer.printed), buffers);
}

/// Kernels of a cubin as JSON.
std::string kernels(const std::string& file) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  try {
    for (const isa::Kernel& kernel : cubin::list_kernels(file)) {
      nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
      for (const isa::KernelParameter& parameter : kernel.parameters) parameters.push_back(parameter.bytes);
      rows.push_back({{"name", kernel.name},
                      {"sm_version", kernel.sm_version},
                      {"registers", kernel.registers},
                      {"max_threads", kernel.max_threads},
                      {"static_shared_bytes", kernel.static_shared_bytes},
                      {"local_bytes", kernel.local_bytes},
                      {"parameter_bytes", parameters}});
    }
  } catch (const cubin::CubinError& error) {
    throw UserError(error.what());
  }
  return json_text(rows);
}

/// Kernels of the library as JSON.
std::string library() {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const LibraryKernel& kernel : Manifest::load(default_kernels_folder()).kernels) {
    nlohmann::ordered_json versions = nlohmann::ordered_json::array();
    for (const auto& [version, file] : kernel.cubins) versions.push_back(version);
    rows.push_back({{"name", kernel.name},
                    {"element", name_of(kernel.element)},
                    {"accumulator", name_of(kernel.accumulator)},
                    {"pattern", kernel.pattern_name()},
                    {"tile", {kernel.tile_m, kernel.tile_n, kernel.tile_k}},
                    {"sm_versions", versions}});
  }
  return json_text(rows);
}

py::dict shape_of(const std::string& op) {
  const MmaShape shape = mma_shape(op);
  py::dict out;
  out["name"] = shape.name;
  out["m"] = shape.m;
  out["n"] = shape.n;
  out["k"] = shape.k;
  out["sparse"] = shape.sparse;
  out["pattern"] = shape.pattern;
  out["a"] = shape.a;
  out["b"] = shape.b;
  out["c"] = shape.c;
  return out;
}

/// What this process itself found wrong, as the package's exceptions.
void translate_failures(py::module_& module) {
  static PyObject* const input_error = PyErr_NewException("stcsim._core.InputError", PyExc_ValueError, nullptr);
  module.attr("InputError") = py::handle(input_error);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const UserError& error) {
      PyErr_SetString(input_error, error.what());
    }
  });
}

void add_matrices(py::module_& module) {
  using Indices = Numbers<std::uint8_t>;
  module.def("stored_columns", [](const std::string& pattern, int rows, int k, const Indices& indices) {
    return array_of(stored_columns(pattern, rows, k, copied(indices)));
  });
  module.def("pruned_indices", [](const std::string& pattern, int rows, int k, const Numbers<float>& weights) {
    return array_of(pruned_indices(pattern, rows, k, copied(weights)));
  });
  module.def("indices_of", [](const std::string& pattern, int rows, int k, const Numbers<float>& weights) {
    return array_of(indices_of(pattern, rows, k, copied(weights)));
  });
  module.def("metadata_of", [](const std::string& pattern, int rows, int k, int bits, const Indices& indices) {
    return array_of(metadata_of(pattern, rows, k, bits, copied(indices)));
  });
  module.def("rounded_to", [](const std::string& type, const Numbers<double>& values) {
    return array_of(rounded_to(type, copied(values)));
  });
  module.def("mma_shape", shape_of);
  module.def("mma", [](const std::string& op, const std::string& gpu, const std::vector<std::string>& sets,
                       const Numbers<double>& a, const Numbers<double>& b, const Numbers<double>& c) {
    return array_of(mma_values({gpu, sets, op, copied(a), copied(b), copied(c)}));
  });
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  translate_failures(module);
  module.def("version", [] { return std::string(version()); });
  module.def("revision", [] { return std::string(git_revision()); });
  module.def("use_data_folder", [](const std::string& folder) { use_data_folder(folder); });
  module.def("data_folder", [] { return data_folder(); });
  module.def("schema", [] { return json_text(result_schema()); });
  module.def("run", run);
  module.def("kernels", kernels);
  module.def("library", library);
  module.def("gpu", [](const std::string& file, const std::vector<std::string>& sets) {
    return json_text(gpu_json(read_gpu_config(file, parse_overrides(sets, "gpu."))));
  });
  add_matrices(module);
}

}  // namespace stc::sim
