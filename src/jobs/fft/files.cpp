#include "jobs/fft/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <sstream>

#include "phpc/core/error.hpp"
#include "phpc/core/output_unread.hpp"
#include "phpc/io/input_file.hpp"

namespace phpc::jobs {

namespace {

constexpr std::string_view stem_mark = "{stem}";

std::string stem_of(const std::string& input) {
  return input == "-" ? "stdin" : std::filesystem::path(input).stem().string();
}

std::string filled_in(std::string pattern, const std::string& stem) {
  for (std::size_t at = pattern.find(stem_mark); at != std::string::npos; at = pattern.find(stem_mark, at + stem.size())) {
    pattern.replace(at, stem_mark.size(), stem);
  }
  return pattern;
}

}  // namespace

std::vector<std::string> input_paths(const std::vector<std::string>& named, const std::string& list) {
  std::vector<std::string> paths = named;
  if (!list.empty()) {
    io::InputFile file(list);
    std::istringstream lines(file.read_rest(io::InputFile::longest_list));
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty() && line.back() == '\r') {
        line.pop_back();
      }
      if (!line.empty()) {
        paths.push_back(line);
      }
    }
    PHPC_VALIDATE(!paths.empty(), ErrorKind::usage, fmt::format("'{}' names no file; write a path on each line", file.name()));
  }
  PHPC_VALIDATE(!paths.empty(), ErrorKind::usage,
                "no input; name files, - for standard input, or a list with --files-from; see portable-hpc fft --help");
  const auto pipes = std::count(paths.begin(), paths.end(), "-") + (list == "-" ? 1 : 0);
  PHPC_VALIDATE(pipes <= 1, ErrorKind::usage, "standard input is named twice; it can be read once");
  return paths;
}

std::vector<std::string> output_paths(const std::vector<std::string>& inputs, const std::string& output,
                                      const std::string& extension, const std::string& option) {
  namespace fs = std::filesystem;
  const bool is_pattern = output.find(stem_mark) != std::string::npos;
  if (inputs.size() == 1 && !is_pattern) {
    return {output};
  }
  std::string pattern = output;
  if (!is_pattern) {
    const bool is_folder = output.ends_with('/') || fs::is_directory(output) || fs::path(output).extension().empty();
    PHPC_VALIDATE(!output.empty() && output != "-" && is_folder, ErrorKind::usage,
                  fmt::format("{} inputs and one output '{}'; give a folder, or a pattern as in {} 'out/{{stem}}{}'",
                              inputs.size(), output.empty() ? "-" : output, option, extension));
    std::error_code problem;
    fs::create_directories(output, problem);
    if (problem && !fs::is_directory(output)) {
      fail_errno(fmt::format("cannot make the folder '{}'", output), problem.value());
    }
    pattern = (fs::path(output) / (std::string(stem_mark) + extension)).string();
  }
  std::vector<std::string> outputs;
  outputs.reserve(inputs.size());
  for (const std::string& input : inputs) {
    outputs.push_back(filled_in(pattern, stem_of(input)));
  }
  return outputs;
}

std::vector<std::string> share_of(const std::vector<std::string>& paths, const Shard& shard) {
  const exec::Range range = shard.of(static_cast<index_t>(paths.size()));
  return {paths.begin() + range.begin, paths.begin() + range.end};
}

bool are_up_to_date(const std::string& input, const std::vector<std::string>& results) {
  std::error_code problem;
  const auto made = std::filesystem::last_write_time(input, problem);
  return !problem && std::all_of(results.begin(), results.end(), [&](const std::string& result) {
    const auto written = std::filesystem::last_write_time(result, problem);
    return !problem && written >= made;
  });
}

bool for_each_input(const std::vector<std::string>& inputs, const Caller& caller, const std::function<void(std::size_t)>& work) {
  if (inputs.size() == 1) {
    work(0);
    return true;
  }
  std::size_t failures = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    try {
      work(i);
    } catch (const OutputUnread&) {
      throw;
    } catch (const Error& error) {
      const std::string message = error.what();
      const bool names_it = message.find("'" + inputs[i] + "'") != std::string::npos;
      caller.error(names_it ? message : inputs[i] + ": " + message);
      ++failures;
    } catch (const std::bad_alloc&) {
      caller.error(fmt::format("cannot transform '{}' (out of host memory); give smaller input", inputs[i]));
      ++failures;
    }
  }
  if (failures > 0) {
    caller.warning(fmt::format("{} of {} inputs failed", failures, inputs.size()));
  }
  return failures == 0;
}

}  // namespace phpc::jobs
