#pragma once
#include <string_view>

namespace phpc::cli {

/// A variable of the environment that changes results or speed.
struct EnvironmentVariable {
  const char* name;
  std::string_view meaning;
};

/// All that the program or its run-time libraries read and a user may want: shown in the man page, recorded in the meta block of
/// JSON output.
inline constexpr EnvironmentVariable environment_read[] = {
    {"OMP_NUM_THREADS", "Host threads where --threads is 0."},
    {"OMP_TARGET_OFFLOAD",
     "MANDATORY: refuse to run on the host, whether named or taken by auto. DISABLED: see no device but the host."},
    {"CUDA_VISIBLE_DEVICES", "Which NVIDIA devices the program sees, and in which order."},
    {"ROCR_VISIBLE_DEVICES", "Which AMD devices the program sees, and in which order."},
    {"SLURM_STEP_ID", "With SLURM_PROCID and SLURM_STEP_NUM_TASKS: the task of an srun step, for --shard srun."},
    {"NO_COLOR", "Set to anything: no colours on a terminal."},
    {"TMPDIR", "Folder of temporary files, which hold rows that wait for their header (SAM, VCF). The default is /tmp."},
    {"PHPC_SPIN_WAIT",
     "0: threads sleep while they wait for an NVIDIA device. The default is to spin, which saves about 10 microseconds a "
     "launch."},
};

}  // namespace phpc::cli
