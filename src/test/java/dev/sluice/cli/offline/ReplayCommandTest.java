package dev.sluice.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cli.Cli;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayCommandTest {

    private static final Instant START = Instant.parse("2026-11-20T08:00:00Z");

    @TempDir
    private Path directory;

    private Path cluster;
    private Path policy;
    private Path availability;

    @BeforeEach
    void writeTheClusterAndThePolicies() throws IOException {
        // A node with two slices of 2g.20gb and four of 1g.10gb.
        cluster = file("cluster.yaml", """
                apiVersion: v1
                kind: List
                items:
                - apiVersion: v1
                  kind: Node
                  metadata: { name: n, labels: { kubernetes.io/hostname: n } }
                  status:
                    capacity: { cpu: "64", memory: 512Gi, pods: "110", nvidia.com/mig-2g.20gb: "2", nvidia.com/mig-1g.10gb: "4" }
                    allocatable: { cpu: "64", memory: 512Gi, pods: "110", nvidia.com/mig-2g.20gb: "2", nvidia.com/mig-1g.10gb: "4" }
                """);
        policy = file("policy.yaml", "policy: { chains: { nvidia.com/mig-3g.40gb: [nvidia.com/mig-1g.10gb] } }\n");
        availability = file(
                "availability.yaml",
                "policy: { mode: availability, chains: { nvidia.com/mig-2g.20gb: [nvidia.com/mig-1g.10gb] } }\n");
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private Cli replay(Path input, Path config, Object... more) {
        Object[] arguments = new Object[6 + more.length];
        Object[] first = {"replay", input, "--cluster-snapshot", cluster, "--config", config};
        System.arraycopy(first, 0, arguments, 0, 6);
        System.arraycopy(more, 0, arguments, 6, more.length);
        return Cli.run(arguments);
    }

    private static String resources(String gpu) {
        return "{\"limits\": {\"nvidia.com/%1$s\": \"1\"}, \"requests\": {\"nvidia.com/%1$s\": \"1\"}}".formatted(gpu);
    }

    /** A pod as the API server stores it. */
    private static String pod(String name, int second, String gpu, String metadata, String status) {
        return """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "team-a", "uid": "uid-%s",
                 "creationTimestamp": "%s"%s}, "spec": {"nodeName": "n", "containers": [{"name": "c", "resources": %s}]},
                 "status": {%s}}""".formatted(name, name, START.plusSeconds(second), metadata, resources(gpu), status);
    }

    @Test
    void leavesOutPodsAboutWhichSluiceIsNotAsked() throws IOException {
        String mirror = ", \"annotations\": {\"kubernetes.io/config.mirror\": \"1\"}";
        String changed = ", \"annotations\": {\"kubernetes.io/config.mirror\": \"1\","
                + " \"gpu-webhook.k8s.io/fallback\": \"3g.40gb->2g.20gb\"}";
        Path pods = file(
                "pods.json",
                list(
                        pod("static", 0, "mig-3g.40gb", mirror, ""),
                        pod("system", 1, "mig-3g.40gb", "", "").replace("team-a", "kube-system"),
                        pod("ordinary", 2, "mig-3g.40gb", "", ""),
                        pod("asked", 3, "mig-2g.20gb", changed, "")));
        Path holding = file(
                "holding.json",
                list(
                        pod("one", 0, "mig-2g.20gb", mirror, ""),
                        pod("two", 0, "mig-2g.20gb", mirror, ""),
                        pod("late", 1, "mig-2g.20gb", "", "")));

        assertThat(replay(pods, policy).out())
                .startsWith("2 pods that ask for GPUs, decided again\n")
                .contains("2 GPU pods are in kube-system or are mirrors of static pods");
        assertThat(replay(holding, availability).out()).contains("2g.20gb → 1g.10gb");
    }

    private static String list(String... pods) {
        return "{\"apiVersion\": \"v1\", \"items\": [" + String.join(",", pods) + "], \"kind\": \"List\"}";
    }

    private static String event(String id, String stage, String verb, int second, String reference, String rest) {
        return ("{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"level\":\"RequestResponse\",\"auditID\":\"%s\","
                        + "\"stage\":\"%s\",\"requestURI\":\"/api/v1/namespaces/team-a/pods\",\"verb\":\"%s\","
                        + "\"objectRef\":{\"resource\":\"pods\",\"namespace\":\"team-a\",\"apiVersion\":\"v1\"%s},"
                        + "\"requestReceivedTimestamp\":\"%s\"%s}\n")
                .formatted(id, stage, verb, reference, START.plusSeconds(second), rest);
    }

    private static String created(String name, int second, String asked, String got) {
        String body = "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"%s\"},\"spec\":{\"containers\":"
                + "[{\"name\":\"c\",\"resources\":%s}]}}";
        return event(
                "id-" + name,
                "ResponseComplete",
                "create",
                second,
                ",\"name\":\"" + name + "\"",
                ",\"responseStatus\":{\"code\":201},\"requestObject\":" + body.formatted(name, resources(asked))
                        + ",\"responseObject\":" + body.formatted(name, resources(got)));
    }

    private static String deleted(String name, int second) {
        return event(
                "del-" + name + second,
                "ResponseComplete",
                "delete",
                second,
                ",\"name\":\"" + name + "\"",
                ",\"responseStatus\":{\"code\":200}");
    }

    @Test
    void looksLikeThis() throws IOException {
        String owner = ", \"ownerReferences\": [{\"apiVersion\": \"apps/v1\", \"kind\": \"ReplicaSet\", \"name\":"
                + " \"web-7d4f9b8c6d\", \"uid\": \"u\", \"controller\": true}], \"labels\":"
                + " {\"pod-template-hash\": \"7d4f9b8c6d\"}";
        Path pods = file(
                "pods.json",
                list(
                        pod("web-1", 1, "mig-3g.40gb", owner, ""),
                        pod("web-0", 0, "mig-3g.40gb", owner, ""),
                        pod("infer", 2, "mig-1g.10gb", "", "")));

        Cli run = replay(pods, policy);

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out().replace(directory.toString(), "DIR")).isEqualTo("""
                3 pods that ask for GPUs, decided again
                  from 2026-11-20 08:00:00 to 2026-11-20 08:00:02 UTC
                  by the policy DIR/policy.yaml, on 1 node

                          1  as before
                          2  other GPUs

                NAMESPACE   ASKED     OWNER            BEFORE → AFTER      PODS
                team-a      3g.40gb   Deployment web   3g.40gb → 1g.10gb      2
                """);
    }

    @Test
    void withoutADifferenceTheCodeIsZero() throws IOException {
        Cli run = replay(file("pods.json", list(pod("a", 0, "mig-1g.10gb", "", ""))), policy);

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("1  as before").doesNotContain("NAMESPACE");
    }

    @Test
    void eachPodIsShownOnRequestInTheOrderOfItsTime() throws IOException {
        Path pods = file("pods.json", list(pod("b", 9, "mig-3g.40gb", "", ""), pod("a", 0, "mig-1g.10gb", "", "")));

        assertThat(replay(pods, policy, "--pods").out()).startsWith("""
                2026-11-20 08:00:00  team-a/a asks 1g.10gb: 1g.10gb → 1g.10gb (unchanged, Offered)
                2026-11-20 08:00:09  team-a/b asks 3g.40gb: 3g.40gb → 1g.10gb (changed, NotOffered)
                                     container c: no node offers nvidia.com/mig-3g.40gb; using
                                     nvidia.com/mig-1g.10gb (4 on 1 node)

                """);
    }

    @Test
    void aPodThatSluiceHasChangedIsReplayedAsItWasWritten() throws IOException {
        String changed = ", \"annotations\": {\"gpu-webhook.k8s.io/fallback\": \"3g.40gb->2g.20gb\","
                + " \"gpu-webhook.k8s.io/decision\": \"stamp\"}";
        Path pods = file("pods.json", list(pod("a", 0, "mig-2g.20gb", changed, "")));

        assertThat(replay(pods, policy).out()).contains("3g.40gb   -       2g.20gb → 1g.10gb      1");
    }

    @Test
    void anAnnotationThatDoesNotTellTheRequestIsCounted() throws IOException {
        String changed = ", \"annotations\": {\"gpu-webhook.k8s.io/fallback\": \"3g.40gb->1g.10gb, 2g.20gb->1g.10gb\"}";
        Path pods = file("pods.json", list(pod("a", 0, "mig-1g.10gb", changed, "")));

        Cli run = replay(pods, policy);

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("1 changed pod is replayed as it was stored")
                .contains("pods.json, object 1");
    }

    /** The other container may have asked for it itself. */
    @Test
    void aResultOfAnExchangeThatTwoContainersHaveDoesNotTellTheRequest() throws IOException {
        Path pods = file("pods.json", list(withTwoContainers("\"gpu-webhook.k8s.io/fallback\": \"2g.20gb->1g.10gb\"")));

        assertThat(replay(pods, policy, "--pods").out())
                .contains("1 changed pod is replayed as it was stored")
                .contains("team-a/a asks 1g.10gb: 4 x 1g.10gb → 4 x 1g.10gb");
    }

    @Test
    void anAnnotationThatTellsWhatEachContainerAskedForIsBelieved() throws IOException {
        Path pods = file(
                "pods.json",
                list(withTwoContainers(
                        "\"gpu-webhook.k8s.io/fallback\": \"2g.20gb->1g.10gb\", \"gpu-webhook.k8s.io/asked\":"
                                + " \"c 2g.20gb=1, d 1g.10gb=3\"")));

        assertThat(replay(pods, policy, "--pods").out())
                .contains("team-a/a asks 2g.20gb + 1g.10gb: 4 x 1g.10gb → 3 x 1g.10gb + 2g.20gb")
                .doesNotContain("replayed as it was stored");
    }

    /** Container c has one slice and container d three of them. */
    private static String withTwoContainers(String annotations) {
        String other = resources("mig-1g.10gb").replace("\"1\"", "\"3\"");
        return pod("a", 0, "mig-1g.10gb", ", \"annotations\": {" + annotations + "}", "")
                .replace("}}]}", "}}, {\"name\": \"d\", \"resources\": " + other + "}]}");
    }

    @Test
    void theResultOfOneExchangeMayBeWhatAnotherOneHasReplaced() throws IOException {
        String changed =
                ", \"annotations\": {\"gpu-webhook.k8s.io/fallback\":" + " \"2g.20gb->1g.10gb, 3g.40gb->2g.20gb\"}";
        Path pods = file("pods.json", list(pod("a", 0, "mig-1g.10gb", changed, "")));

        assertThat(replay(pods, policy, "--pods").out()).contains("team-a/a asks 2g.20gb: 1g.10gb → 2g.20gb");
    }

    /** On the new cluster no node offers what the pod ran on. A pod that already waits for a node is no news. */
    @Test
    void aPodThatRanAndWouldBeKeptAsWrittenIsADifference() throws IOException {
        String ran = pod("ran", 0, "mig-7g.80gb", "", "");
        String waits = pod("waits", 1, "mig-7g.80gb", "", "").replace("\"nodeName\": \"n\", ", "");

        Cli run = replay(file("pods.json", list(ran, waits)), policy);

        assertThat(run.out())
                .contains("1  as before")
                .contains("1  would find no node")
                .contains("7g.80gb   -       7g.80gb → 7g.80gb, kept      1");
    }

    @Test
    void inAvailabilityModeAPodTakesWhatItIsGivenUntilItEnds() throws IOException {
        String ended =
                "\"phase\": \"Succeeded\", \"containerStatuses\": [{\"state\": {\"terminated\": {\"finishedAt\": \""
                        + START.plusSeconds(100) + "\"}}}]";
        Path pods = file(
                "pods.json",
                list(
                        pod("first", 0, "mig-2g.20gb", "", ended),
                        pod("second", 1, "mig-2g.20gb", "", "\"phase\": \"Running\""),
                        pod("third", 2, "mig-2g.20gb", "", ""),
                        pod("later", 200, "mig-2g.20gb", "", "")));

        assertThat(replay(pods, availability, "--pods").out().lines().filter(line -> line.contains(" asks ")))
                .containsExactly(
                        "2026-11-20 08:00:00  team-a/first asks 2g.20gb: 2g.20gb → 2g.20gb (unchanged, Offered)",
                        "2026-11-20 08:00:01  team-a/second asks 2g.20gb: 2g.20gb → 2g.20gb (unchanged, Offered)",
                        "2026-11-20 08:00:02  team-a/third asks 2g.20gb: 2g.20gb → 1g.10gb (changed, Exhausted)",
                        "2026-11-20 08:03:20  team-a/later asks 2g.20gb: 2g.20gb → 2g.20gb (unchanged, Offered)");
    }

    /** An evicted pod has no containers that ended. */
    @Test
    void aPodWithoutContainersEndsWhenItsConditionsChangeLast() throws IOException {
        String evicted = "\"phase\": \"Failed\", \"conditions\": ["
                + "{\"type\": \"PodScheduled\", \"status\": \"True\", \"lastTransitionTime\": \"" + START + "\"},"
                + "{\"type\": \"Ready\", \"status\": \"False\", \"lastTransitionTime\": \""
                + START.plusSeconds(100) + "\"}]";
        Path pods = file(
                "pods.json",
                list(
                        pod("first", 0, "mig-2g.20gb", "", evicted),
                        pod("second", 1, "mig-2g.20gb", "", "\"phase\": \"Running\""),
                        pod("third", 2, "mig-2g.20gb", "", ""),
                        pod("later", 200, "mig-2g.20gb", "", "")));

        assertThat(replay(pods, availability, "--pods").out())
                .contains("team-a/third asks 2g.20gb: 2g.20gb → 1g.10gb (changed, Exhausted)")
                .contains("team-a/later asks 2g.20gb: 2g.20gb → 2g.20gb (unchanged, Offered)");
    }

    @Test
    void podsWithoutGpusTakeTheCoresOfTheirNodes() throws IOException {
        String web = """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "x", "uid": "w",
                 "creationTimestamp": "%s"}, "spec": {"nodeName": "n", "containers": [{"name": "c", "resources":
                 {"requests": {"cpu": "63500m"}}}]}, "status": {"phase": "Running"}}""".formatted(START.minusSeconds(9));
        String train =
                pod("train", 0, "mig-2g.20gb", "", "").replace("\"requests\": {", "\"requests\": {\"cpu\": \"1\", ");

        assertThat(replay(file("without.json", list(train)), availability, "--pods")
                        .out())
                .contains("(unchanged, Offered)");
        assertThat(replay(file("with.json", list(train, web)), availability, "--pods")
                        .out())
                .contains("2g.20gb → 2g.20gb, waits (unchanged, Exhausted)")
                .contains("1  ask for no GPU");
    }

    @Test
    void anAuditLogIsReplayedWithItsEnds() throws IOException {
        Path log = file(
                "audit.log",
                created("a", 0, "mig-2g.20gb", "mig-2g.20gb")
                        + created("b", 1, "mig-2g.20gb", "mig-2g.20gb")
                        + created("c", 2, "mig-2g.20gb", "mig-2g.20gb")
                        + deleted("a", 3)
                        + created("d", 4, "mig-2g.20gb", "mig-1g.10gb"));

        Cli run = replay(log, availability, "--pods");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out().lines().filter(line -> line.contains(" asks ")))
                .containsExactly(
                        "2026-11-20 08:00:00  team-a/a asks 2g.20gb: 2g.20gb → 2g.20gb (unchanged, Offered)",
                        "2026-11-20 08:00:01  team-a/b asks 2g.20gb: 2g.20gb → 2g.20gb (unchanged, Offered)",
                        "2026-11-20 08:00:02  team-a/c asks 2g.20gb: 2g.20gb → 1g.10gb (changed, Exhausted)",
                        "2026-11-20 08:00:04  team-a/d asks 2g.20gb: 1g.10gb → 2g.20gb (unchanged, Offered)");
    }

    /**
     * The log of a real API server 1.36.3 with a gateway: a Job whose request was changed, and a Deployment whose pod
     * was replaced.
     */
    @Test
    void aLogOfARealApiServerIsReplayed() {
        Cli run = replay(Path.of("src/test/resources/replay/audit.log"), availability, "--pods");

        assertThat(run.out().replaceAll("\\s+", " "))
                .contains("team-a/train-rdm52 asks 3g.40gb: 2g.20gb → 3g.40gb, kept (kept, KeptAsWritten)")
                .contains("team-a/infer-6b7c4dc896-tdhgd asks 2g.20gb: 2g.20gb → 2g.20gb (unchanged, Offered)")
                .contains("team-a 3g.40gb Job train 2g.20gb → 3g.40gb, kept 1")
                .doesNotContain("To be noted");
    }

    @Test
    void aPodOfTheClusterThatIsOlderThanTheLogIsThereAtItsBeginning() throws IOException {
        String older = pod("older", -9, "mig-2g.20gb", "", "\"phase\": \"Running\"");
        String newer = pod("newer", 500, "mig-2g.20gb", "", "\"phase\": \"Running\"");
        Files.writeString(cluster, Files.readString(cluster) + "- " + older + "\n- " + newer + "\n");
        Path log = file(
                "audit.log",
                created("a", 0, "mig-2g.20gb", "mig-2g.20gb")
                        + created("b", 1, "mig-2g.20gb", "mig-2g.20gb")
                        + deleted("older", 2)
                        + created("c", 3, "mig-2g.20gb", "mig-2g.20gb"));

        assertThat(replay(log, availability, "--pods").out().lines().filter(line -> line.contains(" asks ")))
                .containsExactly(
                        "2026-11-20 08:00:00  team-a/a asks 2g.20gb: 2g.20gb → 2g.20gb (unchanged, Offered)",
                        "2026-11-20 08:00:01  team-a/b asks 2g.20gb: 2g.20gb → 1g.10gb (changed, Exhausted)",
                        "2026-11-20 08:00:03  team-a/c asks 2g.20gb: 2g.20gb → 2g.20gb (unchanged, Offered)");
    }

    @Test
    void theEndOfAPodIsNotTheEndOfALaterPodOfTheSameName() throws IOException {
        String late = deleted("a", 2)
                .replace(
                        "{\"code\":200}",
                        "{\"code\":200},\"responseObject\":{\"metadata\":{\"deletionGracePeriodSeconds\":30}}");
        Path log = file(
                "audit.log",
                created("a", 0, "mig-2g.20gb", "mig-2g.20gb")
                        + created("b", 1, "mig-2g.20gb", "mig-2g.20gb")
                        + late
                        + deleted("a", 3)
                        + created("a", 4, "mig-2g.20gb", "mig-2g.20gb").replace("id-a", "id-a2")
                        + created("c", 120, "mig-2g.20gb", "mig-2g.20gb"));

        assertThat(replay(log, availability, "--pods").out())
                .contains("team-a/c asks 2g.20gb: 2g.20gb → 1g.10gb (changed, Exhausted)");
    }

    @Test
    void manyWorkloadsAreCountedTogether() throws IOException {
        String[] pods = new String[50];
        for (int i = 0; i < pods.length; i++) {
            pods[i] = pod(
                    "p" + i,
                    i,
                    "mig-3g.40gb",
                    ", \"ownerReferences\": [{\"apiVersion\": \"batch/v1\", \"kind\": \"Job\", \"name\": \"j" + i
                            + "\", \"uid\": \"u\", \"controller\": true}]",
                    "");
        }

        assertThat(replay(file("pods.json", list(pods)), policy).out())
                .contains("team-a      3g.40gb   50 workloads   3g.40gb → 1g.10gb     50")
                .contains("-o json has each of them");
    }

    @Test
    void aCreationThatOthersRefusedReservesFor34Seconds() throws IOException {
        String refused = created("a", 0, "mig-2g.20gb", "mig-2g.20gb").replace("\"code\":201", "\"code\":403");
        Path log = file(
                "audit.log",
                refused
                        + created("b", 1, "mig-2g.20gb", "mig-2g.20gb")
                        + created("c", 2, "mig-2g.20gb", "mig-2g.20gb")
                        + deleted("c", 3)
                        + created("d", 60, "mig-2g.20gb", "mig-2g.20gb"));

        Cli run = replay(log, availability, "--pods");

        assertThat(run.out())
                .contains("team-a/c asks 2g.20gb: 2g.20gb → 1g.10gb (changed, Exhausted)")
                .contains("team-a/d asks 2g.20gb: 2g.20gb → 2g.20gb (unchanged, Offered)")
                .contains("1  not compared")
                .contains("1 creation was refused by the API server or another webhook");
    }

    @Test
    void eventsThatAreLateArePutInOrder() throws IOException {
        Path log = file(
                "audit.log",
                created("b", 30, "mig-1g.10gb", "mig-1g.10gb") + created("a", 0, "mig-1g.10gb", "mig-1g.10gb"));

        assertThat(replay(log, policy, "--pods").out()).containsSubsequence("team-a/a ", "team-a/b ");
    }

    @Test
    void eachCreationCountsOnceAndOnlyWhenItIsAnswered() throws IOException {
        String once = created("a", 0, "mig-1g.10gb", "mig-1g.10gb");
        Path log = file(
                "audit.log",
                once.replace("ResponseComplete", "RequestReceived")
                        + once
                        + once
                        + created("dry", 1, "mig-1g.10gb", "mig-1g.10gb").replace("/pods\"", "/pods?dryRun=All\""));

        Cli run = replay(log, policy);

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .startsWith("1 pod that asks for GPUs")
                .contains("1 pod, event or record was read before and is not counted again (first:")
                .contains("audit.log:3)")
                .contains("1 dry run is left out");
    }

    @Test
    void aDryRunOfADeletionOrOfAnEvictionEndsNoPod() throws IOException {
        String dryRun = "{\"code\":200},\"requestObject\":{\"dryRun\":[\"All\"]}";
        Path log = file(
                "audit.log",
                created("a", 0, "mig-2g.20gb", "mig-2g.20gb")
                        + created("b", 1, "mig-2g.20gb", "mig-2g.20gb")
                        + deleted("a", 2).replace("{\"code\":200}", dryRun)
                        + event(
                                "evicted-b",
                                "ResponseComplete",
                                "create",
                                3,
                                ",\"name\":\"b\",\"subresource\":\"eviction\"",
                                ",\"responseStatus\":{\"code\":201},\"requestObject\":{\"kind\":\"Eviction\","
                                        + "\"deleteOptions\":{\"dryRun\":[\"All\"]}}")
                        + created("c", 4, "mig-2g.20gb", "mig-2g.20gb"));

        Cli run = replay(log, availability, "--pods");

        assertThat(run.out())
                .contains("team-a/c asks 2g.20gb: 2g.20gb → 1g.10gb (changed, Exhausted)")
                .contains("2 dry runs are left out");
    }

    /** In the list of a later day, some pods are there again, and some have ended. */
    @Test
    void aPodThatTwoFilesHaveCountsOnceAndEndsWhenAnyOfThemSaysSo() throws IOException {
        String ended = "\"phase\": \"Succeeded\", \"containerStatuses\": [{\"state\": {\"terminated\": {\"finishedAt\":"
                + " \"" + START.plusSeconds(100) + "\"}}}]";
        Path monday = file(
                "monday.json",
                list(
                        pod("a", 0, "mig-2g.20gb", "", "\"phase\": \"Running\""),
                        pod("b", 1, "mig-2g.20gb", "", "").replace("\"uid\": \"uid-b\",", "")));
        Path tuesday = file(
                "tuesday.json",
                list(
                        pod("a", 0, "mig-2g.20gb", "", ended),
                        pod("b", 1, "mig-2g.20gb", "", "").replace("\"uid\": \"uid-b\",", ""),
                        pod("b", 200, "mig-2g.20gb", "", "").replace("\"uid\": \"uid-b\",", "")));

        Cli run = replay(monday, availability, tuesday, "--pods");

        assertThat(run.out().lines().filter(line -> line.contains(" asks ")))
                .containsExactly(
                        "2026-11-20 08:00:00  team-a/a asks 2g.20gb: 2g.20gb → 2g.20gb (unchanged, Offered)",
                        "2026-11-20 08:00:01  team-a/b asks 2g.20gb: 2g.20gb → 2g.20gb (unchanged, Offered)",
                        "2026-11-20 08:03:20  team-a/b asks 2g.20gb: 2g.20gb → 2g.20gb (unchanged, Offered)");
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains("2 pods, events or records were read before and are not counted again (first: "
                        + tuesday.toString().replaceAll("\\s+", " ") + ", object 1)");
    }

    @Test
    void aPodThatALogAndAListHaveCountsOnce() throws IOException {
        Path log = file(
                "audit.log",
                created("a", 0, "mig-1g.10gb", "mig-1g.10gb")
                        .replace("\"responseObject\":{", "\"responseObject\":{\"metadata\":{\"uid\":\"uid-a\"},")
                        .replace(
                                "\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\"",
                                "\"metadata\":{\"name\":\"a\",\"uid\":\"uid-a\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\""));
        Path pods = file("pods.json", list(pod("a", 0, "mig-1g.10gb", "", "")));

        assertThat(replay(log, policy, pods).out()).startsWith("1 pod that asks for GPUs");
        assertThat(replay(pods, policy, log).out()).startsWith("1 pod that asks for GPUs");
    }

    @Test
    void aMalformedPodIsCountedInOnePlaceWhateverFileHasIt() throws IOException {
        String bad =
                pod("bad", 1, "mig-1g.10gb", "", "").replace(": \"1\"}, \"requests\"", ": \"many\"}, \"requests\"");
        Path pods = file("pods.json", list(pod("a", 0, "mig-1g.10gb", "", ""), bad));
        Path log = file(
                "audit.log",
                created("b", 1, "mig-1g.10gb", "mig-1g.10gb")
                        .replace(":\"1\"", ":\"many\"")
                        .replace(": \"1\"}", ": \"many\"}"));

        Cli run = replay(pods, policy, log);

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .startsWith("1 pod that asks for GPUs")
                .containsOnlyOnce("malformed")
                .contains("2 pods are malformed, so that a gateway cannot read them");
    }

    /** A log of level Request does not tell generated names, and a refused creation is not compared. */
    @Test
    void whatALineOfAPodDoesNotSayByItselfIsExplainedBelow() throws IOException {
        String unnamed = created("a-", 0, "mig-1g.10gb", "mig-1g.10gb")
                .replace(",\"name\":\"a-\"}", "}")
                .replace("\"metadata\":{\"name\":\"a-\"}", "\"metadata\":{\"generateName\":\"a-\"}")
                .replaceFirst(",\"responseObject\".*", "}");
        String refused = created("b", 1, "mig-1g.10gb", "mig-1g.10gb").replace("\"code\":201", "\"code\":403");

        String both =
                replay(file("both.log", unnamed + refused), policy, "--pods").out();
        assertThat(both)
                .contains("team-a/a-* id-a- asks 1g.10gb: 1g.10gb → 1g.10gb", "team-a/b asks 1g.10gb: ? → 1g.10gb")
                .contains("?: the input does not tell", "the auditID of its creation stands behind");
        assertThat(replay(file("none.log", created("c", 0, "mig-1g.10gb", "mig-1g.10gb")), policy, "--pods")
                        .out())
                .doesNotContain("?", "auditID");
    }

    @Test
    void whatSluiceDeniedWouldBeAdmitted() throws IOException {
        String denied = created("a", 0, "mig-3g.40gb", "mig-3g.40gb")
                .replace(
                        "\"code\":201}",
                        "\"code\":403},\"annotations\":{\"gpu-allocation.k8s.io/decision\":\"denied\"}");

        assertThat(replay(file("audit.log", denied), policy).out())
                .contains("1  would be admitted")
                .contains("denied → 1g.10gb");
    }

    private static String refused(String name, int second) {
        return created(name, second, "mig-2g.20gb", "mig-2g.20gb")
                .replace("id-" + name, "refused-" + name + second)
                .replace(
                        "\"code\":201}",
                        "\"code\":403},\"annotations\":{\"gpu-allocation.k8s.io/decision\":\"denied\"}")
                .replaceFirst(",\"responseObject\".*", "}");
    }

    /** It has no end in the past. Without this, the same slice would be given to several pods. */
    @Test
    void whatWasRefusedAndWouldBeAdmittedHoldsItsGpusUntilTheEnd() throws IOException {
        Path log = file(
                "audit.log",
                refused("a", 0)
                        + refused("b", 10)
                        + created("c", 20, "mig-2g.20gb", "mig-2g.20gb")
                        + created("d", 3600, "mig-2g.20gb", "mig-2g.20gb"));

        assertThat(replay(log, availability).out().replaceAll("\\s+", " "))
                .contains("2 other GPUs 2 would be admitted")
                .contains("2 pods were refused and would be admitted; what they are given is in use until");
    }

    @Test
    void aRepeatedTryOfARefusedPodIsNoOtherPod() throws IOException {
        StringBuilder tries = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            tries.append(refused("web-", i * 60)
                    .replace(",\"name\":\"web-\"}", "}")
                    .replace(
                            "\"metadata\":{\"name\":\"web-\"}",
                            "\"metadata\":{\"generateName\":\"web-\",\"ownerReferences\":[{\"kind\":\"ReplicaSet\","
                                    + "\"name\":\"web\",\"controller\":true}]}"));
        }
        Path log = file("audit.log", tries + created("c", 400, "mig-2g.20gb", "mig-2g.20gb"));

        assertThat(replay(log, availability).out().replaceAll("\\s+", " "))
                .contains("1 as before 1 would be admitted")
                .contains("4 refused creations repeat an earlier one that would be admitted");
        assertThat(replay(log, policy).out()).contains("1  would be admitted");
    }

    @Test
    void aLaterTryThatWasNotRefusedReplacesTheRefusedPod() throws IOException {
        Path log = file(
                "audit.log",
                refused("a", 0)
                        + created("a", 10, "mig-2g.20gb", "mig-2g.20gb")
                        + created("b", 20, "mig-2g.20gb", "mig-2g.20gb")
                        + deleted("a", 30)
                        + created("c", 40, "mig-2g.20gb", "mig-2g.20gb"));

        assertThat(replay(log, availability).out().replaceAll("\\s+", " ")).contains("3 as before 1 would be admitted");
    }

    @Test
    void whatWasOnlyObservedHasChangedNothing() throws IOException {
        String observed = created("a", 0, "mig-3g.40gb", "mig-3g.40gb")
                .replace(
                        "\"code\":201}",
                        "\"code\":201},\"annotations\":{\"gpu-allocation.k8s.io/decision\":\"denied\","
                                + "\"gpu-allocation.k8s.io/enforcement\":\"observe\"}");

        assertThat(replay(file("audit.log", observed), policy).out()).contains("3g.40gb → 1g.10gb");
    }

    @Test
    void aRecordOfWhatWasOnlyObservedIsAPodThatWasCreatedAsItWasWritten() throws IOException {
        String record = """
                {"id":"p-%1$s","time":"2026-11-20T08:00:00Z","namespace":"team-a","name":"%1$s","dryRun":false,"decision":"%1$s","reason":"NotOffered","enforcement":"observe","containers":[{"name":"c","kind":"main","asked":{"nvidia.com/mig-3g.40gb":"1"},"given":{"nvidia.com/mig-2g.20gb":"1"}}],"moreContainers":0}
                """;
        Path records = file("records.jsonl", record.formatted("denied") + record.formatted("changed"));

        assertThat(replay(records, policy, "--pods").out())
                .contains("team-a/denied asks 3g.40gb: 3g.40gb → 1g.10gb", "team-a/changed asks 3g.40gb: 3g.40gb → 1g");
        assertThat(replay(file("enforced.jsonl", record.formatted("denied").replace("observe", "enforce")), policy)
                        .out())
                .contains("denied → 1g.10gb");
    }

    @Test
    void recordsAreDecidedByWhatNodesOffer() throws IOException {
        String record = """
                {"id":"p-%1$d","time":"2026-11-20T08:00:0%1$dZ","namespace":"team-a","name":"train-*","owner":{"kind":"Job","name":"train-29012345"},"dryRun":false,"decision":"changed","reason":"NotOffered","containers":[{"name":"c","kind":"main","asked":{"nvidia.com/mig-3g.40gb":"1"},"given":{"nvidia.com/mig-2g.20gb":"1"}}],"moreContainers":%2$d}
                """;
        Path records = file(
                "records.jsonl",
                record.formatted(1, 0)
                        + record.formatted(2, 0)
                        + record.formatted(3, 0)
                        + record.formatted(4, 2)
                        + record.formatted(5, 0).replace("\"changed\"", "\"postponed\""));

        Cli run = replay(records, availability, "-o", "json");

        JsonNode document = new ObjectMapper().readTree(run.out());
        assertThat(run.code()).as("a record of a newer version").isEqualTo(2);
        assertThat(document.path("pods").asInt()).isEqualTo(3);
        assertThat(document.path("groups").path(0).path("owner").asText()).isEqualTo("CronJob train");
        assertThat(document.path("leftOut").findValuesAsText("cause"))
                .containsExactly("NEWER", "MANY_CONTAINERS", "RECORD");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            this is no JSON                                        | 2 | 1 line is no JSON (first: LOG:2)
            {"kind":"Event","apiVersion":"audit.k8s.io/v2"}        | 2 | 1 line is of a version that this release does not know (first: LOG:2)
            {"kind":"Secret","apiVersion":"v1"}                    | 2 | 1 object is neither a pod nor an audit event nor a recorded decision (first: LOG:2)
            {"kind":"EventList","apiVersion":"audit.k8s.io/v1"}    | 2 | 1 object is neither a pod nor an audit event nor a recorded decision (first: LOG:2)
            {"decision":"changed","time":"2026-11-20T08:00:01Z","containers":[{"kind":"new"}]} | 2 | 1 line is of a version that this release does not know (first: LOG:2)
            INFO pod a/b changed uid=1 decision=changed reason=x   | 1 | 1 line of a gateway's log does not tell what the pod asked for
            {"message":"pod a/b changed","decision":"changed"}     | 1 | 1 line of a gateway's log does not tell what the pod asked for
            """)
    void aLineThatCannotBeReplayedIsCountedWithItsPlace(String line, int code, String note) throws IOException {
        Path log = file("audit.log", created("a", 0, "mig-3g.40gb", "mig-3g.40gb") + line + "\n\n" + deleted("a", 9));

        Cli run = replay(log, policy);

        assertThat(run.out().replaceAll("\\s+", " ").replace(log.toString(), "LOG"))
                .contains("3g.40gb → 1g.10gb")
                .contains(note);
        assertThat(run.code()).isEqualTo(code);
    }

    /** As an event with the response often is. */
    @Test
    void longLinesAreReadWhereverTheyAre() throws IOException {
        String much = "\"responseObject\":{\"status\":{\"message\":\"" + "x".repeat(20_000) + "\"},";
        Path log = file(
                "audit.log",
                created("a", 0, "mig-1g.10gb", "mig-1g.10gb").replace("\"responseObject\":{", much)
                        + created("b", 1, "mig-1g.10gb", "mig-1g.10gb").replace("\"responseObject\":{", much)
                        + created("c", 2, "mig-1g.10gb", "mig-1g.10gb"));

        Cli run = replay(log, policy);

        assertThat(run.out()).startsWith("3 pods that ask for GPUs").doesNotContain("To be noted");
        assertThat(run.code()).isZero();
    }

    @Test
    void aLastLineThatIsCutShortIsNoError() throws IOException {
        Path log = file(
                "audit.log",
                created("a", 0, "mig-1g.10gb", "mig-1g.10gb")
                        + created("b", 1, "mig-1g.10gb", "mig-1g.10gb").substring(0, 200));

        Cli run = replay(log, policy);

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("1 line is cut short");
    }

    @Test
    void gzippedFilesAndSeveralFilesAreRead() throws IOException {
        Path zipped = directory.resolve("audit-1.log.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            out.write(created("a", 0, "mig-1g.10gb", "mig-1g.10gb").getBytes(StandardCharsets.UTF_8));
        }
        Path plain = file("audit.log", created("b", 1, "mig-1g.10gb", "mig-1g.10gb"));

        assertThat(replay(zipped, policy, plain).out()).startsWith("2 pods that ask for GPUs");
    }

    @Test
    void theInjectionFileOfAPodIsReadBesideTheConfiguration() throws IOException {
        Path config = file("copied.yaml", "injection: { file: /etc/no-such-directory/gpu-injection.json }\n");
        Path pods = file("pods.json", list(pod("a", 0, "mig-1g.10gb", "", "")));

        Cli missing = replay(pods, config);
        var _ = file("gpu-injection.json", "{\"resourceMap\": {}}");

        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err()).contains("injection.file is /etc/no-such-directory/gpu-injection.json");
        assertThat(replay(pods, config).err()).isEmpty();
    }

    @Test
    void onlyNamespacesThatMatchAreShown() throws IOException {
        Path pods = file("pods.json", list(pod("a", 0, "mig-3g.40gb", "", "")));

        assertThat(replay(pods, policy, "-n", "team-*").code()).isEqualTo(1);
        assertThat(replay(pods, policy, "-n", "prod").code()).isZero();
    }

    @Test
    void nothingToReplayIsAnError() throws IOException {
        Cli nodes = replay(cluster, policy);
        Cli broken = replay(
                file("pods.json", list(pod("a", 0, "mig-1g.10gb", "", "")).substring(0, 300)), policy);
        Cli missing = replay(directory.resolve("gone.json"), policy);

        assertThat(nodes.code()).isEqualTo(2);
        assertThat(nodes.err()).startsWith("there is no pod to replay in " + cluster);
        assertThat(broken.code()).isEqualTo(2);
        assertThat(broken.err()).contains("the file is cut short; write it with: kubectl get pods -A -o json");
        assertThat(missing.err()).contains("gone.json does not exist");
    }

    @Test
    void aListWithoutPodsHasNothingToReplay() throws IOException {
        Path empty = file("pods.json", "{\"apiVersion\": \"v1\", \"items\": [], \"kind\": \"List\"}");

        assertThat(replay(empty, policy).err())
                .startsWith("there is no pod to replay in " + empty + "; give pods (kubectl get pods -A -o json)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
    void aFileInUtf16IsRefusedWithItsReason(String encoding) throws IOException {
        String text = "\ufeff" + created("a", 0, "mig-1g.10gb", "mig-1g.10gb");
        Path log = Files.write(directory.resolve("audit.log"), text.getBytes(Charset.forName(encoding)));

        Cli run = replay(log, policy);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).isEqualTo(log + " is UTF-16, as PowerShell writes it; save it as UTF-8\n");
    }

    @Test
    void namesOfOthersControlNoTerminal() throws IOException {
        Path log = file("audit.log", created("a\\u001b[31m", 0, "mig-3g.40gb", "mig-3g.40gb"));

        assertThat(replay(log, policy, "--pods").out()).doesNotContain("\u001b[31m");
    }
}
