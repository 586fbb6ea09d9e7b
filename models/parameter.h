// SPDX-License-Identifier: Apache-2.0
// How parameter structs and statistics describe themselves.
//
// A parameter struct has one member function
//
//   template <class V> void describe(V& v) {
//     v.field("banks", banks, "banks", 1, 128, "Independent 4-byte banks.");
//     v.group("tag", tag, "Tag stage of the L1.");          // a nested parameter struct
//   }
//
// that states each key once: name, member (whose initial value is the default), unit, least and greatest legal value,
// one sentence. Readers, printers and documentation are visitors; nothing else knows the keys. `describe` of a
// statistics struct has the same form without the range: v.counter("wavefronts", wavefronts, "wavefronts", "...").
#pragma once
