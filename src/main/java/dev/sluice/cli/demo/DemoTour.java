package dev.sluice.cli.demo;

import dev.sluice.api.CapacityReport;
import dev.sluice.cli.CapacityTable;
import dev.sluice.cli.console.AnsiStyle;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.explain.Manifest;
import dev.sluice.cli.explain.ManifestReader;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.ClusterStateException;
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
 * Runs the tour in {@code tour.yaml}: it replaces the cluster of the gateway for each scenario, sends the scenario's
 * pods, and prints the requests and answers. The printed answers are taken from the responses of the gateway.
 */
final class DemoTour {

    /**
     * The addresses in the commands that the user can try after the tour.
     *
     * @param webhook the URL for reviews, such as {@code https://localhost:8443}
     * @param management the URL for probes, metrics and the API, such as {@code http://localhost:9090}
     * @param authority the file with the certificate that curl must trust
     * @param launcher the command that starts Sluice, such as {@code bin/sluice}
     */
    record Addresses(URI webhook, URI management, Path authority, String launcher) {

        /**
         * Returns the path of the launcher, either as given or relative to the working directory, whichever is shorter.
         */
        public static String launcher(Path file) {
            return DemoFarewell.near(file).toString();
        }
    }

    /** Says whether the gateway continues to run after the tour. */
    enum Afterwards {
        SERVES_ON,
        ENDS
    }

    /** Reports that the gateway gave no usable answer. The message says what happened instead. */
    private static final class NoAnswer extends Exception {

        @Serial
        private static final long serialVersionUID = 1L;

        NoAnswer(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /**
     * The file of the cluster that the gateway uses after the tour. It has running and waiting pods, and nodes with
     * faults.
     */
    static final String FLEET = "clusters/fleet.yaml";

    /** The file of the pods that are created in the cluster of {@link #FLEET}, so that the console shows decisions. */
    private static final String PODS_OF_FLEET = "pods/fleet.yaml";

    private final DemoStage stage;
    private final Path directory;
    private final Addresses addresses;
    private final TerminalPage page;
    private final PrintWriter err;
    private final DemoStory story;
    private @Nullable ClusterSnapshot shown;

    /**
     * Creates the tour.
     *
     * @param directory the directory {@code conf/demo}
     * @param err the writer for the reason if the tour fails
     */
    public DemoTour(DemoStage stage, Path directory, Addresses addresses, TerminalPage page, PrintWriter err) {
        this.stage = stage;
        this.directory = directory;
        this.addresses = addresses;
        this.page = page;
        this.err = err;
        this.story = new DemoStory(page);
    }

    /**
     * Runs the complete tour and returns an exit code. If the gateway does not return an answer, the tour ends early.
     */
    public int play(Afterwards afterwards) throws InterruptedException {
        try {
            playScenarios();
            lastCluster();
            if (afterwards == Afterwards.SERVES_ON) {
                var _ = show(directory.resolve(FLEET));
                for (Manifest.ManifestPods pods : pods(PODS_OF_FLEET)) {
                    var _ = answers(pods);
                }
            }
            new DemoFarewell(page, directory, addresses).print(afterwards);
            page.out().flush();
            return ExitCode.DONE;
        } catch (NoAnswer broken) {
            return end(broken, ExitCode.NO);
        } catch (IOException | ClusterStateException | UserProblem unreadable) {
            return end(unreadable, ExitCode.WRONG_USE);
        }
    }

    private int end(Exception why, int code) {
        page.out().flush();
        new TerminalPage(err, AnsiStyle.PLAIN).words("", "The tour ends here: " + why.getMessage());
        err.flush();
        return code;
    }

    private void playScenarios()
            throws IOException, InterruptedException, ClusterStateException, UserProblem, NoAnswer {
        List<DemoScript.Scenario> scenarios = DemoScript.read(directory).scenarios();
        for (int i = 0; i < scenarios.size(); i++) {
            story.heading(i + 1, scenarios.get(i));
            for (DemoScript.Step step : scenarios.get(i).steps()) {
                playStep(step);
            }
        }
    }

    private void playStep(DemoScript.Step step)
            throws IOException, InterruptedException, ClusterStateException, UserProblem, NoAnswer {
        ClusterSnapshot cluster = show(directory.resolve(step.cluster()));
        shown = cluster;
        story.cluster(step, cluster);
        for (String file : step.pods()) {
            for (Manifest.ManifestPods pods : pods(file)) {
                story.pods(pods, answers(pods));
            }
        }
        page.out().flush();
    }

    private List<Manifest.ManifestPods> pods(String file) throws IOException, UserProblem {
        return Manifest.pods(ManifestReader.read(file, Files.readAllBytes(directory.resolve(file))));
    }

    private ClusterSnapshot show(Path cluster) throws InterruptedException, ClusterStateException, NoAnswer {
        try {
            return stage.showCluster(cluster);
        } catch (IOException failed) {
            throw new NoAnswer(failed);
        }
    }

    /** Sends a review for every pod, and returns the answers in the order of the pods. */
    private List<DemoStory.Told> answers(Manifest.ManifestPods pods) throws InterruptedException, NoAnswer {
        List<DemoStory.Told> told = new ArrayList<>();
        for (int i = 0; i < pods.copies(); i++) {
            DemoReview review = DemoReview.of(pods);
            told.add(new DemoStory.Told(DemoReview.asks(review.pod()), answer(review)));
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
