// SPDX-License-Identifier: Apache-2.0
// SystemC's library refers to sc_main; programs here have their own main and drive the kernel with sc_start.
#include <systemc>

int sc_main(int, char*[]) { return 0; }
