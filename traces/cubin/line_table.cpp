// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/line_table.h"

#include <array>
#include <cstring>

namespace stc::cubin {
namespace {

// DWARF: standard and extended operations of line programs, and NVIDIA's own.
enum Standard : std::uint8_t {
  kExtended,
  kCopy,
  kAdvancePc,
  kAdvanceLine,
  kSetFile,
  kSetColumn,
  kNegate,
  kBlock,
  kConstAddPc,
  kFixedAdvancePc
};
enum ExtendedOp : std::uint8_t { kEndSequence = 1, kSetAddress = 2, kInlinedCall = 0x90 };
constexpr std::size_t kDeepestInlining = 64;

/// Bytes of the section, never read beyond.
class Bytes {
 public:
  Bytes(const ElfImage& elf, const std::uint8_t* begin, std::uint64_t at, std::uint64_t end)
      : elf_(elf), data_(begin), at_(at), end_(end) {}

  bool done() const { return at_ >= end_; }
  std::uint64_t at() const { return at_; }
  void skip_to(std::uint64_t at) {
    if (at < at_ || at > end_) damaged();
    at_ = at;
  }
  template <class T>
  T fixed() {
    if (end_ - at_ < sizeof(T)) damaged();
    T value;
    std::memcpy(&value, data_ + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::uint64_t unsigned_leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = fixed<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80u) == 0) return value;
    }
  }
  std::int64_t signed_leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;;) {
      const auto byte = fixed<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      shift += 7;
      if ((byte & 0x80u) != 0) continue;
      if (shift < 64 && (byte & 0x40u) != 0) value |= ~std::uint64_t{0} << shift;
      return static_cast<std::int64_t>(value);
    }
  }
  std::string text() {
    std::string text;
    for (char c = fixed<char>(); c != 0; c = fixed<char>()) text += c;
    return text;
  }
  Bytes part(std::uint64_t bytes) {
    if (end_ - at_ < bytes) damaged();
    Bytes of(elf_, data_, at_, at_ + bytes);
    at_ += bytes;
    return of;
  }
  [[noreturn]] void damaged() const { elf_.fail(".debug_line", "is damaged: it ends in the middle of a line table"); }

 private:
  const ElfImage& elf_;
  const std::uint8_t* data_;
  std::uint64_t at_, end_;
};

struct Header {
  std::uint8_t unit = 1;  ///< bytes of an instruction
  std::int8_t line_base = 0;
  std::uint8_t line_range = 1, opcode_base = 1;
  std::array<std::uint8_t, 256> operands{};
  std::vector<std::string> files;  ///< from 1
};

Header read_header(Bytes& table, std::uint16_t version) {
  Header header;
  const std::uint64_t program = std::uint64_t{table.fixed<std::uint32_t>()} + table.at();
  header.unit = table.fixed<std::uint8_t>();
  if (version >= 4) table.fixed<std::uint8_t>();
  table.fixed<std::uint8_t>();  // default of is_stmt
  header.line_base = table.fixed<std::int8_t>();
  header.line_range = table.fixed<std::uint8_t>();
  header.opcode_base = table.fixed<std::uint8_t>();
  if (header.line_range == 0 || header.opcode_base == 0) table.damaged();
  for (std::size_t i = 1; i < header.opcode_base; ++i) header.operands[i] = table.fixed<std::uint8_t>();
  std::vector<std::string> folders{""};
  for (std::string name = table.text(); !name.empty(); name = table.text()) folders.push_back(name);
  for (std::string name = table.text(); !name.empty(); name = table.text()) {
    const std::uint64_t folder = table.unsigned_leb();
    table.unsigned_leb();  // time
    table.unsigned_leb();  // size
    const bool inside = name.front() != '/' && folder != 0 && folder < folders.size();
    header.files.push_back(inside ? folders[folder] + "/" + name : name);
  }
  table.skip_to(program);
  return header;
}

/// Runs the program of one table.
class LineProgram {
 public:
  LineProgram(const std::map<std::uint64_t, const Relocation*>& addresses, const ElfImage& elf, const Header& header,
              LineRows& rows)
      : addresses_(addresses), elf_(elf), header_(header), rows_(rows) {}

  void run(Bytes& code) {
    while (!code.done()) {
      const auto op = code.fixed<std::uint8_t>();
      if (op >= header_.opcode_base) {
        special(op);
      } else if (op == kExtended) {
        extended(code);
      } else {
        standard(op, code);
      }
    }
  }

