package dev.sluice.cli.doctor;

import dev.sluice.cli.console.Terminal;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.files.PrivateFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the file for a report about the whole cluster. */
final class DoctorReportOption {

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write a report on the whole cluster as well, one HTML file: verdicts, findings, capacity,"
                    + " drivers, MIG, quotas. FILE ends in .html.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field.
    private @Nullable Path file = null;

    /** Returns true if the user gave the option. */
    boolean isGiven() {
        return file != null;
    }

    /**
     * Checks the name of the file. The caller must call this method before it reads the cluster, so that a wrong name
     * is reported at once.
     */
    public void check(Terminal terminal) {
        if (file != null && !file.toString().toLowerCase(Locale.ROOT).endsWith(".html")) {
            throw terminal.wrongUse("--report " + file + " does not end in .html; the report is a page for browsers");
        }
    }

    /** Writes the whole file. If that fails, nothing is written. */
    public void write(ClusterFacts facts, ClusterDiagnosis verdicts) throws ClusterStateException {
        if (file != null) {
            String page = HtmlPage.of(ClusterPage.of(facts, verdicts));
            PrivateFile.write(file, fresh -> Files.writeString(fresh, page));
        }
    }
}
