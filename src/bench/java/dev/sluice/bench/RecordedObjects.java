package dev.sluice.bench;

import dev.sluice.bench.RecordedState.NodeState;
import dev.sluice.bench.RecordedState.Phase;
import dev.sluice.bench.RecordedState.PodState;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The nodes and pods of a {@link Recording} as the API server writes them. */
final class RecordedObjects {

    /** Each is written by the template of the sample node that has its number modulo this. */
    private static final int NODE_TEMPLATES = 200;

    /** No other number of the sample has these digits. */
    private static final int SAMPLE = 98_765_432;

    private static final Pattern DEVICE =
            Pattern.compile("\"allocatable\":\\{.*?\"((?:nvidia|amd)\\.com/[a-z0-9.-]+)\":\"(\\d+)\"");

    private final List<NodeTemplate> nodes =
            IntStream.range(0, NODE_TEMPLATES).mapToObj(NodeTemplate::of).toList();
    private final Map<Phase, List<ObjectTemplate>> pods = new EnumMap<>(Phase.class);

    /** What a node offers to pods besides the usual; the empty name and 0 for a node without devices. */
    record Device(String name, int count) {}

    private record NodeTemplate(ObjectTemplate template, Device device) {

        static NodeTemplate of(int number) {
            String text = SampleNodes.node(number)
                    .replaceAll("\\n *", "")
                    .replace("\": ", "\":")
                    .replace(SampleNodes.name(number), "@NAME@")
                    .replace("\"%d\"".formatted(8_000_000 + number), "\"@VERSION@\"")
                    .replace("i-%017x".formatted(number * 7_919L), "@INSTANCE@")
                    .replace("\"rack-%d\"".formatted(number / 32), "\"@RACK@\"")
                    .replace("\"%d\"".formatted(1_795_000_000 + number), "\"@STAMP@\"")
                    .replace("kernel-version.full\":\"6.8.0-64", "kernel-version.full\":\"6.8.0-@KERNEL@")
                    .replaceFirst("\"uid\":\"[^\"]*\"", "\"uid\":\"@UID@\"")
                    .replace(",\"unschedulable\":true", "")
                    .replaceFirst("\"spec\":\\{", "\"spec\":{@CORDONED@");
            Matcher device = DEVICE.matcher(text);
            if (!device.find()) {
                return new NodeTemplate(new ObjectTemplate(text), new Device("", 0));
            }
            String holed = text.substring(0, device.start(2)) + "@COUNT@" + text.substring(device.end(2));
            return new NodeTemplate(
                    new ObjectTemplate(holed), new Device(device.group(1), Integer.parseInt(device.group(2))));
        }
    }

    RecordedObjects() {
        for (Phase phase : List.of(Phase.WAITING, Phase.BOUND, Phase.RUNNING, Phase.LEAVING)) {
            List<ObjectTemplate> forms = new ArrayList<>();
            for (RecordedAsk ask : RecordedAsk.ALL) {
                forms.add(new ObjectTemplate(pod(ask, phase)));
            }
            pods.put(phase, forms);
        }
    }

    private static String pod(RecordedAsk ask, Phase phase) {
        String text = SamplePods.stored(PodKind.NO_GPU, SAMPLE, "@NODE@")
                .replace("\"cpu\":\"8\",\"memory\":\"64Gi\"", ask.usual())
                .replace("\"ephemeral-storage\":\"20Gi\"", ask.special())
                .replace("\"pod-" + SAMPLE + "\"", "\"@NAME@\"")
                .replace("\"00000000-0000-4000-8000-0000" + SAMPLE + "\"", "\"@UID@\"")
                .replace("\"" + (1_000 + SAMPLE) + "\"", "\"@VERSION@\"")
                .replace("\"prometheus.io/port\":\"9400\"", "\"prometheus.io/port\":\"@REVISION@\"")
                .replace(
                        "\"creationTimestamp\":null",
                        "\"creationTimestamp\":\"2026-11-21T09:14:27Z\""
                                + (phase == Phase.LEAVING
                                        ? ",\"deletionTimestamp\":\"2026-11-21T10:00:00Z\",\"deletionGracePeriodSeconds\":30"
                                        : ""));
        String young = text.substring(0, text.indexOf("\"status\":{"))
                + "\"status\":{\"phase\":\"Pending\",\"qosClass\":\"Guaranteed\"}}";
        return switch (phase) {
            case WAITING -> young.replace("\"nodeName\":\"@NODE@\",", "");
            case BOUND -> young;
            case RUNNING, LEAVING, GONE -> text;
        };
    }

    Device deviceOf(int node) {
        return nodes.get(node % NODE_TEMPLATES).device();
    }

    /** One device of a sick node is missing. */
    int offered(NodeState node) {
        return deviceOf(node.number()).count() - (node.has(NodeState.SICK) ? 1 : 0);
    }

    void write(ByteArrayOutputStream out, NodeState node) {
        nodes.get(node.number() % NODE_TEMPLATES).template().write(out, hole -> switch (hole) {
            case "NAME" -> SampleNodes.name(node.number());
            case "VERSION" -> Long.toString(node.version());
            case "INSTANCE" -> "i-%017x".formatted(node.number() * 7_919L);
            case "RACK" -> "rack-" + node.number() / 32;
            case "STAMP" -> Integer.toString(1_795_000_000 + node.number());
            case "KERNEL" -> node.has(NodeState.UPGRADED) ? "71" : "64";
            case "UID" -> uid(-1 - node.number());
            case "CORDONED" -> node.has(NodeState.CORDONED) ? "\"unschedulable\":true," : "";
            case "COUNT" -> Integer.toString(offered(node));
            default -> throw new IllegalStateException(hole);
        });
    }

    void write(ByteArrayOutputStream out, PodState pod) {
        ObjectTemplate template = pods.getOrDefault(pod.phase(), List.of()).get(pod.ask());
        template.write(out, hole -> switch (hole) {
            case "NAME" -> "job-%08d".formatted(pod.number());
            case "UID" -> uid(pod.number());
            case "VERSION" -> Long.toString(pod.version());
            case "NODE" -> SampleNodes.name(pod.node());
            case "REVISION" -> Integer.toString(9_000 + pod.revision());
            default -> throw new IllegalStateException(hole);
        });
    }

    /** As random as the API server's, and another one for each number. */
    private static String uid(long number) {
        long high = number * 0x9E3779B97F4A7C15L;
        long low = (high ^ (high >>> 29)) * 0xBF58476D1CE4E5B9L;
        return new UUID((high & ~0xF000L) | 0x4000, (low >>> 2) | Long.MIN_VALUE).toString();
    }
}
