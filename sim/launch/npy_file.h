// SPDX-License-Identifier: Apache-2.0
// A .npy file of NumPy: magic, version, a header, which is a Python dictionary such as
// {'descr': '<f4', 'fortran_order': False, 'shape': (64, 128), }, and the elements. NumPy's manual has it as
// numpy.lib.format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/launch/element_type.h"

namespace stc::sim {

/// Each member throws UserError, which names the file, where that is not as it must be.
class NpyFile {
 public:
  /// `path` is for messages.
  NpyFile(std::string path, std::vector<std::uint8_t> bytes);

  /// Of an element: "<f4".
  std::string type() const;
  bool fortran_order() const;
  /// Sizes of the dimensions, none greater than `most`.
  std::vector<std::int64_t> shape(std::int64_t most) const;
  /// The elements, which must be this many bytes.
  const std::uint8_t* data(std::size_t bytes) const;
  std::size_t data_bytes() const { return bytes_.size() - data_; }

  [[noreturn]] void fail(const std::string& why) const;
  [[noreturn]] void fail_damaged(const std::string& why) const;

 private:
  std::string after(const std::string& key) const;

  std::string path_;
  std::vector<std::uint8_t> bytes_;
  std::string header_;
  std::size_t data_ = 0;  ///< where the elements begin
};

/// Whether NumPy has the type; it has neither bf16 nor tf32 nor eight-bit floats.
bool numpy_has(ElementType type);
/// `bytes` behind the header of a .npy file. The type is one that numpy_has().
std::vector<std::uint8_t> numpy_file(ElementType type, const std::vector<std::uint64_t>& shape,
                                     const std::vector<std::uint8_t>& bytes);

}  // namespace stc::sim
