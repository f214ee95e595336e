package dev.sluice.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cli.Cli;
import dev.sluice.golden.GoldenCase;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {

    private static final Path DEMO = Path.of("conf/demo");
    private static final Path MIXED = DEMO.resolve("clusters/mixed.yaml");
    private static final Path ONLY_1G = DEMO.resolve("clusters/mig-1g.yaml");
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: train, namespace: team-a}
            spec:
              containers:
              - name: train
                resources: {limits: {nvidia.com/mig-2g.20gb: 1}}
            """;

    @TempDir
    private Path directory;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    /** The report is https://github.com/kubernetes/kubernetes/issues/96506. */
    @Test
    void aPodThatNamesItsNodeDoesNotWait() throws IOException {
        Path pod = file("pod.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: cuda}
                spec: {nodeName: edge1, containers: [{name: cuda, resources: {limits: {nvidia.com/gpu: 2}}}]}
                """);
        Path cluster = file("cluster.yaml", """
                apiVersion: v1
                kind: Node
                metadata: {name: edge1}
                status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110, nvidia.com/gpu: 1}}
                """);

        assertThat(Cli.run("explain", pod, "--cluster-snapshot", cluster).out())
                .contains("kept as written: its node does not offer what it asks, and it does not wait")
                .contains("the pod names its node, so the kubelet refuses it")
                .doesNotContain("waits");
    }

    /** GKE runs the plugin, AKS did not (https://github.com/Azure/AKS/issues/1449). */
    @Test
    void theApiServerOfGkeToleratesTheTaintOfARequestedGpu() throws IOException {
        Path pod = file("pod.yaml", POD.replace("mig-2g.20gb", "gpu"));
        String node = """
                apiVersion: v1
                kind: Node
                metadata: {name: n1, labels: {LABEL: pool}}
                spec: {taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]}
                status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110, nvidia.com/gpu: 1}}
                """;
        Path gke = file("gke.yaml", node.replace("LABEL", "cloud.google.com/gke-nodepool"));
        Path aks = file("aks.yaml", node.replace("LABEL", "kubernetes.azure.com/agentpool"));

        assertThat(Cli.run("explain", pod, "--cluster-snapshot", gke).out())
                .contains("unchanged: all it asks is offered")
                .doesNotContain("ExtendedResourceToleration");
        assertThat(Cli.run("explain", pod, "--cluster-snapshot", aks).out())
                .contains("kept as written")
                .contains("ExtendedResourceToleration");
    }

    /** A cordon keeps no pod of a DaemonSet off (https://github.com/rancher/rancher/issues/15302). */
    @Test
    void thePodsOfADaemonSetTolerateACordon() throws IOException {
        Path set = file("set.yaml", """
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: probe, namespace: team-a}
                spec:
                  template:
                    spec: {containers: [{name: probe, resources: {limits: {nvidia.com/gpu: 1}}}]}
                """);
        Path cluster = file("cluster.yaml", """
                apiVersion: v1
                kind: Node
                metadata: {name: n1}
                spec: {unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}
                status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110, nvidia.com/gpu: 1}}
                """);
        Path config = file("gateway.yaml", "policy: {mode: availability}");

        assertThat(Cli.run("explain", set, "--cluster-snapshot", cluster, "--config", config)
                        .out())
                .contains("unchanged: there is room for all it asks");
    }

    @Test
    void aFileNeedsNoOption() {
        Path pod = DEMO.resolve("pods/train-3g-40gb.yaml");
        Path other = DEMO.resolve("pods/train-2g.yaml");
        Cli withOption = Cli.run("explain", "-f", pod, "-f", other, "--cluster-snapshot", MIXED);

        assertThat(withOption.code()).isZero();
        assertThat(Cli.run("explain", pod, other, "--cluster-snapshot", MIXED)).isEqualTo(withOption);
        assertThat(Cli.run("explain", "-f", pod, "--cluster-snapshot", MIXED, other))
                .isEqualTo(withOption);
        assertThat(Cli.run("explain", "--cluster-snapshot", MIXED)).isEqualTo(new Cli(2, "", """
                        sluice explain: name a FILE with a pod, or - for standard input
                        See sluice explain --help.
                        """));
    }

    @Test
    void looksLikeThis() {
        Cli explained = Cli.run("explain", "-f", DEMO.resolve("pods/train-3g-40gb.yaml"), "--cluster-snapshot", MIXED);

        assertThat(explained.out()).isEqualTo("""
                Pod train-3g-40gb, namespace default
                  changed: 3g.40gb->2g.20gb (NotOffered)

                  container train asks nvidia.com/mig-3g.40gb; one node must have 1
                    1  nvidia.com/mig-3g.40gb  not offered
                         none            medium, small
                    2  nvidia.com/mig-2g.20gb  chosen
                         fits      8     medium
                         none            small
                    3  nvidia.com/mig-1g.10gb  not needed
                    4  nvidia.com/gpu          not needed

                  what the user sees
                    Warning: container train: no node offers nvidia.com/mig-3g.40gb; using nvidia.com/mig-2g.20gb
                      (8 on 1 node)
                    gpu-webhook.k8s.io/fallback: 3g.40gb->2g.20gb

                  patch
                    - containers[0] limits nvidia.com/mig-3g.40gb
                    + containers[0] limits nvidia.com/mig-2g.20gb: 1
                    - containers[0] requests nvidia.com/mig-3g.40gb
                    + containers[0] requests nvidia.com/mig-2g.20gb: 1
                    + annotations gpu-webhook.k8s.io/fallback: 3g.40gb->2g.20gb

                Policy: the defaults; --config FILE takes a gateway's own.
                """);
        assertThat(explained.err()).isEmpty();
        assertThat(explained.code()).isZero();
    }

    @Test
    void saysWhatWouldBeWhereThePolicyOnlyObserves() throws IOException {
        Path pod = DEMO.resolve("pods/train-3g-40gb.yaml");
        Path observing = file("gateway.yaml", "policy: {enforcement: observe}\n");
        List<Object> arguments =
                List.of("explain", "-f", pod, "--cluster-snapshot", MIXED, "--config", observing, "-o");

        assertThat(Cli.run(with(arguments, "text")).out())
                .contains("  would be changed: 3g.40gb->2g.20gb (NotOffered)\n")
                .contains("The policy of this namespace only observes")
                .contains("  what is recorded; the user sees no warning\n    would be changed: container train:")
                .doesNotContain("Warning:")
                .contains("  patch that is not sent\n");
        assertThat(Cli.run(with(arguments, "json")).out())
                .contains("\"enforcement\" : \"observe\"")
                .contains("\"decision\" : \"changed\"");
        Cli patch = Cli.run(with(arguments, "patch"));
        assertThat(patch.out()).isEqualTo("[]\n");
        assertThat(patch.err()).contains("only observes");
    }

    @Test
    void aDenialThatIsOnlyObservedIsNoRefusal() throws IOException {
        Path pod = DEMO.resolve("pods/train-3g-40gb.yaml");
        Path observing = file("gateway.yaml", "policy: {enforcement: observe, whenNotOffered: deny, chains: {}}\n");
        Cli explained = Cli.run("explain", "-f", pod, "--cluster-snapshot", MIXED, "--config", observing);

        assertThat(explained.out()).contains("  would be denied: NotOffered\n").doesNotContain("Forbidden:");
        assertThat(explained.code()).isZero();
    }

    @Test
    void aNoteThatChangesNothingIsNoChangeThatWouldBe() throws IOException {
        Path pod = file(
                "pod.yaml",
                Files.readString(DEMO.resolve("pods/train-3g-40gb.yaml"))
                        .replaceFirst(
                                "metadata:\n",
                                "metadata:\n  annotations: {gpu-webhook.k8s.io/fallback-mode: never}\n"));
        Path observing = file("gateway.yaml", "policy: {enforcement: observe, observedMessage: warning}\n");

        assertThat(Cli.run("explain", "-f", pod, "--cluster-snapshot", MIXED, "--config", observing)
                        .out())
                .contains("Warning: annotation gpu-webhook.k8s.io/fallback-mode: \"never\" is ignored")
                .contains("Warning: would be changed: container train:");
    }

    private static Object[] with(List<Object> arguments, String last) {
        return Stream.concat(arguments.stream(), Stream.of(last)).toArray();
    }

    @Test
    void usesTheLimitRangesOfTheClusterSnapshot() throws IOException {
        String limits = """
                ---
                apiVersion: v1
                kind: LimitRange
                metadata: {name: limits, namespace: %s}
                spec:
                  limits: [{type: Container, max: {nvidia.com/mig-1g.10gb: 0}}]
                """;
        Path pod = file("pod.yaml", POD);
        String nodes = Files.readString(ONLY_1G);
        Path here = file("here.yaml", nodes + limits.formatted("team-a"));
        Path elsewhere = file("elsewhere.yaml", nodes + limits.formatted("team-b"));

        assertThat(Cli.run("explain", "-f", pod, "--cluster-snapshot", elsewhere)
                        .out())
                .contains("changed: 2g.20gb->1g.10gb");
        assertThat(Cli.run("explain", "-f", pod, "--cluster-snapshot", here).out())
                .doesNotContain("changed:")
                .contains("offered, but a LimitRange of the namespace rules it out")
                .contains("LimitRange");
    }

    /**
     * A LimitRange with a maximum has a default, too
     * (https://github.com/intel/intel-device-plugins-for-kubernetes/issues/1408).
     */
    @Test
    void aLimitRangeGivesItsDefaultBeforeAndRefusesMoreThanItsMaximumAfterwards() throws IOException {
        Path pods = file("pods.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: more}
                spec: {containers: [{name: main, resources: {limits: {gpu.intel.com/i915: 3}}}]}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: none}
                spec: {containers: [{name: plain, resources: {limits: {cpu: 1}}}]}
                """);
        Path cluster = file("cluster.yaml", """
                apiVersion: v1
                kind: Node
                metadata: {name: n1}
                status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110, gpu.intel.com/i915: 10}}
                ---
                apiVersion: v1
                kind: LimitRange
                metadata: {name: one-gpu, namespace: default}
                spec: {limits: [{type: Container, max: {gpu.intel.com/i915: 1}}]}
                """);

        assertThat(Cli.run("explain", pods, "--cluster-snapshot", cluster).out().replaceAll("\\s+", " "))
                .contains("The API server refuses this pod: a LimitRange of the namespace rules out how much"
                        + " gpu.intel.com/i915 it asks for (at most 1 in a container).")
                .contains("A LimitRange of the namespace gives gpu.intel.com/i915 to each container that does not name"
                        + " it, before Sluice is asked.")
                .contains("container plain asks gpu.intel.com/i915; one node must have 1");
    }

    /** LimitRanger adds up all containers (podLimits in limitranger/admission.go). */
    @Test
    void aLimitRangeForPodsCountsAllContainers() throws IOException {
        String limits = """
                ---
                apiVersion: v1
                kind: LimitRange
                metadata: {name: limits, namespace: team-a}
                spec:
                  limits: [{type: Pod, max: {nvidia.com/mig-1g.10gb: %d}}]
                """;
        Path pod = file("pod.yaml", POD + """
                  - name: other
                    resources: {limits: {nvidia.com/mig-2g.20gb: 1}}
                """);
        String nodes = Files.readString(ONLY_1G);
        Path one = file("one.yaml", nodes + limits.formatted(1));
        Path two = file("two.yaml", nodes + limits.formatted(2));

        assertThat(Cli.run("explain", "-f", pod, "--cluster-snapshot", two).out())
                .contains("changed: 2g.20gb->1g.10gb");
        assertThat(Cli.run("explain", "-f", pod, "--cluster-snapshot", one).out())
                .contains("kept as written")
                .contains("offered, but a LimitRange of the namespace rules it out");
    }

    @Test
    void namesThePolicyThatWasUsed() throws IOException {
        Path pod = file("pod.yaml", POD);
        Path config = file("gateway.yaml", "policy: {chains: {}}\n");

        Cli text = Cli.run("explain", "-f", pod, "--cluster-snapshot", MIXED, "--config", config);
        Cli json = Cli.run("explain", "-f", pod, "--cluster-snapshot", MIXED, "--config", config, "-o", "json");

        assertThat(text.out().lines().toList().getLast()).startsWith("Policy: ").contains("gateway.yaml");
        assertThat(new ObjectMapper().readTree(json.out()).path("policy").asText())
                .isEqualTo(config.toString());
    }

    @Test
    void saysThatAPodWasChangedAtItsCreation() throws IOException {
        Path pod = file(
                "pod.yaml",
                POD.replace(
                        "namespace: team-a",
                        "namespace: team-a, annotations: {gpu-webhook.k8s.io/fallback: \"3g.40gb->2g.20gb\"}"));

        Cli text = Cli.run("explain", "-f", pod, "--cluster-snapshot", MIXED);
        Cli json = Cli.run("explain", "-f", pod, "--cluster-snapshot", MIXED, "-o", "json");

        assertThat(text.out()).contains("This pod was changed when it was created (3g.40gb->2g.20gb)");
        assertThat(new ObjectMapper()
                        .readTree(json.out())
                        .at("/pods/0/changedBefore")
                        .asText())
                .isEqualTo("3g.40gb->2g.20gb");
    }

    @Test
    void aPodWithSchedulingGatesIsNotSaidToWaitForANode() throws IOException {
        Path gated = file(
                "gated.yaml",
                POD.replace("spec:", "spec:\n  schedulingGates: [{name: queue}]")
                        .replace("2g.20gb", "3g.40gb"));

        assertThat(Cli.run("explain", "-f", gated, "--cluster-snapshot", MIXED).out())
                .contains("  kept as written: it has scheduling gates and may be sent to other nodes later (Gated)\n");
    }

    /** The report is kubernetes-sigs/kueue#14770. */
    @Test
    void saysWhichClassesTheApiServerWouldFillIn() throws IOException {
        String written = POD.replace("spec:", "spec:\n  runtimeClassName: kata\n  priorityClassName: urgent");
        Path pod = file("pod.yaml", written);
        Path withPriority = file("priority.yaml", written.replace("spec:", "spec:\n  priority: 5"));
        Path stored = file("stored.yaml", written.replace("{name:", "{uid: u-1, name:"));
        Path reserving = file("reserving.yaml", "policy: {mode: availability}\n");

        Cli text = Cli.run("explain", "-f", pod, "--cluster-snapshot", MIXED);
        Cli json = Cli.run("explain", "-f", pod, "--cluster-snapshot", MIXED, "--config", reserving, "-o", "json");

        assertThat(text.out()).contains("RuntimeClass kata").doesNotContain("urgent");
        assertThat(new ObjectMapper().readTree(json.out()).at("/pods/0/notFilled"))
                .extracting(JsonNode::asText)
                .satisfiesExactly(
                        sentence -> assertThat(sentence).contains("RuntimeClass kata"),
                        sentence -> assertThat(sentence).contains("PriorityClass urgent"));
        assertThat(Cli.run("explain", "-f", withPriority, "--cluster-snapshot", MIXED, "--config", reserving)
                        .out())
                .contains("RuntimeClass kata")
                .doesNotContain("PriorityClass urgent");
        assertThat(Cli.run("explain", "-f", stored, "--cluster-snapshot", MIXED).out())
                .doesNotContain("kata");
    }

    /** The reports are UKGovernmentBEIS/inspect_k8s_sandbox#239 and kubernetes/kubernetes#127371. */
    @Test
    void fillsInTheRuntimeClassesOfAllFiles() throws IOException {
        Path pods = file("pods.yaml", POD.replace("spec:", "spec:\n  runtimeClassName: kata"));
        Path clashing = file(
                "clashing.yaml",
                POD.replace("spec:", "spec:\n  runtimeClassName: kata\n  nodeSelector: {runtime: gvisor}"));
        Path classes = file("classes.yaml", """
                apiVersion: node.k8s.io/v1
                kind: RuntimeClass
                metadata: {name: kata}
                handler: kata
                scheduling: {nodeSelector: {runtime: kata}}
                """);
        Path inCluster = file("cluster.yaml", Files.readString(MIXED) + "---\n" + Files.readString(classes));
        Path ofAnother = file("another.yaml", Files.readString(classes).replace("node.k8s.io", "example.com"));

        Cli filled = Cli.run("explain", "-f", pods, "-f", classes, "--cluster-snapshot", MIXED);
        Cli fromCluster = Cli.run("explain", "-f", pods, "--cluster-snapshot", inCluster);
        Cli clash = Cli.run("explain", "-f", clashing, "-f", classes, "--cluster-snapshot", MIXED);
        Cli unknown = Cli.run("explain", "-f", pods, "-f", ofAnother, "--cluster-snapshot", MIXED);

        assertThat(filled.out()).contains("nodeSelector wants runtime=kata").doesNotContain("this is the answer");
        assertThat(filled.err()).isEmpty();
        assertThat(fromCluster.out()).isEqualTo(filled.out());
        assertThat(clash.out().replaceAll("\\s+", " "))
                .contains("The API server refuses this pod: its nodeSelector has runtime=gvisor, and that of its"
                        + " RuntimeClass kata has runtime=kata.");
        assertThat(unknown.out()).contains("RuntimeClass kata").doesNotContain("nodeSelector wants");
    }

    @Test
    void fillsInThePriorityClassesOfItsFiles() throws IOException {
        Path cluster = file("full.yaml", """
                apiVersion: v1
                kind: List
                items:
                - apiVersion: v1
                  kind: Node
                  metadata: {name: n1}
                  status: {allocatable: {cpu: 8, memory: 8Gi, pods: 9, nvidia.com/gpu: 1}}
                - apiVersion: v1
                  kind: Pod
                  metadata: {name: low, namespace: a, uid: u-1}
                  spec: {nodeName: n1, priority: 0, containers: [{name: c, resources: {requests: {nvidia.com/gpu: 1}}}]}
                  status: {phase: Running}
                """);
        Path reserving = file("reserving.yaml", "policy: {mode: availability}\n");
        String pod = POD.replace("nvidia.com/mig-2g.20gb: 1", "nvidia.com/gpu: 1");
        String urgent = """
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: urgent}
                value: 1000
                """;
        Path bundle =
                file("bundle.yaml", urgent + "---\n" + pod.replace("spec:", "spec:\n  priorityClassName: urgent"));
        Path byDefault = file("default.yaml", urgent + "globalDefault: true\n---\n" + pod);
        Path ofSystem = file("system.yaml", pod.replace("spec:", "spec:\n  priorityClassName: system-node-critical"));
        Path unrelated = file("unrelated.yaml", urgent + "---\n" + pod);
        Path patient =
                file("patient.yaml", Files.readString(bundle).replace("value:", "preemptionPolicy: Never\nvalue:"));

        for (Path preempting : List.of(bundle, byDefault, ofSystem)) {
            assertThat(Cli.run("explain", "-f", preempting, "--cluster-snapshot", cluster, "--config", reserving)
                            .out())
                    .contains("pods of lower priority make room for it")
                    .doesNotContain("is not known here");
        }
        for (Path waiting : List.of(unrelated, patient)) {
            assertThat(Cli.run("explain", "-f", waiting, "--cluster-snapshot", cluster, "--config", reserving)
                            .out())
                    .contains("it waits until there is room for it")
                    .doesNotContain("is not known here");
        }
    }

    @Test
    void speaksOfAContainerThatATemplateDoesNotName() throws IOException {
        Path service = file("service.yaml", """
                apiVersion: serving.knative.dev/v1
                kind: Service
                metadata: {name: llm}
                spec: {template: {spec: {containers: [{resources: {limits: {nvidia.com/mig-7g.80gb: 1}}}]}}}
                """);

        assertThat(Cli.run("explain", "-f", service, "--cluster-snapshot", MIXED)
                        .out())
                .contains("container unnamed asks nvidia.com/mig-7g.80gb")
                .contains("container unnamed: no node offers");
    }

    @Test
    void saysWhichQuantityIsInvalid() throws IOException {
        Path pod = file("pod.yaml", POD.replace("20gb: 1", "20gb: 500m"));

        Cli explained = Cli.run("explain", "-f", pod, "--cluster-snapshot", MIXED);

        assertThat(explained.out())
                .contains("untouched: the API server will refuse it as it stands (InvalidQuantity)")
                .contains("container train: nvidia.com/mig-2g.20gb is 500m; it must be a whole number");
    }

    @Test
    void saysThatAPodOfWhichALimitIsAddedIsNotUnchanged() throws IOException {
        Path pod = file("pod.yaml", POD.replace("limits:", "requests:"));

        Cli explained = Cli.run("explain", "-f", pod, "--cluster-snapshot", MIXED);

        assertThat(explained.out()).contains("  changed: the missing limit is added (Offered)");
    }

    @Test
    void explainsEachTemplateOfACustomResource() throws IOException {
        Path cluster = file("ray.yaml", """
                apiVersion: ray.io/v1
                kind: RayCluster
                metadata: {name: ray, namespace: team-a}
                spec:
                  headGroupSpec:
                    template: {spec: {containers: [{name: head, resources: {limits: {cpu: 1}}}]}}
                  workerGroupSpecs:
                  - replicas: 3
                    template:
                      spec: {containers: [{name: worker, resources: {limits: {nvidia.com/mig-2g.20gb: 1}}}]}
                """);

        Cli explained = Cli.run("explain", "-f", cluster, "--cluster-snapshot", ONLY_1G);

        assertThat(explained.out())
                .contains("RayCluster ray, spec.headGroupSpec.template, namespace team-a, each of its pods")
                .contains("admitted as written: it asks for no GPU")
                .contains("RayCluster ray, spec.workerGroupSpecs[0].template, namespace team-a, each of its 3 pods")
                .contains("changed: 2g.20gb->1g.10gb (NotOffered)");
        assertThat(explained.code()).isZero();
    }

    @Test
    void tellsWhatEachNodeSays() throws IOException {
        String nodes = """
                apiVersion: v1
                kind: List
                items:
                - {apiVersion: v1, kind: Node, metadata: {name: big}, spec: {taints: [{key: team, value: b, effect: NoSchedule}]}, status: {allocatable: {nvidia.com/gpu: "8"}}}
                - {apiVersion: v1, kind: Node, metadata: {name: little}, status: {allocatable: {nvidia.com/gpu: "1"}}}
                - {apiVersion: v1, kind: Node, metadata: {name: plain}, status: {allocatable: {cpu: "8"}}}
                """;
        Path pod = file("pod.yaml", POD.replace("mig-2g.20gb: 1", "gpu: 2"));

        Cli explained = Cli.run("explain", "-f", pod, "--cluster-snapshot", file("nodes.yaml", nodes));

        assertThat(explained.out()).contains("""
                  container train asks nvidia.com/gpu; one node must have 2 of it
                    1  nvidia.com/gpu  not offered
                         too few   1     little
                         not here  8     big: taint team=b:NoSchedule is not tolerated
                         none            plain
                """);
    }

    @Test
    void saysInAWordWhatBecomesOfAPod() throws IOException {
        Path free = file("free.yaml", "{apiVersion: v1, kind: Pod, spec: {containers: [{name: c}]}}");
        Path half = file("half.yaml", POD.replace("mig-2g.20gb: 1", "gpu: 500m"));
        Path kept = file("kept.yaml", POD.replace("mig-2g.20gb", "mig-7g.80gb"));
        Path offered = file("offered.yaml", POD.replace("mig-2g.20gb", "mig-1g.10gb"));
        Path update = file(
                "update.json",
                new String(GoldenCase.named("an-update-is-allowed-silently").review(), StandardCharsets.UTF_8));

        Cli explained = Cli.run(
                "explain",
                "-f",
                free,
                "-f",
                half,
                "-f",
                kept,
                "-f",
                offered,
                "-f",
                update,
                "--cluster-snapshot",
                ONLY_1G);

        assertThat(explained.code()).isZero();
        assertThat(explained.out())
                .contains("Pod without a name, namespace default\n  admitted as written: it asks for no GPU\n")
                .contains("  untouched: the API server will refuse it as it stands (InvalidQuantity)\n")
                .contains("  kept as written: it waits until a node offers what it asks (KeptAsWritten)\n")
                .contains("  unchanged: all it asks is offered (Offered)\n")
                .contains("  passes unread (UPDATE of v1/Pod): only the creation of pods is decided\n");
    }

    @Test
    void triesCombinationsOfSeveralResourcesTogether() throws IOException {
        Path pod = file("pod.yaml", POD + """
                  - name: other
                    resources: {limits: {nvidia.com/mig-1g.10gb: 1}}
                """);

        Cli explained = Cli.run("explain", "-f", pod, "--cluster-snapshot", MIXED);

        assertThat(explained.out())
                .contains("changed: 1g.10gb->2g.20gb (NotOffered)")
                .contains("    1  nvidia.com/mig-1g.10gb  offered, but not together with the rest\n")
                .contains("""
                          together on one node
                               nvidia.com/mig-2g.20gb + nvidia.com/mig-1g.10gb: no node
                        """);
    }

    @Test
    void saysThatPodsOfADaemonSetNameTheirNodes() throws IOException {
        Path set = file("set.yaml", """
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: agent}
                spec: {template: {spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1}}}]}}}
                """);

        Cli explained = Cli.run("explain", "-f", set, "--cluster-snapshot", ONLY_1G);

        assertThat(explained.out())
                .contains("Each pod of a DaemonSet names its node and is decided for that node alone");
    }

    @Test
    void countsNodesThatAnswerAlike() throws IOException {
        String nodes = IntStream.range(0, 4998).mapToObj("""
                        apiVersion: v1
                        kind: Node
                        metadata: {name: gpu-%05d}
                        status: {allocatable: {nvidia.com/gpu: "4"}}
                        """::formatted).collect(Collectors.joining("---\n"));

        Cli explained =
                Cli.run("explain", "-f", file("pod.yaml", POD), "--cluster-snapshot", file("nodes.yaml", nodes));

        assertThat(explained.out()).contains("fits      4     gpu-00000 and 4,997 more nodes like it\n");
        assertThat(explained.out().lines()).hasSizeLessThan(30);
    }

    @Test
    void readsTemplatesListsAndDocuments() throws IOException {
        Path all = file(
                "all.yaml",
                Files.readString(DEMO.resolve("pods/serve.yaml"))
                        + "---\n" + Files.readString(DEMO.resolve("pods/nightly.yaml"))
                        + "---\n{apiVersion: v1, kind: Service, metadata: {name: web}}\n---\n" + """
                apiVersion: v1
                kind: List
                items:
                - apiVersion: batch/v1
                  kind: CronJob
                  metadata: {name: hourly}
                  spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: c}]}}}}}
                """);

        Cli explained = Cli.run("explain", "-f", all, "-f", file("p.yaml", POD), "--cluster-snapshot", ONLY_1G);

        assertThat(explained.out().lines().filter(line -> !line.isEmpty() && !line.startsWith(" ")))
                .containsExactly(
                        "Deployment serve, namespace default, each of its 5 pods",
                        "Job nightly, namespace default, each of its pods",
                        "CronJob hourly, namespace default, each of its pods",
                        "Pod train, namespace team-a",
                        "Policy: the defaults; --config FILE takes a gateway's own.");
        assertThat(explained.err())
                .isEqualTo(all + ": explain finds no pod template in Service web, and leaves it out\n");
        assertThat(explained.code()).isZero();
    }

    @Test
    void readsNoMoreOfAFileThanItsLimit() throws IOException {
        String event = "{\"apiVersion\": \"v1\", \"kind\": \"Event\", \"involvedObject\": {\"kind\": \"Pod\"}},";
        Path events = file("events.json", "{\"apiVersion\": \"v1\", \"items\": [" + event.repeat(20_000) + "{}]}");

        Cli many = Cli.run("explain", "-f", events, "--read-limit", "1", "--cluster-snapshot", MIXED);
        Cli endless = Cli.run("explain", "-f", "/dev/zero", "--read-limit", "1", "--cluster-snapshot", MIXED);

        assertThat(many.err())
                .startsWith(events + ": the text is longer than 1 MiB, most of it of the kind Event (")
                .endsWith(" were read); raise the limit with --read-limit, or give fewer objects\n")
                .hasLineCount(1);
        assertThat(many.code()).isEqualTo(2);
        assertThat(endless.err())
                .startsWith("/dev/zero: the text is longer than 1 MiB; ")
                .hasLineCount(1);
        assertThat(endless.code()).isEqualTo(2);
    }

    @Test
    void aSmallHeapLimitsAFileToo() throws IOException {
        Path blanks = file("blanks.yaml", " ".repeat(2 << 20));

        assertThatThrownBy(() -> new ManifestFile(ManifestFile.MEBIBYTES, 64 << 20).read(blanks.toString()))
                .hasMessage(blanks + ": the text is longer than 1 MiB; allow a larger heap, for example with"
                        + " SLUICE_JAVA_OPTS=-Xmx256m, or give fewer objects");
    }

    @Test
    void readsAGzippedFile() throws IOException {
        Path pod = directory.resolve("pod.yaml.gz");
        try (OutputStream bytes = new GZIPOutputStream(Files.newOutputStream(pod))) {
            bytes.write(POD.getBytes(StandardCharsets.UTF_8));
        }
        Path cut = Files.write(directory.resolve("cut.gz"), Arrays.copyOf(Files.readAllBytes(pod), 40));

        assertThat(Cli.run("explain", "-f", pod, "--cluster-snapshot", MIXED).out())
                .startsWith("Pod train, namespace team-a");
        assertThat(Cli.run("explain", "-f", cut, "--cluster-snapshot", MIXED).err())
                .isEqualTo(cut + ": the file is cut short or no good gzip\n");
    }

    @Test
    void countsTheObjectsThatMakeNoPodsInOneLine() throws IOException {
        String service = "---\n{apiVersion: v1, kind: Service, metadata: {name: web}}\n";
        Path file = file("all.yaml", service.repeat(1_000) + "---\n" + POD);

        assertThat(Cli.run("explain", "-f", file, "--cluster-snapshot", MIXED).err())
                .isEqualTo(
                        file
                                + ": explain finds no pod template in Service web and 999 other objects, and leaves them out\n");
    }

    @Test
    void refusesAnAliasOfTheValueThatContainsIt() throws IOException {
        Path spec = file("spec.yaml", "apiVersion: v1\nkind: Pod\nspec: &s\n  containers: [*s]\n");
        Path list = file("list.yaml", "apiVersion: v1\nkind: List\nitems: &i\n- *i\n");

        Cli ofSpec = Cli.run("explain", "-f", spec, "--cluster-snapshot", MIXED);
        Cli ofList = Cli.run("explain", "-f", list, "--cluster-snapshot", MIXED);

        assertThat(ofSpec.err())
                .isEqualTo(spec + ", line 3, column 7: an alias in this value is of the value itself; write the value"
                        + " itself\n");
        assertThat(ofList.err())
                .startsWith(list + ", line 3, column 8: an alias")
                .hasLineCount(1);
        assertThat(ofSpec.code()).isEqualTo(2);
        assertThat(ofList.code()).isEqualTo(2);
    }

    @Test
    void readsStandardInput() {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(POD.getBytes(StandardCharsets.UTF_8)));
        try {
            Cli explained = Cli.run("explain", "-f", "-", "--cluster-snapshot", ONLY_1G, "-o", "json");

            assertThat(explained.out()).contains("\"source\" : \"standard input\"");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void takesThePolicyOfTheNamespaceThatIsGiven() throws IOException {
        Path config = file("gateway.yaml", """
                policy:
                  namespaces:
                    strict: {chains: {}, whenNotOffered: deny}
                """);
        Path pod = file("pod.yaml", POD);

        Cli own = Cli.run("explain", "-f", pod, "--cluster-snapshot", ONLY_1G, "--config", config);
        Cli strict = Cli.run("explain", "-f", pod, "--cluster-snapshot", ONLY_1G, "--config", config, "-n", "strict");

        assertThat(own.code()).isZero();
        assertThat(own.out()).contains("namespace team-a\n  changed: 2g.20gb->1g.10gb");
        assertThat(strict.code()).isEqualTo(1);
        assertThat(strict.out())
                .contains("namespace strict\n  denied: NotOffered")
                .contains("Forbidden: container train: no node offers nvidia.com/mig-2g.20gb;");
    }

    @Test
    void printsOnePatchALineAndSaysWhoIsDenied() throws IOException {
        Path config = file("gateway.yaml", "policy: {whenNotOffered: deny}\n");
        Path denied = file("denied.yaml", POD.replace("mig-2g.20gb", "mig-7g.80gb"));
        Path free = file(
                "free.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: free}, spec: {containers: [{name: c}]}}");

        Cli explained = Cli.run(
                "explain",
                "-f",
                file("pod.yaml", POD),
                "-f",
                free,
                "-f",
                denied,
                "--cluster-snapshot",
                ONLY_1G,
                "--config",
                config,
                "-o",
                "patch");

        assertThat(explained.out().lines()).hasSize(3);
        assertThat(explained.out().lines().skip(1)).containsExactly("[]", "[]");
        assertThat(explained.out().lines().findFirst().orElseThrow()).startsWith("[{\"op\":\"remove\",");
        assertThat(explained.err()).startsWith("Pod train is denied: container train: no node offers");
        assertThat(explained.code()).isEqualTo(1);
    }

    @Test
    void jsonHasTheMembersThatAreDocumented() throws IOException {
        Cli explained =
                Cli.run("explain", "-f", DEMO.resolve("review.json"), "--cluster-snapshot", MIXED, "-o", "json");

        JsonNode pod = new ObjectMapper().readTree(explained.out()).path("pods").path(0);
        String documented = Files.readString(Path.of("src/docs/explain-json.md"));
        assertThat(pod.fieldNames())
                .toIterable()
                .allSatisfy(name -> assertThat(documented).contains("`" + name + "`"));
        JsonNode candidate = pod.path("asked").path(0).path("candidates").path(1);
        assertThat(candidate.fieldNames())
                .toIterable()
                .allSatisfy(name -> assertThat(documented).contains("`" + name + "`"));
        assertThat(candidate.toString()).isEqualTo("""
                {"resource":"nvidia.com/mig-2g.20gb","need":1,"fate":"chosen","nodes":[\
                {"answer":"fits","allocatable":8,"count":1,"names":["medium"]},\
                {"answer":"none","allocatable":0,"count":1,"names":["small"]}]}""");
    }

    @Test
    void fillsMissingRequestsFromLimitsKeyByKey() throws IOException {
        Path pod = file("pod.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: train}
                spec:
                  containers:
                  - name: train
                    resources:
                      limits: {nvidia.com/mig-2g.20gb: 1, memory: 8Gi}
                      requests: {memory: 4Gi}
                """);

        Cli explained = Cli.run("explain", "-f", pod, "--cluster-snapshot", ONLY_1G);

        assertThat(explained.out())
                .contains("- containers[0] requests nvidia.com/mig-2g.20gb")
                .contains("+ containers[0] requests nvidia.com/mig-1g.10gb: 1");
    }

    @Test
    void saysWhatIsWrongInOneLineAndWhatToDo() throws IOException {
        Path broken = file("broken.yaml", "kind: Pod\n  metadata: {}\n");
        Path twice = file("twice.json", "{\"kind\": \"Pod\",\n \"kind\": \"Pod\"}");
        Path service = file("service.yaml", "{apiVersion: v1, kind: Service, metadata: {name: web}}");
        Path noTemplate = file("job.yaml", "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {}}");
        Path noList = file("pod.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: 3}}");
        Path badReview =
                file("review.json", "{\"kind\": \"AdmissionReview\", \"apiVersion\": \"admission.k8s.io/v1\"}");

        assertRefused(broken, ", line 2, column 11: mapping values are not allowed here");
        assertRefused(twice, ", line 2, column 8: Duplicate field 'kind'");
        assertRefused(noTemplate, ": Job j has no spec.template");
        assertRefused(noList, ": Pod p: spec.containers is not a list");
        assertRefused(badReview, ": the AdmissionReview has no request");
        assertRefused(file("empty.yaml", "# nothing\n"), " is empty");
        assertRefused(file("text.yaml", "just words"), ": is no Kubernetes object, as it has no kind");
        assertRefused(directory.resolve("gone.yaml"), " does not exist; name a file, or - for standard input");
        assertRefused(directory, " cannot be read: it is a directory");
        Cli nothing = Cli.run("explain", "-f", service, "--cluster-snapshot", ONLY_1G);
        assertThat(nothing.code()).isEqualTo(2);
        assertThat(nothing.err())
                .contains("explain finds no pod template in")
                .contains(service + ": there is no pod to explain");
    }

    private static void assertRefused(Path file, String problem) {
        Cli refused = Cli.run("explain", "-f", file, "--cluster-snapshot", ONLY_1G);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).startsWith(file + problem).hasLineCount(1);
    }

    @Test
    void refusesABrokenClusterOrConfiguration() throws IOException {
        Path pod = file("pod.yaml", POD);
        Path config = file("gateway.yaml", "webhook: {port: 0}\npolicy: {mode: none}\n");

        Cli noCluster = Cli.run("explain", "-f", pod, "--cluster-snapshot", directory.resolve("gone.yaml"));
        Cli noConfig = Cli.run("explain", "-f", pod, "--cluster-snapshot", ONLY_1G, "--config", config);

        assertThat(noCluster.code()).isEqualTo(2);
        assertThat(noCluster.err()).contains("gone.yaml does not exist").hasLineCount(1);
        assertThat(noConfig.code()).isEqualTo(2);
        assertThat(noConfig.err()).hasLineCount(2).contains("webhook.port is 0").contains("policy.mode");
    }

    @Test
    void tellsHowManyAreFreeWhereThePodFits() throws IOException {
        Path config = Files.writeString(directory.resolve("gateway.yaml"), "policy: { mode: availability }\n");
        String cluster = "";
        for (int node = 1; node <= 3; node++) {
            cluster += """
                    apiVersion: v1
                    kind: Node
                    metadata: {name: n%1$d}
                    status: {allocatable: {cpu: 64, memory: 64Gi, pods: 110, nvidia.com/mig-2g.20gb: 4}}
                    ---
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: p%1$d, namespace: a, uid: u%1$d}
                    spec:
                      nodeName: n%1$d
                      containers: [{name: c, resources: {limits: {nvidia.com/mig-2g.20gb: %2$d}}}]
                    status: {phase: Running}
                    ---
                    """.formatted(node, node == 1 ? 3 : 2);
        }
        Path file = file("cluster.yaml", cluster.substring(0, cluster.length() - 4));
        Path pod = file("pod.yaml", POD);

        Cli explained = Cli.run("explain", "-f", pod, "--config", config, "--cluster-snapshot", file);
        Cli json = Cli.run("explain", "-f", pod, "--config", config, "--cluster-snapshot", file, "-o", "json");

        assertThat(explained.out()).contains("""
                         fits      4     n2, n3: 2 free on each
                         fits      4     n1: 1 free
                """);
        assertThat(json.out()).contains("\"available\" : 2", "\"available\" : 1");
    }

    @Test
    void namesWhoHoldsWhatIsNotFree() throws IOException {
        Path config = Files.writeString(directory.resolve("gateway.yaml"), "policy: { mode: availability }\n");
        Path pod = Files.writeString(directory.resolve("pod.yaml"), """
                apiVersion: v1
                kind: Pod
                metadata: {name: x}
                spec:
                  containers:
                  - name: train
                    resources: {requests: {cpu: 60}, limits: {nvidia.com/mig-3g.40gb: 1}}
                """);

        Cli explained = Cli.run(
                "explain",
                "-f",
                pod,
                "--config",
                config,
                "--cluster-snapshot",
                "src/test/resources/dev/sluice/cli/in-use.yaml");

        assertThat(explained.out()).contains("""
                    1  nvidia.com/mig-3g.40gb  assigned; waiting for capacity
                         in use    4     n1.eu-west-1.compute.internal: 4 of 4 used by team-a/train-0 and reserved
                                         for team-a/train-1; cpu 53 of 63.5 free, 60 needed, used by
                                         team-a/train-0 (8) and reserved for team-a/train-1 (2.5)
                """).contains("not here  8     n2: it is cordoned");
    }

    /** The API server does not ask the gateway about such a pod, so that nobody else tells the user. */
    @Test
    void suggestsTheGpuThatAMisspeltNameMeans() throws IOException {
        Path pod = Files.writeString(directory.resolve("pod.yaml"), """
                apiVersion: v1
                kind: Pod
                metadata: {name: train}
                spec: {containers: [{name: main, image: x, resources: {limits: {nvidia.com/gpus: 1}}}]}
                """);

        Cli explained = Cli.run("explain", "-f", pod.toString(), "--cluster-snapshot", ONLY_1G);

        assertThat(explained.out().replaceAll("\\s+", " "))
                .contains(
                        "container main: no node has nvidia.com/gpus, and it is no GPU resource that is known (did you"
                                + " mean nvidia.com/gpu?)");
    }

    /** The report is flyteorg/flyte#180. */
    @Test
    void saysWhichNameOfAResourceTheApiServerRefuses() throws IOException {
        String pod = """
                apiVersion: v1
                kind: Pod
                metadata: {name: train}
                spec: {containers: [{name: main, image: x, resources: {limits: {RESOURCE: 1}}}]}
                """;
        Path bare = file("bare.yaml", pod.replace("RESOURCE", "gpu"));
        Path ofQuota = file("quota.yaml", pod.replace("RESOURCE", "requests.nvidia.com/gpu"));
        Path legal = file("legal.yaml", pod.replace("RESOURCE", "hugepages-2Mi: 2Mi, example.com/fpga"));

        assertThat(Cli.run("explain", "-f", bare, "--cluster-snapshot", ONLY_1G)
                        .out()
                        .replaceAll("\\s+", " "))
                .contains("left as written: the API server will refuse it as it stands")
                .contains("container main: the API server refuses the resource gpu, as its name has no domain; GPUs"
                        + " have names such as nvidia.com/gpu");
        assertThat(Cli.run("explain", "-f", ofQuota, "--cluster-snapshot", ONLY_1G)
                        .out()
                        .replaceAll("\\s+", " "))
                .contains("the API server refuses the resource requests.nvidia.com/gpu, as such names are for quotas"
                        + " (did you mean nvidia.com/gpu?)")
                .doesNotContain("the pod waits");
        assertThat(Cli.run("explain", "-f", legal, "--cluster-snapshot", ONLY_1G)
                        .out())
                .contains("admitted as written: it asks for no GPU")
                .doesNotContain("refuse");
    }

    @Test
    void aFaultOfAHostileManifestIsToldWithItsPlace() throws IOException {
        String pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n";
        String json = "{\"apiVersion\": \"v1\", \"kind\": \"Pod\",\n\"x\": ";

        assertThat(refusal(pod + "x: " + "[".repeat(200) + "]".repeat(200)))
                .endsWith(
                        ", line 4, column 103: the text is nested more than 100 levels deep; give it with less nesting\n");
        assertThat(refusal(json + "[".repeat(2_000)))
                .contains(", line 2, column ", "(1001) exceeds the maximum allowed (1000)")
                .hasLineCount(1);
        assertThat(refusal(pod + "\n\nx: a\u0001b\n")).contains(", line 6: special characters are not allowed");
    }

    private String refusal(String manifest) throws IOException {
        Path file = Files.writeString(directory.resolve("hostile"), manifest);
        Cli refused = Cli.run("explain", "-f", file, "--cluster-snapshot", MIXED);
        assertThat(refused.code()).isEqualTo(2);
        return refused.err();
    }
}
