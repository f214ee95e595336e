package dev.sluice.cli.doctor;

import dev.sluice.cli.console.ConnectionOption;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.kube.client.KubeconfigAdvice;
import dev.sluice.kube.facts.FactsFiles;
import dev.sluice.kube.facts.KubectlFileLimits;
import dev.sluice.kube.facts.LiveFactLists;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that select the input of the command {@code doctor}: files or the live cluster. */
final class DoctorSource {

    @Option(
            names = "--cluster-snapshot",
            paramLabel = "FILE",
            description = "A List as kubectl get … -A -o json (or yaml) writes it, gzipped or not, or a directory of"
                    + " kubectl cluster-info dump. May be given several times. Without it: the live cluster.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field.
    private List<Path> files = List.of();

    @Option(
            names = "--read-limit",
            paramLabel = "MIB",
            description = "The length of all these files together, after decompression (${DEFAULT-VALUE}).")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field.
    private int readLimit = KubectlFileLimits.MEBIBYTES;

    @Mixin
    private final ConnectionOption connection = new ConnectionOption();

    @Option(
            names = "--collect",
            paramLabel = "FILE",
            description = "Write what was read of the live cluster as a List, gzipped where the name ends in .gz:"
                    + " without environment, annotations, arguments, volumes and users' images. The messages of events"
                    + " stay.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field.
    private @Nullable Path collect = null;

    /** Returns true if the user has selected a source. */
    boolean isGiven() {
        return !files.isEmpty() || connection.isGiven() || collect != null;
    }

    DoctorFactsSource open(Terminal terminal) throws ClusterStateException {
        if (files.isEmpty()) {
            return new DoctorLiveSource(
                    LiveFactLists.of(connection.open(KubeconfigAdvice.OPTIONS)),
                    DoctorProgressLine.on(terminal.rawErr()),
                    collect);
        }
        if (connection.isGiven() || collect != null) {
            throw terminal.wrongUse("--kubeconfig, --context and --collect are for the live cluster; leave out"
                    + " --cluster-snapshot");
        }
        KubectlFileLimits limits = KubectlFileLimits.ofCommand(terminal.atLeastOneMebibyte(readLimit));
        DoctorProgressLine line = DoctorProgressLine.on(terminal.rawErr());
        return () -> {
            try {
                return FactsFiles.read(files, limits, line);
            } finally {
                line.clear();
            }
        };
    }
}
