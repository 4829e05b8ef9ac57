#pragma once

#include "dramaturg/v1/control.pb.h"
#include "runtime.hpp"

namespace dramaturg {

/// Who we are, and the answers to the harness's questions of arithmetic
/// (level 0). Throws a refusal for a question that is out of range.
v1::DescribeResponse describe(const v1::DescribeRequest& request, const runtime& runtime);

} // namespace dramaturg
