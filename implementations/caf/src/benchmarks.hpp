#pragma once

// All benchmarks, for those who have to know every message or all parameters.

#include "chatapp/messages.hpp"
#include "micro/bang.hpp"
#include "micro/big.hpp"
#include "micro/broker.hpp"
#include "micro/chain.hpp"
#include "micro/count.hpp"
#include "micro/fanout.hpp"
#include "micro/mergesort.hpp"
#include "micro/pingpong.hpp"
#include "micro/sleepers.hpp"
#include "micro/web.hpp"
#include "nodes/messages.hpp"
