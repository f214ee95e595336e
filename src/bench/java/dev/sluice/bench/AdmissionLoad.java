package dev.sluice.bench;

import dev.sluice.bench.Round.Setting;
import dev.sluice.it.Figure;
import dev.sluice.it.LoadStage;
import dev.sluice.it.LoadStage.Absence;
import dev.sluice.it.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

/**
 * Creates GPU pods at a real API server from many threads, in rounds with and without the packaged gateway by turns,
 * and prints what the gateway costs there.
 */
public final class AdmissionLoad {

    private static final int PODS = Integer.getInteger("load.pods", 2_000);
    private static final int WRITERS = Integer.getInteger("load.writers", 64);
    private static final int PAIRS = Integer.getInteger("load.pairs", 3);
    private static final Absence ABSENCE =
            Absence.valueOf(System.getProperty("load.absence", "unregistered").toUpperCase(Locale.ROOT));
    private static final int NODES = Integer.getInteger("load.nodes", 200);

    private final LoadStage stage;
    private final Writers writers;
    private final List<String> pods =
            IntStream.range(0, PODS).mapToObj(LoadPods::pod).toList();

    private AdmissionLoad(LoadStage stage, Writers writers) {
        this.stage = stage;
        this.writers = writers;
    }

    /** Ends with an error if a pod was not created, or not decided on in a round with the gateway. */
    public static void main(String[] arguments) throws Exception {
        try (LoadStage stage = new LoadStage();
                Writers writers = new Writers(WRITERS)) {
            IntStream.range(0, NODES).mapToObj(SampleNodes::node).forEach(stage::addNode);
            List<Round> rounds = new ArrayList<>();
            AdmissionLoad load = new AdmissionLoad(stage, writers);
            System.out.printf(
                    "%,d pods of %,d bytes by %d writers, %d nodes, gateway %s between, load average %s%n",
                    PODS, load.pods.getFirst().length(), WRITERS, NODES, ABSENCE, loadAverage());
            System.out.println(Round.header());
            for (int pair = 1; pair <= PAIRS; pair++) {
                rounds.add(load.round(Setting.WITH, "with-" + pair));
                rounds.add(load.round(Setting.WITHOUT, "without-" + pair));
            }
            report(rounds);
            check(rounds);
            stage.forgetLogs();
        }
    }

    /** Both kinds begin with as many pods tried out, for every program to be warm. */
    private Round round(Setting setting, String namespace) throws Exception {
        stage.newNamespace(namespace);
        if (setting == Setting.WITH) {
            stage.bringGateway(namespace, pods.getFirst());
        }
        var _ = writers.send(pods, pod -> stage.tryOut(namespace, pod));
        Round round = measured(setting, namespace);
        System.out.println(round.row());
        if (setting == Setting.WITH) {
            stage.takeGatewayAway(namespace, pods.getFirst(), ABSENCE);
        }
        stage.deletePods(namespace);
        return round;
    }

    private Round measured(Setting setting, String namespace)
            throws IOException, InterruptedException, ExecutionException {
        Reading before = stage.read();
        Writers.Result result = writers.send(pods, pod -> stage.create(namespace, pod));
        return new Round(setting, result, stage.read().since(before));
    }

    private static void report(List<Round> rounds) {
        double with = median(paces(rounds, Setting.WITH));
        double without = median(paces(rounds, Setting.WITHOUT));
        System.out.printf("median pods/s: %.0f with, %.0f without, ratio %.2f%n", with, without, with / without);
        for (int pair = 0; pair + 1 < rounds.size(); pair += 2) {
            System.out.printf(
                    "pair %d: ratio %.2f%n",
                    1 + pair / 2, rounds.get(pair).pace() / rounds.get(pair + 1).pace());
        }
        Reading sum = rounds.stream()
                .filter(round -> round.setting() == Setting.WITH)
                .map(Round::grown)
                .reduce(Reading::plus)
                .orElseThrow();
        double calls = sum.of(Figure.CALLS);
        System.out.printf(
                "webhook calls: %.0f, mean %.2f ms; within 5 ms %.1f %%, 25 ms %.1f %%, 100 ms %.1f %%, 500 ms %.1f %%%n",
                calls,
                1e3 * sum.of(Figure.CALL_SECONDS) / calls,
                100 * sum.of(Figure.CALLS_WITHIN_5_MS) / calls,
                100 * sum.of(Figure.CALLS_WITHIN_25_MS) / calls,
                100 * sum.of(Figure.CALLS_WITHIN_100_MS) / calls,
                100 * sum.of(Figure.CALLS_WITHIN_500_MS) / calls);
        System.out.printf("fail-open %.0f, rejections %.0f%n", sum.of(Figure.FAIL_OPEN), sum.of(Figure.REJECTIONS));
        System.out.printf(
                "gateway: %.0f decisions, %.0f changed, %.0f HTTP errors, %.0f faults; mean review %.3f ms%n",
                sum.of(Figure.DECISIONS),
                sum.of(Figure.CHANGED),
                sum.of(Figure.HTTP_ERRORS),
                sum.of(Figure.FAULTS),
                1e3 * sum.of(Figure.REVIEW_SECONDS) / calls);
    }

    private static double[] paces(List<Round> rounds, Setting setting) {
        return rounds.stream()
                .filter(round -> round.setting() == setting)
                .mapToDouble(Round::pace)
                .sorted()
                .toArray();
    }

    private static double median(double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static void check(List<Round> rounds) {
        for (Round round : rounds) {
            // A changed pod is asked about again where ExtendedResourceToleration then adds a toleration to it.
            int asked = round.setting() == Setting.WITH ? PODS : 0;
            require("created", PODS, round.result().created());
            require("changed", asked / 2, round.result().changed());
            require(
                    "webhook calls",
                    asked + round.result().changed(),
                    round.grown().of(Figure.CALLS));
            require("decisions", asked + round.result().changed(), round.grown().of(Figure.DECISIONS));
            require("fail-open", 0, round.grown().of(Figure.FAIL_OPEN));
            require("rejections", 0, round.grown().of(Figure.REJECTIONS));
        }
    }

    private static void require(String what, int expected, double found) {
        if (found != expected) {
            throw new IllegalStateException("%s: %.0f instead of %d".formatted(what, found, expected));
        }
    }

    private static String loadAverage() throws IOException {
        return Files.readString(Path.of("/proc/loadavg")).strip();
    }
}
