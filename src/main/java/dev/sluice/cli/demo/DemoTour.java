package dev.sluice.cli.demo;

import dev.sluice.capacity.CapacityReport;
import dev.sluice.cli.capacity.CapacityTable;
import dev.sluice.cli.console.AnsiStyle;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cli.manifest.Manifest;
import dev.sluice.cli.manifest.ManifestReader;
import dev.sluice.cli.manifest.UnreadableManifest;
import dev.sluice.node.Node;
import dev.sluice.snapshot.ClusterSnapshot;
import dev.sluice.snapshotfile.SnapshotFile;
import dev.sluice.source.SourceProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Serial;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    public record Addresses(URI webhook, URI management, Path authority, String launcher) {

        /** A launcher that is there, named as briefly as it can be from the working directory. */
        public static String launcher(Path file) {
            return Farewell.near(file).toString();
        }
    }

    /** What becomes of the gateway when the tour is over. */
    public enum Afterwards {
        SERVES_ON,
        ENDS
    }

    /** Where the tour is told, and where it is told that it could not go on. */
    public record TourOutput(PrintWriter out, PrintWriter err) {}

    /** Something that is no answer, with what it is as its message. */
    private static final class NoAnswer extends Exception {

        @Serial
        private static final long serialVersionUID = 1L;

        NoAnswer(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    private final DemoStage stage;
    private final Path directory;
    private final Addresses addresses;
    private final TerminalPage page;
    private final PrintWriter err;
    private final DemoStory story;
    private @Nullable ClusterSnapshot shown;

    /** @param directory {@code conf/demo} */
    public DemoTour(DemoStage stage, Path directory, Addresses addresses, TourOutput output) {
        this.stage = stage;
        this.directory = directory;
        this.addresses = addresses;
        this.page = new TerminalPage(output.out(), AnsiStyle.ofThisProcess());
        this.err = output.err();
        this.story = new DemoStory(page);
    }

    /** Plays the whole tour; returns an exit code. An answer that is none ends it, and is told. */
    public int play(Afterwards afterwards) throws InterruptedException {
        try {
            playScenarios();
            lastCluster();
            new Farewell(page, directory, addresses).print(afterwards);
            page.out().flush();
            return ExitCode.DONE;
        } catch (NoAnswer broken) {
            return end(broken, ExitCode.NO);
        } catch (IOException | SourceProblem | UnreadableManifest unreadable) {
            return end(unreadable, ExitCode.WRONG_USE);
        }
    }

    private int end(Exception why, int code) {
        page.out().flush();
        new TerminalPage(err, AnsiStyle.PLAIN).words("", "The tour ends here: " + why.getMessage());
        err.flush();
        return code;
    }

    private void playScenarios() throws IOException, InterruptedException, SourceProblem, UnreadableManifest, NoAnswer {
        List<DemoScript.Scenario> scenarios = DemoScript.read(directory).scenarios();
        for (int i = 0; i < scenarios.size(); i++) {
            story.heading(i + 1, scenarios.get(i));
            for (DemoScript.Step step : scenarios.get(i).steps()) {
                playStep(step);
            }
        }
    }

    private void playStep(DemoScript.Step step)
            throws IOException, InterruptedException, SourceProblem, UnreadableManifest, NoAnswer {
        ClusterSnapshot cluster =
                show(SnapshotFile.read(directory.resolve(step.cluster())).nodes());
        shown = cluster;
        story.cluster(step, cluster);
        for (String file : step.pods()) {
            Path path = directory.resolve(file);
            for (Manifest manifest : ManifestReader.read(file, Files.readAllBytes(path))) {
                if (manifest instanceof Manifest.ManifestPods pods) {
                    story.pods(pods, answers(pods));
                }
            }
        }
        page.out().flush();
    }

    private ClusterSnapshot show(List<Node> nodes) throws InterruptedException, NoAnswer {
        try {
            return stage.showCluster(nodes);
        } catch (IOException failed) {
            throw new NoAnswer(failed);
        }
    }

    /** Every pod is asked about by itself; the answers come in the order of the pods. */
    private List<DemoStory.Told> answers(Manifest.ManifestPods pods) throws InterruptedException, NoAnswer {
        List<DemoStory.Told> told = new ArrayList<>();
        for (int i = 0; i < pods.copies(); i++) {
            DemoReview review = DemoReview.of(pods);
            told.add(new DemoStory.Told(DemoPod.asks(review.pod()), answer(review)));
        }
        return told;
    }

    private DemoAnswer answer(DemoReview review) throws InterruptedException, NoAnswer {
        try {
            return DemoAnswer.read(review, stage.review(review.body()));
        } catch (IOException failed) {
            throw new NoAnswer(failed);
        }
    }

    private void lastCluster() {
        if (shown != null) {
            page.line();
            page.line(page.style().strong("What the last cluster offers"));
            page.line();
            new CapacityTable(page).print(CapacityReport.ofDevices(shown));
        }
    }
}
