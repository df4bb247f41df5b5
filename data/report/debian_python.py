"""Sees that Python has matplotlib and numpy: where another Python is the first on the PATH, Debian's own has its packages."""
import importlib.util
import os
import sys

DEBIAN = "/usr/bin/python3"


def ensure(who):
    """Returns where both are there; starts the same command by Debian's Python where this one has them not, or ends with one
    line."""
    missing = [name for name in ("numpy", "matplotlib") if importlib.util.find_spec(name) is None]
    if not missing:
        return
    if os.access(DEBIAN, os.X_OK) and "PHPC_REPORT_PYTHON" not in os.environ:
        os.environ["PHPC_REPORT_PYTHON"] = sys.executable
        sys.stdout.flush()
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    sys.exit(f"{who}: there is no {' and no '.join(missing)} for Python; install " +
             " ".join("python3-" + name for name in missing))
