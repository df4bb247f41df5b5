// What a program outside this project does with the installed libraries.
#include <cstdio>
#include <phpc/core/parse.hpp>
#include <phpc/exec/device.hpp>
#include <phpc/io/table.hpp>

int main() {
  bool host = false;
  for (const phpc::exec::Device device : phpc::exec::Device::all()) {
    host = host || device.is_host();
  }
  if (!host || phpc::parse_integer("42") != 42 || phpc::io::parse_table_format("json") != phpc::io::TableFormat::json) {
    std::puts("the installed libraries give wrong answers");
    return 1;
  }
  std::puts("the installed libraries work");
}
