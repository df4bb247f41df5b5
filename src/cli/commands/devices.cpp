#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands/commands.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::cli {

namespace {

std::optional<exec::Device> device_of_auto() {
  try {
    return exec::select_devices("auto").front();
  } catch (const Error&) {  // the host, and OMP_TARGET_OFFLOAD=MANDATORY forbids it
    return std::nullopt;
  }
}

std::string known_bytes(std::uint64_t bytes) {
  return bytes == 0 ? "-" : format_bytes(bytes);
}

using TextRow = std::array<std::string, 7>;

TextRow text_row(exec::Device device, bool is_of_auto) {
  const std::string kind(exec::to_string(device.kind()));
  if (device.kind() == exec::DeviceKind::x86_64) {
    return {"", device.label(), kind, "-", "-", "-", "for tests: target regions on this processor, slower than the host"};
  }
  const exec::DeviceProperties& properties = device.properties();
  return {is_of_auto ? "*" : "",
          device.label(),
          kind,
          known_bytes(properties.memory_bytes),
          known_bytes(device.free_memory_bytes()),
          std::to_string(properties.compute_units),
          properties.name};
}

/// Columns under one another, with a star at what --device auto takes.
std::string aligned_table(const std::vector<exec::Device>& devices) {
  const std::optional<exec::Device> automatic = device_of_auto();
  std::vector<TextRow> rows{{"", "device", "kind", "memory", "free", "units", "name"}};
  for (const exec::Device device : devices) {
    rows.push_back(text_row(device, automatic == device));
  }
  const std::size_t last = rows.front().size() - 1;
  std::array<std::size_t, std::tuple_size_v<TextRow>> widths{};
  for (const TextRow& row : rows) {
    for (std::size_t column = 0; column < last; ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  std::string text;
  for (const TextRow& row : rows) {
    for (std::size_t column = 0; column < last; ++column) {
      text += fmt::format("{:<{}}  ", row[column], widths[column]);
    }
    text += row[last] + "\n";
  }
  const std::string without_image = exec::gpus_without_image();
  return text + (automatic ? "* is what --device auto takes\n" : "") + (without_image.empty() ? "" : without_image + "\n");
}

void write_table(io::OutputFile& out, io::TableFormat format, const std::vector<exec::Device>& devices, const Session& session) {
  io::TableWriter table(
      out, format,
      {"device", "kind", "name", "memory_bytes", "free_bytes", "scratch_bytes_per_team", "threads_per_team", "compute_units"},
      session.meta({}));
  for (const exec::Device device : devices) {
    const exec::DeviceProperties& properties = device.properties();
    table.row({device.label(), std::string(exec::to_string(properties.kind)), properties.name,
               static_cast<index_t>(properties.memory_bytes), static_cast<index_t>(device.free_memory_bytes()),
               static_cast<index_t>(properties.scratch_bytes), static_cast<index_t>(properties.max_team_size),
               static_cast<index_t>(properties.compute_units)});
  }
  table.finish();
}

int list_devices(Session& session, const std::string& format) {
  session.apply_threads();
  const std::vector<exec::Device> devices = exec::Device::all();
  io::OutputFile out("-");
  if (format == "text") {
    out.write(aligned_table(devices));
  } else {
    write_table(out, io::parse_table_format(format), devices, session);
  }
  out.commit();
  return exit_success;
}

}  // namespace

void add_devices_command(CLI::App& app, Session& session) {
  CLI::App* const command = app.add_subcommand("devices", "List the devices that --device can name");
  const auto format = std::make_shared<std::string>("text");
  command->add_option("--format", *format, "text: aligned, for people; tsv and json: all that is known of each device")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "tsv", "json"}))
      ->group("Output");
  session.add_common_options(*command);
  command->footer("Example: portable-hpc devices --format json");
  command->callback([&session, format] { session.action = [&session, format] { return list_devices(session, *format); }; });
}

}  // namespace phpc::cli
