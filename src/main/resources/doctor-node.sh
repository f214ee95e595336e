#!/bin/sh
# Prints what this node knows of its NVIDIA GPUs. It reads only, and changes nothing. Run it on the node as root, or in
# a privileged pod after "chroot /host", and give what it prints to "sluice doctor --node-bundle FILE".
# NODE_NAME is the name of the node in the cluster, where that is not the name of the host.

# A command that is missing or fails is a line of its section, so there is no "set -e".
LC_ALL=C
export LC_ALL
kubelet=/var/lib/kubelet/device-plugins

section() {
    echo "--- sluice:$1 ---"
}

# The first lines of what the command says, and how it ended if that was not well.
run() {
    if ! command -v "$1" > /dev/null 2>&1; then
        echo "! $1 is not on the PATH"
        return
    fi
    # A driver that hangs must not hang this script.
    if command -v timeout > /dev/null 2>&1; then
        set -- timeout 30 "$@"
    fi
    { "$@" 2>&1 < /dev/null || echo "! it ended with status $?"; } | head -n 2000
}

section node
echo "format: 1"
echo "name: ${NODE_NAME:-$(uname -n)}"
echo "time: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
echo "kernel: $(uname -r)"

section driver
if [ -r /proc/driver/nvidia/version ]; then
    cat /proc/driver/nvidia/version
else
    echo "! /proc/driver/nvidia/version does not exist: the kernel module is not loaded"
fi

section gpus
run nvidia-smi --format=csv,noheader \
    --query-gpu=index,pci.bus_id,name,driver_version,mig.mode.current,mig.mode.pending

section devices
run nvidia-smi -L

section xids
{
    if command -v journalctl > /dev/null 2>&1; then
        journalctl --dmesg --no-pager --quiet --output=short-iso 2> /dev/null
    else
        dmesg 2> /dev/null || echo "! the kernel's log cannot be read"
    fi
} | grep -e '^!' -e 'NVRM: Xid' | tail -n 50

section sockets
if [ -d "$kubelet" ]; then
    ls "$kubelet"
else
    echo "! $kubelet does not exist"
fi

# Only how many devices each resource has, and how many containers got some.
section checkpoint
if [ -r "$kubelet/kubelet_internal_checkpoint" ]; then
    sed -n 's/.*"RegisteredDevices":{\([^}]*\)}.*/\1/p' "$kubelet/kubelet_internal_checkpoint" | tr ']' '\n' \
        | awk -F'"' 'NF > 2 { print "registered " $2 " " (NF - 1) / 2 - 1 }'
    grep -o '"ResourceName":"[^"]*"' "$kubelet/kubelet_internal_checkpoint" | cut -d '"' -f 4 | sort | uniq -c \
        | while read -r count resource; do echo "given $resource $count"; done
else
    echo "! $kubelet/kubelet_internal_checkpoint cannot be read"
fi

section runtime
grep -l -s nvidia /etc/containerd/config.toml /etc/containerd/conf.d/*.toml /etc/crio/crio.conf /etc/crio/crio.conf.d/* \
    /etc/docker/daemon.json /etc/cdi/* /var/run/cdi/* /var/lib/rancher/*/agent/etc/containerd/config.toml \
    || echo "! no configuration of a container runtime, and no CDI file, names nvidia"

section end
