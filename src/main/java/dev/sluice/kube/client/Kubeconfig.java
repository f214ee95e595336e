package dev.sluice.kube.client;

import dev.sluice.cluster.SourceProblem;
import dev.sluice.kube.client.KubeconfigFile.NamedEntry;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Utils;
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

    /** Java takes no underscore, for one. */
    private static final Pattern ODD_HOST = Pattern.compile("[\\w.-]+(:\\d+)?");

    private final List<KubeconfigFile> files;

    private final ClusterAdvice advice;

    private final Optional<NamedEntry> context;

    private Kubeconfig(List<KubeconfigFile> files, @Nullable String context, ClusterAdvice advice)
            throws SourceProblem {
        this.files = List.copyOf(files);
        this.advice = advice;
        this.context = contextInUse(context);
    }

    /**
     * Reads the files, which blocks, and refuses what no client can be made of.
     *
     * @param named null for those of {@code KUBECONFIG}, or {@code ~/.kube/config}, that exist; there may be none
     * @param context null for the current one
     * @param advice for the sentences of what is thrown
     */
    public static Kubeconfig read(@Nullable Path named, @Nullable String context, ClusterAdvice advice)
            throws SourceProblem {
        List<Path> paths = named != null
                ? List.of(named)
                : Config.getKubeconfigFilenames().stream()
                        .map(Path::of)
                        .filter(Kubeconfig::holdsText)
                        .toList();
        List<KubeconfigFile> files = new ArrayList<>();
        for (Path path : paths) {
            files.add(KubeconfigFile.read(path, advice));
        }
        Kubeconfig kubeconfig = new Kubeconfig(files, context, advice);
        if (named == null && Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_MASTER_SYSTEM_PROPERTY) != null) {
            // fabric8 takes that server, whatever the files say.
            return kubeconfig;
        }
        if (kubeconfig.context.isPresent()) {
            kubeconfig.requireServer(kubeconfig.context.get());
        } else if (named != null) {
            throw kubeconfig.withoutContext();
        }
        return kubeconfig;
    }

    /** Without a context the service account of the pod may still name the cluster. */
    public boolean hasContext() {
        return context.isPresent();
    }

    /** To be thrown where nothing else names the cluster. */
    public SourceProblem withoutContext() {
        return new SourceProblem(
                files.isEmpty()
                        ? "there is no kubeconfig and this is no pod of a cluster; set " + advice.kubeconfig()
                                + advice.orSnapshot()
                        : this + " holds no context in use; set current-context in it, or name one of its contexts"
                                + " with " + advice.context());
    }

    /** The program is looked for on this machine, but not run. */
    public void requireCredentialProgram() throws SourceProblem {
        Optional<NamedEntry> user = context.flatMap(it -> find("users", KubeconfigFile.text(it.value(), "user")));
        if (user.isPresent()) {
            CredentialProgram.require(user.get());
        }
    }

    /** fabric8 and kubectl pass over an empty file. */
    private static boolean holdsText(Path file) {
        return Files.isRegularFile(file) && file.toFile().length() > 0;
    }

    private Optional<NamedEntry> contextInUse(@Nullable String asked) throws SourceProblem {
        if (asked == null) {
            return files.stream()
                    .flatMap(file -> find("contexts", file.currentContext()).stream())
                    .findFirst();
        }
        Optional<NamedEntry> found = find("contexts", asked);
        if (found.isEmpty() && files.isEmpty()) {
            throw new SourceProblem(
                    "there is no kubeconfig and so no context '" + asked + "'; set " + advice.kubeconfig());
        }
        if (found.isEmpty()) {
            throw new SourceProblem(this + " has no context '" + asked + "'; it has " + known()
                    + "; name one of them with " + advice.context());
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
        String fault = fault(server);
        if (!fault.isEmpty()) {
            throw new SourceProblem(cluster.map(NamedEntry::file).orElseThrow() + ": the server of the cluster '" + name
                    + "' is \"" + server + "\", " + fault);
        }
    }

    /** Empty if there is none. A server without a scheme is taken as https, as kubectl does with certificates. */
    private static String fault(String server) {
        String noUrl = "which is no URL; write it as https://HOST:PORT";
        try {
            URI url = new URI(server.contains("://") ? server : "https://" + server);
            if (!SCHEME.matcher(url.getScheme()).matches()) {
                return noUrl;
            }
            if (url.getHost() != null) {
                return "";
            }
            return url.getRawAuthority() != null
                            && ODD_HOST.matcher(url.getRawAuthority()).matches()
                    ? "whose host Java cannot read; name it by letters, digits, hyphens and dots, or by its address"
                    : noUrl;
        } catch (URISyntaxException _) {
            return noUrl;
        }
    }

    /** The files by their names, for sentences about them, or what the client is made from without any. */
    @Override
    public String toString() {
        return files.isEmpty()
                ? "the service account of the pod"
                : files.stream().map(file -> file.file().toString()).collect(Collectors.joining(", "));
    }
}
