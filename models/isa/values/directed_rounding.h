// SPDX-License-Identifier: Apache-2.0
// Double-precision operations in a given rounding mode, by switching the host's.
#pragma once

#include "models/isa/instruction.h"

namespace stc::isa {

double directed_add(double a, double b, Rounding rounding);
double directed_multiply(double a, double b, Rounding rounding);
double directed_fma(double a, double b, double c, Rounding rounding);

}  // namespace stc::isa
