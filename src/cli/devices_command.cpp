#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/app.hpp"

namespace phpc::cli {

namespace {

int list_devices(Session& session) {
  session.apply_threads();
  const std::vector<exec::Device> devices = exec::Device::all();
  io::OutputFile out("-");
  io::TableWriter table(
      out, session.table_format(),
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
  out.commit();
  return exit_success;
}

}  // namespace

void add_devices_command(CLI::App& app, Session& session) {
  CLI::App* const command = app.add_subcommand("devices", "List the devices that --device can name");
  session.add_format_option(*command);
  session.add_common_options(*command);
  command->footer("Example: portable-hpc devices --format json");
  command->callback([&session] { session.action = [&session] { return list_devices(session); }; });
}

}  // namespace phpc::cli
