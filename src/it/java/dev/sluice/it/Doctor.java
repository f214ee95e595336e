package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The packaged {@code sluice doctor}, on a live cluster. */
record Doctor(Path kubeconfig) {

    private static final ObjectMapper JSON = new ObjectMapper();

    static Doctor of(Cluster cluster) {
        return new Doctor(cluster.plane().kubeconfig());
    }

    Command.Ended run(String... options) {
        List<String> words = Stream.concat(
                        Stream.of(Gateway.LAUNCHER.toString(), "doctor", "--kubeconfig", kubeconfig.toString()),
                        Stream.of(options))
                .toList();
        return Command.in(Path.of("."), words).run();
    }

    JsonNode report(String... options) {
        Command.Ended run =
                run(Stream.concat(Stream.of("-o", "json"), Stream.of(options)).toArray(String[]::new));
        assertThat(run.code()).as(run.complaint()).isZero();
        try {
            return JSON.readTree(run.output());
        } catch (IOException noJson) {
            throw new AssertionError(run.output(), noJson);
        }
    }

    /** What {@code sluice explain} knows of why a pod would not get what it asks for. */
    JsonNode knownFaults(String pod) throws IOException {
        String explained = Command.in(
                        Path.of("."),
                        Gateway.LAUNCHER.toString(),
                        "explain",
                        "--kubeconfig",
                        kubeconfig.toString(),
                        "-o",
                        "json",
                        "-f",
                        "-")
                .reading(pod)
                .output();
        return JSON.readTree(explained).at("/pods/0/knownFaults");
    }

    /** As in {@code ConstraintMismatch [cordon]}; empty where the report does not name the pod. */
    String verdict(String namespace, String name) {
        for (JsonNode pod : report().path("pods")) {
            if (pod.path("namespace").asText().equals(namespace)
                    && pod.path("name").asText().startsWith(name)) {
                List<String> details = new ArrayList<>();
                pod.path("also").forEach(code -> details.add(code.asText()));
                pod.path("reasons").forEach(reason -> details.add(reason.asText()));
                return pod.path("verdict").asText() + (details.isEmpty() ? "" : " " + details);
            }
        }
        return "";
    }

    /** The verdict of a pod with what the doctor says of it; empty where the report does not name the pod. */
    private String explained(String namespace, String name) {
        for (JsonNode pod : report().path("pods")) {
            if (pod.path("namespace").asText().equals(namespace)
                    && pod.path("name").asText().startsWith(name)) {
                return pod.path("verdict").asText() + ": "
                        + pod.path("explanation").asText();
            }
        }
        return "";
    }

    /** Until the doctor gives a pod this verdict, and all these texts are in what it says. */
    void awaitExplanation(Cluster cluster, String name, String verdict, String... texts) {
        String[] last = {""};
        Eventually.holds(() -> name + " is " + verdict + " with " + List.of(texts) + ", last " + last[0], () -> {
            last[0] = explained(cluster.namespace(), name);
            return last[0].startsWith(verdict + ": ") && Stream.of(texts).allMatch(last[0]::contains);
        });
    }

    /** Until the verdict of a pod is this one; the scheduler needs a moment to see a repair. */
    void awaitVerdict(Cluster cluster, String name, String verdict) {
        String[] last = {""};
        Eventually.holds(() -> name + " is " + verdict + ", last " + last[0], () -> {
            last[0] = verdict(cluster.namespace(), name);
            return last[0].equals(verdict);
        });
    }
}
