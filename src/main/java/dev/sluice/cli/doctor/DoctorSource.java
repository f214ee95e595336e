package dev.sluice.cli.doctor;

import dev.sluice.cli.console.Terminal;
import dev.sluice.event.SourceProblem;
import dev.sluice.factsfile.FactsFiles;
import dev.sluice.factslive.ClusterLists;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what the doctor reads: files, or the live cluster. */
final class DoctorSource {

    @Option(
            names = "--cluster-snapshot",
            paramLabel = "FILE",
            description = "A List as kubectl get … -A -o json (or yaml) writes it, gzipped or not, or a directory of"
                    + " kubectl cluster-info dump. May be given several times. Without it: the live cluster.")
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    private List<Path> files = List.of();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Of the live cluster. Without it: KUBECONFIG, ~/.kube/config or the account of the pod.")
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    private @Nullable Path kubeconfig = null;

    @Option(names = "--context", paramLabel = "NAME", description = "Of the kubeconfig. Without it: the current one.")
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    private @Nullable String context = null;

    @Option(
            names = "--collect",
            paramLabel = "FILE",
            description = "Write what was read of the live cluster as a List, gzipped where the name ends in .gz:"
                    + " without environment, annotations, arguments, volumes and images. The messages of events stay.")
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    private @Nullable Path collect = null;

    FactsSource open(Terminal terminal) throws SourceProblem {
        if (files.isEmpty()) {
            return new LiveSource(ClusterLists.open(kubeconfig, context), ListingLine.on(terminal.err()), collect);
        }
        if (kubeconfig != null || context != null || collect != null) {
            throw terminal.wrongUse("--kubeconfig, --context and --collect are for the live cluster; leave out"
                    + " --cluster-snapshot");
        }
        return () -> FactsFiles.read(files);
    }
}
