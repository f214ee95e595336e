package dev.sluice.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes a large cluster for the doctor, indented as kubectl writes it: one node in five has GPUs, 40 % of the pods ask
 * for them, 15 % wait, in jobs of ten, and on some nodes the device plugin has stopped or MIG has failed.
 */
final class SickCluster {

    private static final int NODES = Integer.getInteger("nodes", 5_000);
    private static final int PODS = Integer.getInteger("pods", 20_000);
    private static final int EVENTS = Integer.getInteger("events", 5_000);

    /** Of hundred pods, so many wait for GPUs, and so many have them. */
    private static final int WAITING = 15;

    private static final int USING = 25;
    private static final int JOB = 10;
    private static final int MOST_VARIABLES = 3;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    /** The kinds of pods that can wait anywhere. */
    private static final List<PodKind> KINDS = List.of(
            PodKind.OFFERED,
            PodKind.FALLS_BACK,
            PodKind.BY_PRODUCT,
            PodKind.BY_ZONE,
            PodKind.NOT_OFFERED,
            PodKind.TWO_RESOURCES);

    private final JsonGenerator out;
    private final List<String> plain = new ArrayList<>();
    private final List<String> withGpus = new ArrayList<>();

    private SickCluster(JsonGenerator out) {
        this.out = out;
    }

