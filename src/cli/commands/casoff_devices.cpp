#include "cli/commands/casoff_devices.hpp"

#include <algorithm>
#include <string>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::cli {

namespace {

// More ids than any machine has devices: a range that asks for more is a slip, not a request.
constexpr index_t most_ids = 4096;

[[noreturn]] void malformed(std::string_view text) {
  fail(ErrorKind::usage,
       "'" + std::string(text) + "' is no device argument; write C, G or A and ids as in G0,2 or G0:4 or G0:8:2");
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

/// The ids after the class letter, in their order.
std::vector<index_t> parse_ids(std::string_view text) {
  std::vector<index_t> ids;
  for (const std::string_view part : split(text.substr(1), ',')) {
    std::vector<index_t> numbers;
    for (const std::string_view field : split(part, ':')) {
      const auto number = parse_integer(field);
      constexpr index_t largest = index_t{1} << 31;
      if (!number.has_value() || *number < 0 || *number > largest) {
        malformed(text);
      }
      numbers.push_back(*number);
    }
    const index_t first = numbers[0];
    const index_t end = numbers.size() > 1 ? numbers[1] : first + 1;
    const index_t step = numbers.size() > 2 ? numbers[2] : 1;
    if (numbers.size() > 3 || first >= end || step == 0 || (end - first) / step > most_ids) {
      malformed(text);
    }
    for (index_t id = first; id < end; id += step) {
      if (std::find(ids.begin(), ids.end(), id) != ids.end()) {
        fail(ErrorKind::usage, "device argument '" + std::string(text) + "' names device " + std::to_string(id) + " twice");
      }
      ids.push_back(id);
    }
  }
  return ids;
}

std::vector<exec::Device> devices_of_class(char letter) {
  if (letter == 'C') {
    return exec::select_devices("host");
  }
  std::vector<exec::Device> chosen;
  for (const exec::Device device : exec::Device::all()) {
    if (!device.is_host() && device.is_gpu() == (letter == 'G')) {
      chosen.push_back(device);
    }
  }
  return chosen;
}

}  // namespace

bool is_device_class(std::string_view text) {
  return !text.empty() && std::string_view("CGA").find(text.front()) != std::string_view::npos &&
         text.substr(1).find_first_not_of("0123456789,:") == std::string_view::npos;
}

std::vector<exec::Device> select_device_class(std::string_view text) {
  std::vector<index_t> ids;
  if (text.size() > 1) {
    ids = parse_ids(text);
  }
  std::vector<exec::Device> all = devices_of_class(text.front());
  const std::string name = text.front() == 'C' ? "host" : text.front() == 'G' ? "GPU" : "other device (x86_64 offload)";
  PHPC_VALIDATE(!all.empty(), ErrorKind::device,
                "there is no " + name + " for '" + std::string(text) + "'; list devices with `portable-hpc devices`");
  if (ids.empty()) {
    if (text.front() == 'A') {
      all.erase(all.begin() + 1, all.end());
    }
    return all;
  }
  std::vector<exec::Device> chosen;
  for (const index_t id : ids) {
    PHPC_VALIDATE(id < static_cast<index_t>(all.size()), ErrorKind::device,
                  "there is no " + name + " " + std::to_string(id) + " for '" + std::string(text) + "' (there are " +
                      std::to_string(all.size()) + "); list devices with `portable-hpc devices`");
    chosen.push_back(all[static_cast<std::size_t>(id)]);
  }
  return chosen;
}

}  // namespace phpc::cli
