package dev.sluice.webhook;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;

/** Valid reviews in shapes that cost much to read or to decide. */
final class HostileShapes {

    private static final String RESOURCES = "\"resources\":{\"limits\":{\"nvidia.com/mig-2g.20gb\":\"1\"},\"requests\":"
            + "{\"nvidia.com/mig-2g.20gb\":\"1\"}}";

    private HostileShapes() {}

    /** By their names, of about so many bytes each. */
    static Map<String, String> ofSize(int bytes) {
        Map<String, String> shapes = new LinkedHashMap<>();
        shapes.put(
                "containers",
                pod("", "\"containers\":[" + repeat(bytes, i -> "{\"name\":\"c" + i + "\"," + RESOURCES + "}") + "]"));
        shapes.put("annotations", annotated("{" + repeat(bytes, i -> "\"a" + i + "\":\"v\"") + "}"));
        shapes.put("tolerations", spec("\"tolerations\":[" + repeat(bytes, i -> "{\"key\":\"k" + i + "\"}") + "]"));
        shapes.put("selector", spec("\"nodeSelector\":{" + repeat(bytes, i -> "\"k" + i + "\":\"v\"") + "}"));
        shapes.put("affinity", spec(affinity(repeat(bytes, i -> "\"v" + i + "\""))));
        shapes.put("letters", spec(affinity(repeat(bytes, _ -> "\"v\""))));
        shapes.put(
                "names",
                pod(
                        "",
                        "\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{\"nvidia.com/gpu\":\"1\","
                                + repeat(bytes, i -> "\"x.y/n" + i + "\":\"0\"") + "}}}]"));
        shapes.put("escapes", annotated("{\"a\":\"" + "\\u0061".repeat(bytes / 6) + "\"}"));
        shapes.put("text", annotated("{\"a\":\"" + "x".repeat(bytes) + "\"}"));
        shapes.put(
                "depth",
                pod("\"managedFields\":[" + repeat(bytes, _ -> "[".repeat(200) + "]".repeat(200)) + "],", container()));
        return shapes;
    }

    private static String affinity(String values) {
        return "\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":{"
                + "\"nodeSelectorTerms\":[{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"In\",\"values\":["
                + values + "]}]}]}}}";
    }

    private static String annotated(String annotations) {
        return pod("\"annotations\":" + annotations + ",", container());
    }

    private static String spec(String part) {
        return pod("", part + "," + container());
    }

    private static String container() {
        return "\"containers\":[{\"name\":\"c\"," + RESOURCES + "}]";
    }

    private static String repeat(int bytes, IntFunction<String> part) {
        StringBuilder text = new StringBuilder(bytes + 1_024);
        for (int i = 0; text.length() < bytes; i++) {
            text.append(i == 0 ? "" : ",").append(part.apply(i));
        }
        return text.toString();
    }

    private static String pod(String metadata, String spec) {
        return Requests.review(Requests.UID, "{\"metadata\":{" + metadata + "\"name\":\"p\"},\"spec\":{" + spec + "}}");
    }
}
