// SPDX-License-Identifier: Apache-2.0
// SystemC's library refers to sc_main; programs here have their own main and drive the kernel with sc_start. Visible to
// that library also where all else is hidden, in a module of Python's.
#include <systemc>

__attribute__((visibility("default"))) int sc_main(int, char*[]) { return 0; }
