package dev.sluice.kube.facts;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.Diagnosis;
import dev.sluice.doctor.DiagnosisLimits;
import dev.sluice.fuzz.Frugal;
import dev.sluice.fuzz.Scratch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** The rules that read messages end soon, whatever a message says. */
public final class MessageFuzz {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONGEST = Duration.ofSeconds(2);
    private static final DiagnosisLimits LIMITS =
            new DiagnosisLimits(LiveFactsCpuTime::ofThread, Duration.ofHours(1), Duration.ofHours(1), Long.MAX_VALUE);

    private MessageFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Frugal.run(input.length, () -> diagnose(new String(input, StandardCharsets.UTF_8)));
    }

    private static void diagnose(String message) throws IOException {
        ArrayNode items = JSON.createArrayNode();
        ObjectNode node = object(items, "Node", "n");
        node.putObject("status")
                .putObject("capacity")
                .put("nvidia.com/gpu", "1")
                .put("pods", "9");
        ObjectNode pod = object(items, "Pod", "p");
        pod.putObject("spec")
                .putArray("containers")
                .addObject()
                .putObject("resources")
                .putObject("limits")
                .put("nvidia.com/gpu", "1");
        pod.putObject("status").put("phase", "Pending").put("message", message);
        event(items, "Pod", "p", "FailedScheduling", message);
        event(items, "Pod", "p", "Failed", message);
        event(items, "Trainer", "t", "FailedCreate", message);
        long before = LiveFactsCpuTime.ofThread();
        try {
            byte[] list = JSON.writeValueAsBytes(JSON.createObjectNode()
                    .put("kind", "List")
                    .put("apiVersion", "v1")
                    .set("items", items));
            var _ = Diagnosis.of(FactsFiles.read(List.of(Scratch.file("message", list))), LIMITS);
        } catch (ClusterStateException refused) {
            throw new AssertionError("the objects are read whatever the message is", refused);
        }
        Duration taken = Duration.ofNanos(LiveFactsCpuTime.ofThread() - before);
        if (taken.compareTo(LONGEST) > 0) {
            throw new AssertionError("the rules took " + taken);
        }
    }

    private static ObjectNode object(ArrayNode items, String kind, String name) {
        ObjectNode object = items.addObject().put("apiVersion", "v1").put("kind", kind);
        object.putObject("metadata")
                .put("namespace", kind.equals("Node") ? "" : "ml")
                .put("name", name);
        return object;
    }

    private static void event(ArrayNode items, String kind, String name, String reason, String message) {
        ObjectNode event = object(items, "Event", name + reason);
        event.put("reason", reason).put("message", message);
        event.putObject("involvedObject")
                .put("kind", kind)
                .put("namespace", "ml")
                .put("name", name);
    }
}
