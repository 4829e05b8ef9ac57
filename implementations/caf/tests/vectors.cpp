// The questions of level 0, with the answers of the file that the command line names.
#include "control/probe.hpp"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using google::protobuf::Struct;
using numbers = std::vector<std::uint64_t>;

// What takes more calls is left to level 0.
constexpr std::uint64_t most_calls = 10'000'000;

int asked = 0;
int wrong = 0;

std::uint64_t number(const google::protobuf::Value& value) {
  return static_cast<std::uint64_t>(value.number_value());
}

std::uint64_t number(const Struct& vector, const std::string& field) {
  return number(vector.fields().at(field));
}

numbers list(const Struct& vector, const std::string& field) {
  numbers list;
  for (const auto& value : vector.fields().at(field).list_value().values())
    list.push_back(number(value));
  return list;
}

void hold(const numbers& right, const numbers& said, const Struct& vector) {
  ++asked;
  if (said == right)
    return;
  ++wrong;
  std::cerr << "wrong: " << vector.ShortDebugString() << "\n  said:";
  for (const auto value : said)
    std::cerr << ' ' << value;
  std::cerr << '\n';
}

void hold(const numbers& right, const dramaturg::v2::Probe& probe, const Struct& vector) {
  const auto answer = dramaturg::answer(probe);
  hold(right, numbers{answer.values().begin(), answer.values().end()}, vector);
}

void lcg(const Struct& vector) {
  dramaturg::v2::Probe probe;
  probe.mutable_lcg()->set_seed(static_cast<std::uint32_t>(number(vector, "seed")));
  for (const auto modulus : list(vector, "moduli"))
    probe.mutable_lcg()->add_moduli(static_cast<std::uint32_t>(modulus));
  hold(list(vector, "values"), probe, vector);
}

void shuffle(const Struct& vector) {
  dramaturg::v2::Probe probe;
  probe.mutable_shuffle()->set_seed(static_cast<std::uint32_t>(number(vector, "seed")));
  probe.mutable_shuffle()->set_length(static_cast<std::uint32_t>(number(vector, "length")));
  auto right = list(vector, "values");
  right.push_back(number(vector, "state"));
  hold(right, probe, vector);
}

void fibonacci(const Struct& vector) {
  if (number(vector, "calls") > most_calls)
    return;
  dramaturg::v2::Probe probe;
  probe.mutable_fibonacci()->set_n(static_cast<std::uint32_t>(number(vector, "n")));
  hold({number(vector, "value")}, probe, vector);
}

void fold(const Struct& vector) {
  dramaturg::v2::Probe probe;
  probe.mutable_fold()->set_salt(static_cast<std::uint32_t>(number(vector, "salt")));
  for (const auto folded : list(vector, "numbers"))
    probe.mutable_fold()->add_numbers(static_cast<std::uint32_t>(folded));
  hold({number(vector, "digest")}, probe, vector);
}

void checksum(const Struct& vector) {
  const auto start = static_cast<std::uint32_t>(number(vector, "start"));
  hold({number(vector, "checksum")}, {dramaturg::checksum(start, list(vector, "numbers"))}, vector);
}

// A double has no more than 53 bits.
constexpr double most_exact = 9007199254740992;

void payload(const Struct& vector) {
  if (vector.fields().at("payload").number_value() < most_exact)
    hold({number(vector, "digest")}, {dramaturg::digest(number(vector, "payload"))}, vector);
}

void stream(const Struct& vector) {
  dramaturg::stream drawn{static_cast<std::uint32_t>(number(vector, "key"))};
  numbers said;
  const auto right = list(vector, "numbers");
  while (said.size() < right.size())
    said.push_back(drawn.next());
  hold(right, said, vector);
}

void task(const Struct& vector) {
  const auto salt = static_cast<std::uint32_t>(number(vector, "salt"));
  const auto task = static_cast<std::uint32_t>(number(vector, "number"));
  const auto size = static_cast<std::uint32_t>(number(vector, "size"));
  const auto payload = dramaturg::make_payload(salt, task, size);
  const auto first = list(vector, "first");
  hold(first, {payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(first.size())},
       vector);
  hold({number(vector, "checksum")}, {dramaturg::checksum(0, payload)}, vector);
  hold({number(vector, "result")}, {dramaturg::result_of(payload, task)}, vector);
}

void latency(const Struct& vector) {
  dramaturg::v2::Probe probe;
  probe.mutable_latencies()->set_due(number(vector, "due"));
  for (const auto answered : list(vector, "answered"))
    probe.mutable_latencies()->add_answered(answered);
  const auto buckets = list(vector, "buckets");
  numbers right(*std::max_element(buckets.begin(), buckets.end()) + 1);
  for (const auto bucket : buckets)
    ++right[bucket];
  hold(right, probe, vector);
}

void each(const Struct& vectors, const std::string& topic, void (*ask)(const Struct&)) {
  const auto before = asked;
  for (const auto& vector : vectors.fields().at(topic).list_value().values())
    ask(vector.struct_value());
  std::cout << topic << ": " << asked - before << " asked\n";
}

} // namespace

int main(int argc, char** argv) {
  std::ifstream file{argc > 1 ? argv[1] : "tests/vectors.json"};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  Struct vectors;
  if (!google::protobuf::util::JsonStringToMessage(text, &vectors).ok() || text.empty()) {
    std::cerr << "vectors: no JSON in the file that the command line names\n";
    return EXIT_FAILURE;
  }
  each(vectors, "lcg", lcg);
  each(vectors, "shuffle", shuffle);
  each(vectors, "fibonacci", fibonacci);
  each(vectors, "fold", fold);
  each(vectors, "checksum", checksum);
  each(vectors, "payload", payload);
  each(vectors, "stream", stream);
  each(vectors, "task", task);
  each(vectors, "latency", latency);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
