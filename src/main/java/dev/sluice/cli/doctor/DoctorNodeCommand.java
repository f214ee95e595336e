package dev.sluice.cli.doctor;

import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code sluice doctor node}. */
@Command(
        name = "node",
        header = "Prints a script that collects what a GPU node says of itself.",
        description = {
            "",
            "The script is for /bin/sh and reads only: the driver, the GPUs with their MIG mode and instances, the"
                    + " driver's errors (Xid) in the kernel's log, the sockets of device plugins, the numbers in the"
                    + " kubelet's checkpoint, and whether the container runtime knows NVIDIA. What it prints holds no"
                    + " names of pods.",
            ""
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:",
            "  sluice doctor node | ssh root@n1 sh > n1.txt",
            "  sluice doctor --node-bundle n1.txt",
            "",
            "NODE_NAME names the node where its host has another name: ssh root@10.0.0.7 NODE_NAME=n1 sh."
        })
final class DoctorNodeCommand implements Callable<Integer> {

    @Mixin
    private final Terminal terminal = new Terminal();

    @Override
    public Integer call() throws IOException {
        try (InputStream script =
                Objects.requireNonNull(DoctorNodeCommand.class.getResourceAsStream("/doctor-node.sh"))) {
            terminal.out().print(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
        terminal.out().flush();
        return ExitCode.DONE;
    }
}