 private:
  struct State {
    std::uint32_t section = 0;  ///< 0: none
    std::uint64_t address = 0;
    std::uint64_t file = 1;
    std::int64_t line = 1;
    std::uint64_t called_from = 0;  ///< row of the sequence, from 1; 0: not inlined
  };

  void special(std::uint8_t op) {
    const int adjusted = op - header_.opcode_base;
    state_.address += static_cast<std::uint64_t>(adjusted / header_.line_range) * header_.unit;
    state_.line += header_.line_base + adjusted % header_.line_range;
    emit();
  }
  void standard(std::uint8_t op, Bytes& code) {
    switch (op) {
      case kCopy: emit(); break;
      case kAdvancePc: state_.address += code.unsigned_leb() * header_.unit; break;
      case kAdvanceLine: state_.line += code.signed_leb(); break;
      case kSetFile: state_.file = code.unsigned_leb(); break;
      case kConstAddPc:
        state_.address += static_cast<std::uint64_t>((255 - header_.opcode_base) / header_.line_range) * header_.unit;
        break;
      case kFixedAdvancePc: state_.address += code.fixed<std::uint16_t>(); break;
      default:
        for (int i = 0; i < header_.operands[op]; ++i) code.unsigned_leb();
    }
  }
  void extended(Bytes& code) {
    Bytes operation = code.part(code.unsigned_leb());
    switch (operation.fixed<std::uint8_t>()) {
      case kEndSequence:
        if (state_.section != 0)
          rows_[state_.section].emplace(static_cast<std::uint32_t>(state_.address), SourceLine{});
        state_ = {};
        sequence_.clear();
        break;
      case kSetAddress: set_address(operation); break;
      case kInlinedCall: state_.called_from = operation.unsigned_leb(); break;
      default: break;
    }
  }
  /// The address is one in the section of the symbol that a relocation puts there.
  void set_address(Bytes& operation) {
    const auto found = addresses_.find(operation.at());
    const std::uint64_t in_place = operation.fixed<std::uint64_t>();
    if (found == addresses_.end() || found->second->symbol >= elf_.symbols().size()) {
      state_.section = 0;
      return;
    }
    const Relocation& relocation = *found->second;
    const Symbol& symbol = elf_.symbols()[relocation.symbol];
    state_.section = symbol.section;
    state_.address =
        symbol.value + (relocation.addend_in_place ? in_place : static_cast<std::uint64_t>(relocation.addend));
  }
  void emit() {
    SourceLine line;
    if (state_.file >= 1 && state_.file <= header_.files.size()) line.file = header_.files[state_.file - 1];
    line.line = static_cast<std::uint32_t>(state_.line);
    if (state_.called_from >= 1 && state_.called_from <= sequence_.size()) {
      const SourceLine& caller = sequence_[state_.called_from - 1];
      line.called_from.emplace_back(caller.file, caller.line);
      for (const auto& further : caller.called_from) {
        if (line.called_from.size() < kDeepestInlining) line.called_from.push_back(further);
      }
    }
    sequence_.push_back(line);
    if (state_.section != 0) {
      rows_[state_.section].insert_or_assign(static_cast<std::uint32_t>(state_.address), std::move(line));
    }
  }

  const std::map<std::uint64_t, const Relocation*>& addresses_;
  const ElfImage& elf_;
  const Header& header_;
  LineRows& rows_;
  State state_;
  std::vector<SourceLine> sequence_;
};

}  // namespace

LineRows read_line_tables(const ElfImage& elf) {
  constexpr std::uint16_t kOldest = 2, kNewest = 4;
  LineRows rows;
  const Section* const section = elf.find(".debug_line");
  if (section == nullptr || section->data == nullptr) return rows;
  const auto index = static_cast<std::uint32_t>(section - elf.sections().data());
  std::map<std::uint64_t, const Relocation*> addresses;
  for (const Relocation& relocation : elf.relocations()) {
    if (relocation.section == index) addresses[relocation.offset] = &relocation;
  }
  Bytes tables(elf, section->data, 0, section->size);
  while (!tables.done()) {
    const auto length = tables.fixed<std::uint32_t>();
    Bytes table = tables.part(length);
    const auto version = table.fixed<std::uint16_t>();
    if (version < kOldest || version > kNewest) continue;
    const Header header = read_header(table, version);
    LineProgram(addresses, elf, header, rows).run(table);
  }
  return rows;
}

}  // namespace stc::cubin
