package dev.sluice.cli.console;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.json.JsonCursor;
import dev.sluice.json.JsonParsers;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.client.ApiServerBodyStream;
import dev.sluice.kube.client.Kubeconfig;
import dev.sluice.kube.client.KubeconfigAdvice;
import dev.sluice.kube.client.KubernetesClientFactory;
import dev.sluice.kube.decode.ListDecoder;
import dev.sluice.kube.decode.ObjectDecodeResult;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of contexts, namespaces and nodes with which a shell completes a command line. If the names cannot be read
 * quickly, the result is empty, because the shell waits for the names and shows no errors.
 *
 * @param kubeconfig the file that the command line names, or null
 * @param context the context that the command line names, or null
 */
public record ClusterOptionValues(
        @Nullable Path kubeconfig, @Nullable String context) {

    /** The maximum time that reading the names may take, because the shell waits for them. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** The maximum number of names. If there are more names, a shell asks the user before it shows them. */
    private static final int MOST = 500;

    /** Matches the names that need no quotation marks in a shell. Other names are left out. */
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@+-]*");

    /** Creates an object for the cluster that the words of a command line select. */
    public static ClusterOptionValues of(List<String> words) {
        String file = value(words, "--kubeconfig");
        return new ClusterOptionValues(file == null ? null : Path.of(file), value(words, "--context"));
    }

    /**
     * Returns the value of an option that is written as {@code --option value} or {@code --option=value}; null if the
     * words do not contain the option.
     */
    private static @Nullable String value(List<String> words, String option) {
        for (int i = 0; i < words.size() - 1; i++) {
            String word = words.get(i);
            if (word.equals(option) && i + 2 < words.size()) {
                return words.get(i + 1);
            }
            if (word.startsWith(option + "=")) {
                return word.substring(option.length() + 1);
            }
        }
        return null;
    }

    /**
     * Returns the values of an option that begin with the text that the user has typed. Blocks.
     *
     * @param longestName the longest name of the option, such as {@code --namespace}
     */
    public List<String> valuesOf(String longestName, String typed) {
        Callable<List<String>> names = switch (longestName) {
            case "--context" -> () -> Kubeconfig.contexts(kubeconfig);
            case "--namespace" -> () -> list("api/v1/namespaces");
            case "--node" -> () -> list("api/v1/nodes");
            default -> List::of;
        };
        return inTime(names).stream()
                .filter(name -> name.startsWith(typed) && SAFE.matcher(name).matches())
                .sorted()
                .toList();
    }

    private static List<String> inTime(Callable<List<String>> names) {
        FutureTask<List<String>> task = new FutureTask<>(names);
        Thread.ofPlatform().daemon().start(task);
        try {
            return task.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException _) {
            return List.of();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private List<String> list(String path) throws ClusterStateException, IOException {
        List<String> names = new ArrayList<>();
        try (KubernetesClient client = KubernetesClientFactory.open(kubeconfig, context, KubeconfigAdvice.OPTIONS);
                ApiServerBodyStream body = new ApiServer(client).get(path + "?limit=" + MOST, PATIENCE, PATIENCE);
                var parser = JsonParsers.json(body)) {
            JsonCursor cursor = new JsonCursor(parser);
            var _ = new ListDecoder<String>(_ -> {
                        cursor.object("object", field -> {
                            if (field.equals("metadata")) {
                                cursor.object(field, part -> {
                                    if (part.equals("name")) {
                                        names.add(cursor.textOrEmpty(part));
                                    } else {
                                        cursor.skip();
                                    }
                                });
                            } else {
                                cursor.skip();
                            }
                        });
                        return new ObjectDecodeResult.OtherKind<>("");
                    })
                    .read(parser, _ -> {});
        }
        return names;
    }
}
