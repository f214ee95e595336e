package dev.sluice.cli.demo;

import dev.sluice.cli.CapacityTable;
import dev.sluice.cli.ExitCode;
import dev.sluice.cli.Ink;
import dev.sluice.cli.Page;
import dev.sluice.cli.manifest.Manifest;
import dev.sluice.cli.manifest.ManifestReader;
import dev.sluice.cli.manifest.UnreadableManifest;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.codec.CapacityReport;
import dev.sluice.watch.SnapshotFile;
import dev.sluice.watch.SourceProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plays {@code tour.yaml}: shows the gateway one cluster after the other, sends it the pods of each scenario, and
 * prints what was asked and what was answered. What is printed about a pod is read out of the gateway's response.
 */
public final class DemoTour {

    /**
     * What the reader can try after the tour.
     *
     * @param webhook where the gateway listens, such as {@code https://localhost:8443}
     * @param management likewise, such as {@code http://localhost:9090}
     * @param authority the file with the certificate that curl must trust
     * @param launcher how a user starts Sluice, such as {@code bin/sluice}
     */
    public record Addresses(URI webhook, URI management, Path authority, String launcher) {}

    private final DemoStage stage;
    private final Path directory;
    private final Addresses addresses;
    private final Page page;
    private final DemoStory story;
    private @Nullable ClusterSnapshot shown;

    /** @param directory {@code conf/demo} */
    public DemoTour(DemoStage stage, Path directory, Addresses addresses, PrintWriter out) {
        this.stage = stage;
        this.directory = directory;
        this.addresses = addresses;
        this.page = new Page(out, Ink.ofThisProcess());
        this.story = new DemoStory(page);
    }

    /** Plays the whole tour; returns an exit code. An answer that is none ends it, and is told. */
    public int play() throws InterruptedException {
        int code = ExitCode.NO;
        try {
            List<DemoScript.Scenario> scenarios = DemoScript.read(directory).scenarios();
            for (int i = 0; i < scenarios.size(); i++) {
                story.heading(i + 1, scenarios.get(i));
                for (DemoScript.Step step : scenarios.get(i).steps()) {
                    play(step);
                }
            }
            farewell();
            code = ExitCode.DONE;
        } catch (IOException | SourceProblem | UnreadableManifest broken) {
            page.line();
            page.words("", page.ink().bad("The tour ends here:") + " " + broken.getMessage());
        }
        page.out().flush();
        return code;
    }

    private void play(DemoScript.Step step)
            throws IOException, InterruptedException, SourceProblem, UnreadableManifest {
        ClusterSnapshot cluster = stage.showCluster(
                SnapshotFile.read(directory.resolve(step.cluster())).nodes());
        shown = cluster;
        story.cluster(step, cluster);
        for (String file : step.pods()) {
            Path path = directory.resolve(file);
            for (Manifest manifest : ManifestReader.read(file, Files.readAllBytes(path))) {
                if (manifest instanceof Manifest.Pods pods) {
                    story.pods(pods, answers(pods));
                }
            }
        }
        page.out().flush();
    }

    /** Every pod is asked about by itself; the answers come in the order of the pods. */
    private List<DemoStory.Told> answers(Manifest.Pods pods) throws IOException, InterruptedException {
        List<DemoStory.Told> told = new ArrayList<>();
        for (int i = 0; i < pods.copies(); i++) {
            DemoReview review = DemoReview.of(pods);
            told.add(new DemoStory.Told(
                    DemoPod.asks(review.pod()), DemoAnswer.read(review, stage.review(review.body()))));
        }
        return told;
    }

    private void farewell() {
        if (shown != null) {
            page.line();
            page.line(page.ink().strong("What the last cluster offers"));
            page.line();
            new CapacityTable(page).print(CapacityReport.of(shown));
        }
        page.line();
        page.line(page.ink().strong("Try it by hand"));
        page.line();
        page.line("  a review, as the API server sends it:");
        page.line("    curl --cacert " + addresses.authority() + " \\");
        page.line(
                "      -H 'Content-Type: application/json' --data-binary @" + directory.resolve("review.json") + " \\");
        page.line("      " + addresses.webhook() + "/mutate");
        page.line("  the same decision, explained node by node:");
        page.line("    " + addresses.launcher() + " explain -f " + directory.resolve("review.json") + " \\");
        page.line("      --cluster-snapshot " + directory.resolve("clusters/mixed.yaml"));
        page.line("  what the gateway tells of itself:");
        page.line("    "
                + List.of("/api/v1/capacity", "/readyz?verbose", "/metrics").stream()
                        .map(path -> addresses.management() + path)
                        .collect(Collectors.joining("\n    ")));
    }
}
