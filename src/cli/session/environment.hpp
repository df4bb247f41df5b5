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
    {"SLURM_STEP_ID", "Recorded; must be there for --shard srun, which is for tasks of an srun step alone."},
    {"SLURM_CPUS_PER_TASK", "A warning when there are more threads than that."},
    {"SLURM_JOB_ID", "This and the next are recorded in JSON and shown by -v; they never choose what is done."},
    {"SLURM_ARRAY_JOB_ID", "Recorded."},
    {"SLURM_ARRAY_TASK_ID", "Recorded."},
    {"SLURM_PROCID", "Recorded; the task's number for --shard srun."},
    {"SLURM_STEP_NUM_TASKS", "Recorded; how many tasks there are for --shard srun."},
    {"SLURM_RESTART_COUNT", "Recorded: how often the job was requeued."},
    {"SLURMD_NODENAME", "Recorded."},
    {"NO_COLOR", "Set to anything: no colours on a terminal."},
    {"COLUMNS", "Width of the help; without it the terminal's, or 80."},
    {"TMPDIR", "Folder of temporary files, which hold rows that wait for their header (SAM, VCF). The default is /tmp."},
    {"PHPC_SPIN_WAIT",
     "0: threads sleep while they wait for an NVIDIA device. The default is to spin, which saves about 10 microseconds a "
     "launch."},
    {"PHPC_TRACE", "1: a line on standard error for each kernel launch, with its teams, scratch and time."},
};

}  // namespace phpc::cli
