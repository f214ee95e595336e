package dev.sluice.cli.doctor;

import dev.sluice.cli.console.Terminal;
import dev.sluice.cluster.SourceProblem;
import dev.sluice.doctor.ClusterReport;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.report.ClusterPage;
import dev.sluice.doctor.report.ReportPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Option;

/** The option that names the files for a report on the whole cluster. */
final class ReportOption {

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write a report on the whole cluster as well: verdicts, findings, capacity, drivers, MIG,"
                    + " quotas. FILE ends in .md or .html. May be given several times.")
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    private List<Path> files = List.of();

    /** To be called before anything is read. */
    public void check(Terminal terminal) {
        for (Path file : files) {
            if (ReportFormat.of(file).isEmpty()) {
                throw terminal.wrongUse("--report " + file + " ends neither in .md nor in .html; give it one of them");
            }
        }
    }

    /** Writes each file in one step. */
    public void write(ClusterFacts facts, ClusterReport verdicts) throws SourceProblem {
        if (!files.isEmpty()) {
            ReportPage page = ClusterPage.of(facts, verdicts);
            for (Path file : files) {
                write(file, ReportFormat.of(file).orElseThrow().text(page));
            }
        }
    }

    private static void write(Path file, String text) throws SourceProblem {
        try {
            // A temporary file has mode 0600 from its first byte: a report names users' pods.
            Path fresh = Files.createTempFile(
                    Objects.requireNonNull(file.toAbsolutePath().getParent()), ".sluice-", ".tmp");
            try {
                Files.writeString(fresh, text);
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException failed) {
            throw new SourceProblem(
                    file + " cannot be written (" + failed.getMessage()
                            + "); name a file in a directory that exists and that you may write",
                    failed);
        }
    }
}
