package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;

/** Valid reviews of pods in shapes that cost much to read or to decide. All ask for a GPU. */
final class HostileReviews {

    private static final String GPU =
            "\"resources\":{\"limits\":{\"nvidia.com/mig-3g.40gb\":\"1\"},\"requests\":{\"nvidia.com/mig-3g.40gb\":\"1\"}}";

    private HostileReviews() {}

    /** By a name for each, reviews of about so many bytes. */
    static Map<String, byte[]> ofSize(int bytes) {
        Map<String, byte[]> shapes = new LinkedHashMap<>();
        shapes.put(
                "containers",
                pod("", "\"containers\":[" + repeat(bytes, i -> "{\"name\":\"c" + i + "\"," + GPU + "}") + "]"));
        shapes.put(
                "annotations",
                pod("\"annotations\":{" + repeat(bytes, i -> "\"a" + i + "\":\"v\"") + "},", container()));
        shapes.put(
                "tolerations",
                pod("", "\"tolerations\":[" + repeat(bytes, i -> "{\"key\":\"k" + i + "\"}") + "]," + container()));
        shapes.put(
                "selector",
                pod("", "\"nodeSelector\":{" + repeat(bytes, i -> "\"k" + i + "\":\"v\"") + "}," + container()));
        shapes.put("affinity", pod("", affinity(bytes) + container()));
        shapes.put(
                "names",
                pod(
                        "",
                        "\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{"
                                + repeat(bytes, i -> "\"x.y/n" + i + "\":\"0\"") + "}}}]"));
        shapes.put("escapes", pod("\"annotations\":{\"a\":\"" + "\\u0061".repeat(bytes / 6) + "\"},", container()));
        shapes.put("text", pod("\"annotations\":{\"a\":\"" + "x".repeat(bytes) + "\"},", container()));
        shapes.put(
                "depth",
                pod("\"managedFields\":[" + repeat(bytes, _ -> "[".repeat(200) + "]".repeat(200)) + "],", container()));
        return shapes;
    }

    private static String affinity(int bytes) {
        return "\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":{"
                + "\"nodeSelectorTerms\":[{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"In\",\"values\":["
                + repeat(bytes, i -> "\"v" + i + "\"") + "]}]}]}}},";
    }

    private static String container() {
        return "\"containers\":[{\"name\":\"c\"," + GPU + "}]";
    }

    private static String repeat(int bytes, IntFunction<String> part) {
        StringBuilder text = new StringBuilder(bytes + 1_024);
        for (int i = 0; text.length() < bytes; i++) {
            text.append(i == 0 ? "" : ",").append(part.apply(i));
        }
        return text.toString();
    }

    private static byte[] pod(String metadata, String spec) {
        return ("{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\","
                        + "\"kind\":{\"group\":\"\",\"version\":\"v1\",\"kind\":\"Pod\"},\"namespace\":\"a\","
                        + "\"operation\":\"CREATE\",\"object\":{\"metadata\":{" + metadata
                        + "\"name\":\"p\"},\"spec\":{"
                        + spec + "}},\"dryRun\":false}}")
                .getBytes(UTF_8);
    }
}
