package dev.sluice.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Decider;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.cli.console.AnsiStyle;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.kube.decode.NotAReviewException;
import dev.sluice.kube.decode.ReviewDecoder;
import dev.sluice.kube.decode.ReviewEncoder;
import dev.sluice.kube.watch.SnapshotFile;
import dev.sluice.ledger.placement.PlacementNodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class DemoTourTest {

    private static final Path DEMO = Path.of("conf/demo");
    private static final Path PICTURE = Path.of("src/test/resources/dev/sluice/cli/tour.txt");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** A gateway without a network: the same decoder, decision and encoder. */
    private static final class Indoors implements DemoStage {

        private final PlacementNodes ledger = new PlacementNodes();
        private final List<AdmissionReview> reviews = new ArrayList<>();
        private UnaryOperator<Reply> answers = reply -> reply;

        @Override
        public ClusterSnapshot showCluster(Path file) throws ClusterStateException {
            var _ = ledger.apply(
                    new NodeEvent.NodesListed(SnapshotFile.read(file).nodes(), 0));
            return ledger.snapshot();
        }

        @Override
        public Reply review(byte[] body) throws IOException {
            try {
                AdmissionReview review = new ReviewDecoder().decode(body);
                reviews.add(review);
                var pod = (AdmissionReview.PodObject.ReadPod) review.object();
                Verdict verdict = Decider.decide(pod.request(), NamespacePolicy.of(Policy.DEFAULT), ledger.snapshot());
                byte[] answer = ReviewEncoder.encode(review.uid(), verdict, Wording.of(verdict));
                return answers.apply(new Reply(200, new String(answer, StandardCharsets.UTF_8)));
            } catch (NotAReviewException broken) {
                throw new IOException(broken);
            }
        }
    }

    private int play(DemoStage stage) throws InterruptedException {
        return tour(stage, DEMO, "bin/sluice").play(DemoTour.Afterwards.SERVES_ON);
    }

    private DemoTour tour(DemoStage stage, Path directory, String launcher) {
        var addresses = new DemoTour.Addresses(
                URI.create("https://localhost:8443"),
                URI.create("http://localhost:9090"),
                Path.of("demo-ca.crt"),
                launcher);
        return new DemoTour(
                stage,
                directory,
                addresses,
                new TerminalPage(new PrintWriter(out), AnsiStyle.PLAIN),
                new PrintWriter(err));
    }

    @Test
    void looksLikeThePicture() throws IOException, InterruptedException {
        int code = play(new Indoors());

        assertThat(code).isZero();
        assertThat(out.toString()).isEqualTo(Files.readString(PICTURE));
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void sendsEveryPodByItselfAsPodsWithoutANameYet() throws InterruptedException {
        Indoors stage = new Indoors();

        int code = play(stage);

        assertThat(code).isZero();
        assertThat(stage.reviews).allMatch(AdmissionReview::isPodCreation);
        assertThat(stage.reviews.stream().map(AdmissionReview::uid)).doesNotHaveDuplicates();
        assertThat(stage.reviews.stream().map(AdmissionReview::podName))
                .hasSize(10 + 3 + 1 + 1 + 3 + 2 + 7 + 1 + 6)
                .contains("serve-*", "nightly-*", "bare");
    }

    @Test
    void printsOnlyWhatTheGatewayAnswered() throws InterruptedException {
        Indoors stage = new Indoors();
        stage.answers = reply -> new DemoStage.Reply(200, reply.body().replace("no node offers", "the moon lacks"));

        int code = play(stage);

        assertThat(code).isZero();
        assertThat(out.toString())
                .contains("the moon lacks nvidia.com/mig-2g.20gb")
                .doesNotContain("no node offers");
    }

    @Test
    void endsPlainlyWhenTheGatewayAnswersAnError() throws InterruptedException {
        Indoors stage = new Indoors();
        stage.answers = _ -> new DemoStage.Reply(503, "not ready\n");

        int code = play(stage);

        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("The tour ends here: the gateway answered 503: not ready\n");
        assertThat(out.toString()).doesNotContain("The tour ends here", "Try it by hand");
    }

    @Test
    void takesNoAnswerToAnotherReview() throws InterruptedException {
        Indoors stage = new Indoors();
        stage.answers =
                reply -> new DemoStage.Reply(200, reply.body().replaceFirst("\"uid\":\"....", "\"uid\":\"0000"));

        int code = play(stage);

        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("the gateway answered another review than it was asked");
    }

    @Test
    void unreadableTourFilesAreWrongUse() throws InterruptedException {
        int code = tour(new Indoors(), Path.of("conf/none"), "bin/sluice").play(DemoTour.Afterwards.SERVES_ON);

        assertThat(code).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("The tour ends here:", "conf/none");
    }

    @Test
    void offersNothingOfAGatewayThatEnds() throws InterruptedException {
        int code = tour(new Indoors(), DEMO, "bin/sluice").play(DemoTour.Afterwards.ENDS);

        assertThat(code).isZero();
        assertThat(out.toString())
                .contains("bin/sluice explain \\\n      -f conf/demo/review.json")
                .doesNotContain("curl", "http");
    }

    @Test
    void keepsToTheColumnsWithALongLauncherAndAbsolutePaths() throws InterruptedException {
        String launcher = "/" + "l".repeat(90) + "/s";

        int code = tour(new Indoors(), DEMO.toAbsolutePath(), launcher).play(DemoTour.Afterwards.SERVES_ON);

        assertThat(code).isZero();
        assertThat(out.toString()).contains("@conf/demo/review.json", "--cluster-snapshot conf/demo/clusters");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void theReviewToTryByHandIsChangedOnTheLastCluster() throws IOException, InterruptedException {
        Indoors stage = new Indoors();
        int code = play(stage);

        DemoStage.Reply reply = stage.review(Files.readAllBytes(DEMO.resolve("review.json")));

        assertThat(code).isZero();
        assertThat(reply.body()).contains("\"patchType\":\"JSONPatch\"").contains("\"decision\":\"changed\"");
    }
}
