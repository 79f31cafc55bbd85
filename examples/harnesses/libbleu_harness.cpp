// A harness for libbleu, the C++ part of fairseq, which counts n-grams and leaves the formula to Python. With fairseq's
// sources and the header of nlohmann-json: g++ -I fairseq/fairseq/clib/libbleu libbleu_harness.cpp -o libbleu_harness
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "libbleu.cpp"
#include <nlohmann/json.hpp>

using nlohmann::json;

/** Numbers in place of tokens, the same for the same token. */
struct Dictionary {
  std::map<std::string, int> numbers;

  /** The first number is none of a token: libbleu reads what is before a text without tokens. */
  std::vector<int> encoded(const json& tokens) {
    std::vector<int> found{0};
    for (const json& token : tokens) found.push_back(numbers.emplace(token, numbers.size() + 1).first->second);
    return found;
  }
};

constexpr int NONE = -1;  // for pad and eos: no token is padding, or the end of a sentence
constexpr std::size_t ORDERS = 4;

/** What it has no parameter for, or nothing. */
std::string cannot(const json& request) {
  const json& variant = request["variant"];
  const std::string counter = variant["counter"]["name"];
  if (counter != "clipped") return "counter: " + counter;
  if (variant.contains("average")) return "average: " + variant["average"].dump();
  if (variant["lowercase"] != false) return "lowercase: " + variant["lowercase"].dump();
  if (variant["weights"].size() > ORDERS) return "weights: more than four orders";
  if (!request.contains("segments")) return "input: counts in place of segments";
  for (const json& segment : request["segments"]) {
    if (segment["references"].size() > 1) return "input: several references";
    if (!segment["hypothesis"].is_array() || !segment["references"][0].is_array()) return "input: text, no tokens";
  }
  return "";
}

json reported(const json& request) {
  bleu_stat stat;
  bleu_zero_init(&stat);
  Dictionary dictionary;
  for (const json& segment : request["segments"]) {
    std::vector<int> hypothesis = dictionary.encoded(segment["hypothesis"]);
    std::vector<int> reference = dictionary.encoded(segment["references"][0]);
    bleu_add(&stat, reference.size() - 1, &reference[1], hypothesis.size() - 1, &hypothesis[1], NONE, NONE);
  }
  json matches{stat.match1, stat.match2, stat.match3, stat.match4};
  json totals{stat.count1, stat.count2, stat.count3, stat.count4};
  for (json* counts : {&matches, &totals}) {
    while (counts->size() > request["variant"]["weights"].size()) counts->erase(counts->size() - 1);
  }
  return {{"matches", matches}, {"totals", totals},
          {"hypothesis_length", stat.predlen}, {"reference_length", stat.reflen}};
}

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const json request = json::parse(line);
    json answer{{"seq", request["seq"]}};
    if (request["request"] == "bye") break;
    if (request["request"] == "hello") {
      answer.update({{"protocol", 1}, {"implementation", "libbleu"}, {"language", "C++"},
                     {"reports", {"matches", "totals", "hypothesis_length", "reference_length"}}});
    } else if (const std::string reason = cannot(request); !reason.empty()) {
      answer["cannot"] = reason;
    } else {
      answer["reported"] = reported(request);
    }
    std::cout << answer << std::endl;
  }
}
