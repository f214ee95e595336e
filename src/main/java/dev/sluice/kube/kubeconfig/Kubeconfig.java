package dev.sluice.kube.kubeconfig;

import dev.sluice.cluster.event.SourceProblem;
import dev.sluice.kube.kubeconfig.KubeconfigFile.NamedEntry;
import io.fabric8.kubernetes.client.Config;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The files that say which cluster is meant, merged as kubectl does. They are judged before fabric8 reads them: it
 * names neither the file nor the line of a mistake, and tries a wrong server before it complains. Nothing here
 * connects, and no program is run.
 */
public final class Kubeconfig {

    private static final Pattern SCHEME = Pattern.compile("(?i)https?");

    private final List<KubeconfigFile> files;

    private Kubeconfig(List<KubeconfigFile> files) {
        this.files = List.copyOf(files);
    }

    /**
     * Reads the files, which blocks, and refuses what no client can be made of.
     *
     * @param named null for those of {@code KUBECONFIG}, or {@code ~/.kube/config}, that exist; there may be none
     * @param context null for the current one
     */
    public static Kubeconfig read(@Nullable Path named, @Nullable String context) throws SourceProblem {
        List<Path> paths = named != null
                ? List.of(named)
                : Config.getKubeconfigFilenames().stream()
                        .map(Path::of)
                        .filter(Files::isRegularFile)
                        .toList();
        List<KubeconfigFile> files = new ArrayList<>();
        for (Path path : paths) {
            files.add(KubeconfigFile.read(path));
        }
        Kubeconfig kubeconfig = new Kubeconfig(files);
        Optional<NamedEntry> used = kubeconfig.contextInUse(context);
        // Without any context the service account of the pod may still name the cluster.
        if (used.isPresent()) {
            kubeconfig.require(used.get());
        } else if (named != null) {
            throw new SourceProblem(named + " holds no context in use; set current-context in it, or name one of its"
                    + " contexts with --context or kubernetes.context");
        }
        return kubeconfig;
    }

    private void require(NamedEntry context) throws SourceProblem {
        requireServer(context);
        Optional<NamedEntry> user = find("users", KubeconfigFile.text(context.value(), "user"));
        if (user.isPresent()) {
            CredentialProgram.require(user.get());
        }
    }

    private Optional<NamedEntry> contextInUse(@Nullable String asked) throws SourceProblem {
        if (asked == null) {
            return files.stream()
                    .flatMap(file -> find("contexts", file.currentContext()).stream())
                    .findFirst();
        }
        Optional<NamedEntry> found = find("contexts", asked);
        if (found.isEmpty()) {
            throw new SourceProblem(this + " has no context '" + asked + "'; it has " + known()
                    + "; name one of them with --context or kubernetes.context");
        }
        return found;
    }

    private Optional<NamedEntry> find(String list, String name) {
        return KubeconfigFile.find(files.stream(), list, name);
    }

    private String known() {
        String names = files.stream()
                .flatMap(file -> file.entries("contexts"))
                .map(NamedEntry::name)
                .sorted()
                .distinct()
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "none" : names;
    }

    private void requireServer(NamedEntry context) throws SourceProblem {
        String name = KubeconfigFile.text(context.value(), "cluster");
        Optional<NamedEntry> cluster = find("clusters", name);
        String server =
                cluster.map(it -> KubeconfigFile.text(it.value(), "server")).orElse("");
        if (server.isBlank()) {
            throw new SourceProblem(
                    "no cluster: the context '" + context.name() + "' names no cluster with a server in " + this
                            + "; set clusters[].cluster.server for '" + name + "'");
        }
        if (!isUrl(server)) {
            throw new SourceProblem(cluster.map(NamedEntry::file).orElseThrow() + ": the server of the cluster '" + name
                    + "' is \"" + server + "\", which is no URL; write it as https://HOST:PORT");
        }
    }

    /** A server without a scheme is taken as https, as kubectl does where there are certificates. */
    private static boolean isUrl(String server) {
        try {
            URI url = new URI(server.contains("://") ? server : "https://" + server);
            return url.getHost() != null && SCHEME.matcher(url.getScheme()).matches();
        } catch (URISyntaxException _) {
            return false;
        }
    }

    /** The files by their names, to begin a sentence about them. */
    @Override
    public String toString() {
        return files.isEmpty()
                ? "the kubeconfig"
                : files.stream().map(file -> file.file().toString()).collect(Collectors.joining(", "));
    }
}
