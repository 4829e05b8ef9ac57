#pragma once

#include "control/runtime.hpp"
#include "dramaturg/v2/control.pb.h"

namespace dramaturg {

/// What runtime this is, and answers to questions of arithmetic (level 0).
v2::DescribeResponse describe(const v2::DescribeRequest& request, const runtime& runtime);

} // namespace dramaturg
