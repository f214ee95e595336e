package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.console.LiveClusterRequests;
import dev.sluice.config.ConfigLoader;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.kube.client.ApiServerReply;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the gateway that is installed in a cluster. It is read from the ConfigMaps that the pods of the
 * gateway mount. All files of the directory are merged, by the same rules as in the gateway.
 *
 * @param name the ConfigMaps, for example {@code ConfigMap gpu-webhook/gpu-webhook-config}
 */
record ExplainInstalledConfig(Loading.Loaded loaded, String name) {

    /** The time limit of each request. It is short, because the command can use the default policy instead. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final String SELECTOR = "?labelSelector=app%3Dgpu-webhook&limit=50";
    private static final String OPTION = "--config";

    /** Thrown if the configuration cannot be read. The message is a clause that states the reason. */
    static final class NotRead extends Exception {

        private static final long serialVersionUID = 1;

        NotRead(String why) {
            super(why);
        }
    }

    /** A file of a ConfigMap, and the path at which the gateway sees it. */
    private record MountedFile(String configMap, String path, String text) {}

    /**
     * Reads the configuration.
     *
     * @param namespace the namespace of the gateway
     */
    static ExplainInstalledConfig read(LiveClusterRequests api, String namespace) throws NotRead {
        try {
            return read(new InstalledFiles(api, namespace));
        } catch (IOException failed) {
            throw new NotRead(String.valueOf(failed.getMessage()));
        }
    }

    private static ExplainInstalledConfig read(InstalledFiles installed) throws NotRead, IOException {
        JsonNode pod = installed.podSpec();
        JsonNode container =
                configuredContainer(pod).orElseThrow(() -> new NotRead("its container has no option " + OPTION));
        String path = configured(container).orElseThrow();
        List<MountedFile> files = installed.files(pod, container, path);
        Set<String> used = new LinkedHashSet<>();
        files.stream()
                .filter(file -> isBelow(file.path(), path))
                .forEach(file -> used.add(installed.namespace() + "/" + file.configMap()));
        if (used.isEmpty()) {
            throw new NotRead("its configuration " + path + " is not in a ConfigMap");
        }
        String name = (used.size() == 1 ? "ConfigMap " : "ConfigMaps ") + String.join(", ", used);
        return new ExplainInstalledConfig(load(files, path, name), name);
    }

    private static Optional<JsonNode> configuredContainer(JsonNode podSpec) {
        return podSpec.path("containers")
                .valueStream()
                .filter(one -> configured(one).isPresent())
                .findFirst();
    }

    /** Returns the path that the option {@code --config} of a container names. */
    private static Optional<String> configured(JsonNode container) {
        List<String> words = Stream.of("command", "args")
                .flatMap(list -> container.path(list).valueStream())
                .map(JsonNode::asText)
                .toList();
        for (int at = 0; at < words.size(); at++) {
            if (words.get(at).startsWith(OPTION + "=")) {
                return Optional.of(words.get(at).substring(OPTION.length() + 1));
            }
            if (words.get(at).equals(OPTION) && at + 1 < words.size()) {
                return Optional.of(words.get(at + 1));
            }
        }
        return Optional.empty();
    }

    private static boolean isBelow(String path, String directory) {
        return Path.of(path).startsWith(Path.of(directory));
    }

