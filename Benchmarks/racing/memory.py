# SPDX-License-Identifier: Apache-2.0
"""What Linux says about the memory of this process."""


def resident(field="VmRSS"):
    """A size from /proc/self/status in bytes: VmRSS is the present one, VmHWM the peak."""
    with open("/proc/self/status") as lines:
        for line in lines:
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
    return 0


def forget_peak():
    """Lets VmHWM begin anew from the present size."""
    try:
        with open("/proc/self/clear_refs", "w") as stream:
            stream.write("5")
    except OSError:
        pass  # without the right to do so, a peak of the imports may be counted as well
