#pragma once

// All micro-benchmarks, for those who have to know every message or parameter.

#include "bang.hpp"
#include "big.hpp"
#include "broker.hpp"
#include "chain.hpp"
#include "count.hpp"
#include "fanout.hpp"
#include "mergesort.hpp"
#include "pingpong.hpp"
#include "sleepers.hpp"
#include "web.hpp"