    /**
     * Loads the configuration. Writes the files of the pod to a temporary directory for that, and deletes it
     * afterwards.
     */
    private static Loading.Loaded load(List<MountedFile> files, String path, String name) throws NotRead, IOException {
        Path root = Files.createTempDirectory("sluice-explain-");
        try {
            for (MountedFile file : files) {
                Path copy = inside(root, file.path());
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, file.text());
            }
            return switch (ConfigLoader.load(inside(root, path), Map.of(), named -> inside(root, named.toString()))) {
                case Loading.Loaded loaded -> loaded;
                case Loading.NotLoaded refused ->
                    throw new NotRead(name + " cannot be used: "
                            + refused.problems().getFirst().toString().replace(root.toString(), ""));
            };
        } finally {
            delete(root);
        }
    }

    /**
     * Returns the path below {@code root}. The result is never outside {@code root}, even if the path contains
     * {@code ..}.
     */
    private static Path inside(Path root, String path) {
        return root.resolve(Path.of("/" + path).normalize().toString().substring(1));
    }

    private static void delete(Path root) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failed) throws IOException {
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Reads the pods and ConfigMaps of an installation. */
    private record InstalledFiles(LiveClusterRequests api, String namespace) {

        /**
         * Returns the spec of a pod of the gateway: a pod with the label {@code app=gpu-webhook} and a container with a
         * configuration. Ready pods are preferred. If there is no such pod, returns the pod template of a Deployment
         * with the label. If there is no Deployment either, returns the spec of any pod with the label.
         */
        JsonNode podSpec() throws NotRead, IOException {
            ApiServerReply pods = get("api/v1", "pods" + SELECTOR);
            List<JsonNode> running = pods.body()
                    .path("items")
                    .valueStream()
                    .sorted(Comparator.comparing((JsonNode pod) -> !isReady(pod)))
                    .map(pod -> pod.path("spec"))
                    .toList();
            Optional<JsonNode> configured = running.stream()
                    .filter(spec -> configuredContainer(spec).isPresent())
                    .findFirst();
            if (configured.isPresent()) {
                return configured.get();
            }
            ApiServerReply deployments = get("apis/apps/v1", "deployments" + SELECTOR);
            return Stream.concat(
                            deployments
                                    .body()
                                    .path("items")
                                    .valueStream()
                                    .map(deployment -> deployment.at("/spec/template/spec")),
                            running.stream())
                    .findFirst()
                    .orElseThrow(() -> new NotRead(
                            pods.isSuccessful()
                                    ? "no pod or Deployment has the label app=gpu-webhook in namespace " + namespace
                                    : refusal("list pods", pods)));
        }

        private static boolean isReady(JsonNode pod) {
            return pod.at("/status/conditions")
                    .valueStream()
                    .anyMatch(condition -> condition.path("type").asText().equals("Ready")
                            && condition.path("status").asText().equals("True"));
        }

        /**
         * Returns the files that the container mounts from ConfigMaps. ConfigMaps that cannot be read are left out.
         *
         * @param required the path of the configuration; the ConfigMap that contains it must be readable
         */
        List<MountedFile> files(JsonNode pod, JsonNode container, String required) throws NotRead, IOException {
            List<MountedFile> files = new ArrayList<>();
            for (JsonNode mount : container.path("volumeMounts")) {
                String place = mount.path("mountPath").asText();
                boolean isRequired = isBelow(required, place) || isBelow(place, required);
                for (JsonNode source : configMaps(pod, mount.path("name").asText())) {
                    ApiServerReply reply =
                            get("api/v1", "configmaps/" + source.path("name").asText());
                    if (!reply.isSuccessful() && isRequired) {
                        throw new NotRead(refusal(
                                "get the ConfigMap " + source.path("name").asText(), reply));
                    }
                    files.addAll(mounted(
                            source,
                            reply.body().path("data"),
                            place,
                            mount.path("subPath").asText("")));
                }
            }
            return files;
        }

        /** Returns the ConfigMaps from which a volume gets its files. */
        private static List<JsonNode> configMaps(JsonNode pod, String volume) {
            return pod.path("volumes")
                    .valueStream()
                    .filter(one -> one.path("name").asText().equals(volume))
                    .flatMap(one -> Stream.concat(
                            Stream.of(one), one.at("/projected/sources").valueStream()))
                    .map(one -> one.path("configMap"))
                    .filter(JsonNode::isObject)
                    .toList();
        }

        private static List<MountedFile> mounted(JsonNode source, JsonNode data, String place, String subPath) {
            List<MountedFile> files = new ArrayList<>();
            data.properties().forEach(entry -> {
                String file = source.path("items").isEmpty()
                        ? entry.getKey()
                        : source.path("items")
                                .valueStream()
                                .filter(item -> item.path("key").asText().equals(entry.getKey()))
                                .map(item -> item.path("path").asText())
                                .findFirst()
                                .orElse("");
                if (!file.isEmpty() && (subPath.isEmpty() || subPath.equals(file))) {
                    files.add(new MountedFile(
                            source.path("name").asText(),
                            subPath.isEmpty() ? place + "/" + file : place,
                            entry.getValue().asText()));
                }
            });
            return files;
        }

        private ApiServerReply get(String group, String path) throws IOException {
            return api.get(group + "/namespaces/" + namespace + "/" + path, PATIENCE);
        }

        private String refusal(String deed, ApiServerReply reply) {
            return reply.lacksRight()
                    ? "you may not " + deed + " in namespace " + namespace
                    : "the request to " + deed + " in namespace " + namespace + " failed: " + reply.summary();
        }
    }
}
