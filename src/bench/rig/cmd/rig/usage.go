package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// cpuTime is what a process has used, user and system, all its threads, also those that have ended. It comes from the
// process's CPU clock, which counts nanoseconds; /proc counts hundredths of a second, too coarse for a burst.
func cpuTime(pid int) (time.Duration, error) {
	const ofWholeProcess = 2 // CPUCLOCK_SCHED
	clock := int32(^pid<<3 | ofWholeProcess)
	var t syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(clock), uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		return 0, fmt.Errorf("the CPU clock of process %d: %w", pid, errno)
	}
	return time.Duration(t.Nano()), nil
}

// resident gives the resident size of a process and its highest one since the process began, in MiB.
func resident(pid int) (now, highest float64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		kib, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 64)
		switch name {
		case "VmRSS":
			now = kib / 1024
		case "VmHWM":
			highest = kib / 1024
		}
	}
	return now, highest, nil
}

// machineTime gives the CPU time that all processes have used, and what the hypervisor gave to other machines.
func machineTime() (used, stolen time.Duration) {
	const tick = 10 * time.Millisecond // USER_HZ is fixed on Linux.
	stat, _ := os.ReadFile("/proc/stat")
	fields := strings.Fields(string(stat))
	for i := 1; i <= 8 && i < len(fields); i++ {
		ticks, _ := strconv.ParseInt(fields[i], 10, 64)
		switch i {
		case 4, 5: // idle, and waiting for a disk
		case 8:
			stolen = time.Duration(ticks) * tick
		default:
			used += time.Duration(ticks) * tick
		}
	}
	return used, stolen
}
