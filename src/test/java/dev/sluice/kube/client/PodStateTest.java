package dev.sluice.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.Pod.Place;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.KubernetesFacts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonParsers;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.kube.decode.ObjectMeta;
import dev.sluice.kube.decode.PodStateDecoder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodStateTest {

    private static final String UID = "0c5f2e0a-9d2b-4c57-8f0e-3b7c54a1d9e1";

    /** As the API server writes one, with what nobody reads in between. */
    private static final String POD = """
            {"kind":"Pod","apiVersion":"v1",
             "metadata":{"name":"train-0","namespace":"team-a","uid":"%s","resourceVersion":"42",
               "labels":{"app":"train"},"annotations":{"note":"größer 大 😀","gpu-webhook.k8s.io/decision":"stamp-1"},
               "ownerReferences":[{"kind":"Job","name":"train","uid":"x"}],
               "managedFields":[{"fieldsV1":{"f:spec":{"f:nodeName":{}}}}]},
             "spec":{"volumes":[{"name":"v","emptyDir":{}}],
               "containers":[{"name":"main","image":"i","resources":{
                 "limits":{"cpu":"2","nvidia.com/gpu":"1"},"requests":{"cpu":"500m","memory":"1Gi","nvidia.com/gpu":"1"}}}],
               "nodeSelector":{"zone":"a"},"nodeName":"n1",
               "tolerations":[{"key":"nvidia.com/gpu","operator":"Exists"}]},
             "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}],
               "containerStatuses":[{"name":"main","ready":true,"state":{"running":{}}}]}}""".formatted(UID);

    private final PodStateDecoder decoder = new PodStateDecoder();

    private ObjectDecodeResult<Pod> decode(String json) throws IOException {
        try (JsonParser parser = JsonParsers.json(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)))) {
            parser.nextToken();
            return decoder.decode(parser);
        }
    }

    private Pod pod(String json) throws IOException {
        return switch (decode(json)) {
            case ObjectDecodeResult.Found<Pod> found -> found.value();
            case ObjectDecodeResult<Pod> other -> throw new AssertionError(other);
        };
    }

    @Test
    void addsUpAsTheSchedulerDoes() throws Exception {
        List<String> disagreements = new ArrayList<>();
        for (JsonNode fact : KubernetesFacts.documents("pods.jsonl")) {
            ObjectNode pod = (ObjectNode) fact.get("pod");
            pod.putObject("metadata").put("name", "pod");
            Map<String, Long> theirs = new HashMap<>();
            fact.get("total")
                    .properties()
                    .forEach(
                            total -> theirs.put(total.getKey(), total.getValue().longValue()));
            theirs.put("pods", 1L);
            Map<String, Long> ours = new HashMap<>();
            pod(pod.toString()).requests().forEach((name, amount) -> ours.put(name.value(), amount));
            if (!ours.equals(theirs)) {
                disagreements.add(fact + ": " + ours);
            }
        }
        assertThat(disagreements).isEmpty();
    }

    @Test
    void keepsWhatTheLedgerReads() throws Exception {
        assertThat(pod(POD))
                .isEqualTo(new Pod(
                        PodId.of(UID), "team-a/train-0", new Place.Bound("n1"), pod(POD).requests(), "stamp-1", 42));
        assertThat(pod(POD).requests()).hasToString("{cpu: 500, memory: 1073741824, nvidia.com/gpu: 1, pods: 1}");
    }

    @Test
    void saysWhenThePodWasCreatedAndReadsItAllTheSame() throws Exception {
        String born = "\"metadata\":{\"creationTimestamp\":\"2026-11-21T12:00:00Z\",";
        assertThat(pod(POD.replace("\"metadata\":{", born)).created()).isEqualTo("2026-11-21T12:00:00Z");
        assertThat(pod(POD.replace("\"metadata\":{", born.replace("\"2026-11-21T12:00:00Z\"", "{\"a\":1}")))
                        .created())
                .isEmpty();
    }

    @Test
    void anUnboundPodSaysWhereItMayRun() throws Exception {
        String unbound = POD.replace("\"nodeName\":\"n1\",", "");
        assertThat(pod(unbound).place()).isInstanceOfSatisfying(Place.Unbound.class, place -> {
            assertThat(place.nominated()).isNull();
            assertThat(place.constraints().nodeSelector()).isEqualTo(Map.of("zone", "a"));
            assertThat(place.constraints().tolerations()).hasSize(1);
            assertThat(place.constraints().nodeName()).isNull();
        });
        assertThat(pod(unbound.replace("\"phase\"", "\"nominatedNodeName\":\"n7\",\"phase\""))
                        .place())
                .isInstanceOfSatisfying(
                        Place.Unbound.class,
                        place -> assertThat(place.nominated()).isEqualTo("n7"));
        assertThat(pod("{\"metadata\":{\"name\":\"x\"}}").place())
                .isEqualTo(new Place.Unbound(NodeConstraints.NONE, null));
    }

    @Test
    void aGatedPodWaitsForItsGates() throws Exception {
        String gated = POD.replace("\"nodeName\":\"n1\"", "\"schedulingGates\":[{\"name\":\"wait\"}]");
        assertThat(pod(gated).place()).isEqualTo(new Place.Gated());
        assertThat(pod(gated.replace("[{\"name\":\"wait\"}]", "[]")).place()).isInstanceOf(Place.Unbound.class);
    }

    @Test
    void aPodThatHasEndedIsNone() throws Exception {
        ObjectMeta object = new ObjectMeta("train-0", "team-a", UID, "stamp-1", 42);
        for (String phase : List.of("Succeeded", "Failed")) {
            String ended = POD.replace("Running", phase);
            assertThat(decode(ended)).isEqualTo(new ObjectDecodeResult.Ended<>("Pod", object));
            assertThat(decode(ended.replace("1Gi", "?"))).isEqualTo(new ObjectDecodeResult.Ended<>("Pod", object));
        }
        assertThat(decode(POD.replace("Running", "Unknown"))).isInstanceOf(ObjectDecodeResult.Found.class);
    }

    @Test
    void sharesWhatManyPodsHaveInCommon() throws Exception {
        Pod one = pod(POD);
        Pod other = pod(POD.replace("train-0", "train-1"));
        assertThat(other.place()).isSameAs(one.place());
        assertThat(other.requests()).isSameAs(one.requests());
        String unbound = POD.replace("\"nodeName\":\"n1\",", "");
        assertThat(pod(unbound).place()).isSameAs(pod(unbound).place());
    }

    @Test
    void limitsCountWhereNobodyHasFilledTheRequests() throws Exception {
        String written = "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":"
                + "{\"limits\":{\"cpu\":\"2\",\"nvidia.com/gpu\":1},\"requests\":{\"cpu\":1}}}]}}";
        assertThat(pod(written).requests()).hasToString("{cpu: 1000, nvidia.com/gpu: 1, pods: 1}");
    }

    @Test
    void countsNothingThatTheSchedulerDoesNot() throws Exception {
        String odd = POD.replace("\"memory\":\"1Gi\"", "\"pods\":\"5\",\"storage\":\"1Gi\",\"requests.x/y\":\"1\"");
        assertThat(pod(odd).requests()).hasToString("{cpu: 500, nvidia.com/gpu: 1, pods: 1}");
    }

    @Test
    void namesThePodThatIsMalformed() throws Exception {
        assertThat(decode(POD.replace("\"1Gi\"", "\"1 GiB\"")))
                .extracting("kind", "object.namespace", "object.name", "problem")
                .containsExactly(
                        "Pod",
                        "team-a",
                        "train-0",
                        "pod team-a/train-0: spec.containers[0].resources.requests.memory is not a quantity such as 1 or 2Gi");
        assertThat(decode("{\"kind\":\"Pod\",\"spec\":[]}"))
                .isEqualTo(new ObjectDecodeResult.Malformed<>(
                        "Pod", new ObjectMeta("", "", "", "", 0), "pod default/: spec is not a map"));
        assertThat(decode("7")).isInstanceOf(ObjectDecodeResult.Malformed.class);
    }

    @Test
    void namesTheFieldThatIsMalformed() throws Exception {
        assertThat(problem("\"containers\":[{},{\"resources\":{\"limits\":{\"nvidia.com/gpu\":\"lots\"}}}]", ""))
                .isEqualTo("spec.containers[1].resources.limits.nvidia.com/gpu is not a quantity such as 1 or 2Gi");
        assertThat(problem("\"containers\":[{},{},7]", "")).isEqualTo("spec.containers[2] is not a map");
        assertThat(problem("\"containers\":[{},{\"resources\":7}]", ""))
                .isEqualTo("spec.containers[1].resources is not a map");
        assertThat(problem("\"initContainers\":[{\"name\":7}]", ""))
                .isEqualTo("spec.initContainers[0].name is not a string");
        assertThat(problem("\"initContainers\":[{\"restartPolicy\":7}]", ""))
                .isEqualTo("spec.initContainers[0].restartPolicy is not a string");
        assertThat(problem("\"resources\":{\"limits\":{\"cpu\":\"?\"}}", ""))
                .isEqualTo("spec.resources.limits.cpu is not a quantity such as 1 or 2Gi");
        assertThat(problem("", "\"initContainerStatuses\":7")).isEqualTo("status.initContainerStatuses is not a list");
        assertThat(problem("", "\"containerStatuses\":[{},{\"resources\":{\"requests\":7}}]"))
                .isEqualTo("status.containerStatuses[1].resources.requests is not a map");
        assertThat(problem("", "\"containerStatuses\":[{\"allocatedResources\":{\"cpu\":\"?\"}}]"))
                .isEqualTo("status.containerStatuses[0].allocatedResources.cpu is not a quantity such as 1 or 2Gi");
        assertThat(problem("", "\"conditions\":[{},{\"type\":7}]"))
                .isEqualTo("status.conditions[1].type is not a string");
        assertThat(problem("", "\"conditions\":[{\"reason\":7}]"))
                .isEqualTo("status.conditions[0].reason is not a string");
    }

    private String problem(String spec, String status) throws IOException {
        String json = "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"x\",\"namespace\":\"team-a\"},\"spec\":{" + spec
                + "},\"status\":{" + status + "}}";
        return switch (decode(json)) {
            case ObjectDecodeResult.Malformed<Pod> malformed ->
                malformed.problem().replace("pod team-a/x: ", "");
            case ObjectDecodeResult<Pod> other -> throw new AssertionError(other);
        };
    }

    @Test
    void passesOverOtherKinds() throws Exception {
        assertThat(decode(POD.replace("\"kind\":\"Pod\"", "\"kind\":\"Node\"")))
                .isEqualTo(new ObjectDecodeResult.OtherKind<>("Node"));
        assertThat(decode(POD.replace("\"v1\"", "\"metrics.k8s.io/v1beta1\"")))
                .isEqualTo(new ObjectDecodeResult.OtherKind<>("Pod of metrics.k8s.io/v1beta1"));
    }

    /** The API server allows 256 KiB of annotations, and anybody may write them. */
    @Test
    void anEndlessStampIsNoneAndHarmsNobody() throws Exception {
        assertThat(pod(POD.replace("stamp-1", "x".repeat(256 * 1024))).stamp()).isEmpty();
        assertThat(pod(POD.replace("größer", "x".repeat(256 * 1024))).stamp()).isEqualTo("stamp-1");
    }

    @Test
    void whatIsNotWrittenIsNotAsked() throws Exception {
        assertThat(pod("{\"metadata\":{\"name\":\"x\"}}").requests()).isEqualTo(Amounts.of(ResourceName.PODS, 1));
    }
}