    /** The argument is the file to write. */
    public static void main(String[] arguments) throws IOException {
        DefaultIndenter indent = new DefaultIndenter("    ", "\n");
        Separators separators =
                Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER);
        DefaultPrettyPrinter likeKubectl =
                new DefaultPrettyPrinter(separators).withObjectIndenter(indent).withArrayIndenter(indent);
        try (BufferedWriter file = Files.newBufferedWriter(Path.of(arguments[0]));
                JsonGenerator out = new JsonFactory(JSON).createGenerator(file).setPrettyPrinter(likeKubectl)) {
            new SickCluster(out).write();
        }
        System.out.printf("%,d bytes%n", Files.size(Path.of(arguments[0])));
    }

    private void write() throws IOException {
        out.writeStartObject();
        out.writeStringField("apiVersion", "v1");
        out.writeArrayFieldStart("items");
        nodes();
        for (int number = 0; number < PODS; number++) {
            pod(number);
        }
        for (int number = 0; number < EVENTS; number++) {
            event(number);
        }
        out.writeEndArray();
        out.writeStringField("kind", "List");
        out.writeEndObject();
    }

    private void item(ObjectNode item) throws IOException {
        JSON.writeValue(out, JSON.convertValue(item, Map.class));
    }

    private void nodes() throws IOException {
        for (int number = 0; plain.size() + withGpus.size() < NODES; number++) {
            ObjectNode node = tree(SampleNodes.node(number));
            boolean gpus = node.at("/metadata/labels").has("nvidia.com/gpu.present");
            List<String> alike = gpus ? withGpus : plain;
            if (alike.size() < (gpus ? NODES / 5 : NODES - NODES / 5)) {
                alike.add(node.at("/metadata/name").asText());
                fault(node, gpus ? withGpus.size() : 0);
                item(node);
            }
        }
    }

    private static void fault(ObjectNode node, int gpuNode) {
        if (gpuNode % 40 == 7) {
            ObjectNode allocatable = (ObjectNode) node.at("/status/allocatable");
            allocatable.fieldNames().forEachRemaining(name -> {
                if (name.startsWith("nvidia.com/")) {
                    allocatable.put(name, "0");
                }
            });
        } else if (gpuNode % 40 == 21) {
            ((ObjectNode) node.at("/metadata/labels")).put("nvidia.com/mig.config.state", "failed");
        }
    }

    private void pod(int number) throws IOException {
        int share = number % 100;
        if (number < withGpus.size()) {
            item(plugin(number));
        } else if (share < WAITING) {
            item(waiting(number));
        } else {
            boolean gpus = share < WAITING + USING;
            PodKind kind = gpus ? PodKind.OFFERED : PodKind.NO_GPU;
            List<String> nodes = gpus ? withGpus : plain;
            item(stored(kind, number, nodes.get(number % nodes.size())));
        }
    }

    /** As the pods of reviews, but with one container, and a quarter of its variables, as most pods have. */
    private static ObjectNode stored(PodKind kind, int number, String node) {
        ObjectNode pod = tree(SamplePods.stored(kind, number, node));
        pod.put("apiVersion", "v1").put("kind", "Pod");
        ((ObjectNode) pod.get("spec")).remove("initContainers");
        ((ObjectNode) pod.get("status")).remove("initContainerStatuses");
        ArrayNode variables = (ArrayNode) pod.at("/spec/containers/0/env");
        while (variables.size() > MOST_VARIABLES) {
            variables.remove(variables.size() - 1);
        }
        ObjectNode metadata = (ObjectNode) pod.get("metadata");
        // Since 1.21 kubectl prints them only when it is asked to.
        metadata.remove("managedFields");
        metadata.put("creationTimestamp", "2026-11-20T09:14:27Z");
        return pod;
    }

    private ObjectNode plugin(int number) {
        ObjectNode pod = stored(PodKind.NO_GPU, number, withGpus.get(number));
        ObjectNode metadata = (ObjectNode) pod.get("metadata");
        metadata.put("name", "nvidia-device-plugin-daemonset-%05d".formatted(number));
        ObjectNode owner = (ObjectNode) metadata.at("/ownerReferences/0");
        owner.put("kind", "DaemonSet").put("apiVersion", "apps/v1").put("name", "nvidia-device-plugin-daemonset");
        ArrayNode conditions = (ArrayNode) pod.at("/status/conditions");
        conditions
                .addObject()
                .put("type", "Ready")
                .put("status", (number + 1) % 40 == 7 ? "False" : "True")
                .put("lastTransitionTime", "2026-11-20T09:14:31Z");
        return pod;
    }

    private static ObjectNode waiting(int number) {
        int job = number / 100 * WAITING + number % 100;
        PodKind kind = KINDS.get(job / JOB % KINDS.size());
        ObjectNode pod = stored(kind, number, "");
        ObjectNode spec = (ObjectNode) pod.get("spec");
        spec.remove("nodeName");
        spec.withObjectProperty("nodeSelector").put("node.example.com/rack", "rack-" + job / JOB);
        ObjectNode status = JSON.createObjectNode().put("phase", "Pending").put("qosClass", "Guaranteed");
        status.putArray("conditions")
                .addObject()
                .put("lastTransitionTime", "2026-11-20T10:20:31Z")
                .put("message", message(job / JOB))
                .put("reason", "Unschedulable")
                .put("status", "False")
                .put("type", "PodScheduled");
        pod.set("status", status);
        return pod;
    }

    private static String message(int job) {
        return ("0/%d nodes are available: %d Insufficient nvidia.com/gpu, %d node(s) didn't match Pod's node"
                        + " affinity/selector. preemption: 0/%d nodes are available: %d Preemption is not helpful for"
                        + " scheduling.")
                .formatted(NODES, job, NODES - job, NODES, NODES);
    }

    private void event(int number) throws IOException {
        ObjectNode event = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Event");
        String pod = "pod-%08d".formatted(number * 3);
        event.withObjectProperty("metadata")
                .put("name", pod + ".18%x".formatted(number))
                .put("namespace", "team-" + number % 40)
                .put("creationTimestamp", "2026-11-20T10:20:31Z")
                .put("resourceVersion", String.valueOf(9_000_000 + number))
                .put("uid", "00000000-0000-4000-9000-0000%08d".formatted(number));
        event.withObjectProperty("involvedObject")
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put("name", pod)
                .put("namespace", "team-" + number % 40)
                .put("uid", "00000000-0000-4000-8000-0000%08d".formatted(number * 3));
        event.put("message", message(number / 100))
                .put("reason", "FailedScheduling")
                .put("type", "Warning");
        event.put("firstTimestamp", "2026-11-20T10:20:31Z").put("lastTimestamp", "2026-11-20T10:40:31Z");
        event.put("count", 7).withObjectProperty("source").put("component", "default-scheduler");
        item(event);
    }

    private static ObjectNode tree(String json) {
        try {
            return (ObjectNode) JSON.readTree(json);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
