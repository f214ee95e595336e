package dev.sluice.kube.client;

import dev.sluice.cluster.ClusterStateException;
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
 * The kubeconfig files, merged as by kubectl. They are checked before fabric8 reads them: fabric8's errors name neither
 * the file nor the line, and fabric8 connects to a wrong server before it reports a mistake. This class opens no
 * connection and runs no program.
 */
public final class Kubeconfig {

    private static final Pattern SCHEME = Pattern.compile("(?i)https?");

    /**
     * The pattern of host names that a URL may contain although Java's URI class rejects them, for example names with
     * an underscore.
     */
    private static final Pattern ODD_HOST = Pattern.compile("[\\w.-]+(:\\d+)?");

    private final List<KubeconfigFile> files;

    private final KubeconfigAdvice advice;

    private final Optional<NamedEntry> context;

    private Kubeconfig(List<KubeconfigFile> files, @Nullable String context, KubeconfigAdvice advice)
            throws ClusterStateException {
        this.files = List.copyOf(files);
        this.advice = advice;
        this.context = contextInUse(context);
    }

    /**
     * Reads the files and rejects them if no client can be created from them. Blocks.
     *
     * @param named the kubeconfig file, which must exist; null to read the files in the variable {@code KUBECONFIG} or,
     *     if it is not set, {@code ~/.kube/config}, which may be missing
     * @param context null for the current context
     * @param advice contains the options that error messages suggest
     */
    public static Kubeconfig read(@Nullable Path named, @Nullable String context, KubeconfigAdvice advice)
            throws ClusterStateException {
        Kubeconfig kubeconfig = new Kubeconfig(files(named, advice), context, advice);
        if (named == null && Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_MASTER_SYSTEM_PROPERTY) != null) {
            // An environment variable or system property sets the URL of the API server. Fabric8 then uses this URL,
            // whatever the files contain, so the files are not checked.
            return kubeconfig;
        }
        if (kubeconfig.context.isPresent()) {
            kubeconfig.requireServer(kubeconfig.context.get());
        } else if (named != null) {
            throw kubeconfig.withoutContext();
        }
        return kubeconfig;
    }

    /**
     * Returns the names of all contexts in the files, sorted. Blocks.
     *
     * @param named the kubeconfig file; null to read the files in the variable {@code KUBECONFIG} or, if it is not set,
     *     {@code ~/.kube/config}
     */
    public static List<String> contexts(@Nullable Path named) throws ClusterStateException {
        return contexts(files(named, KubeconfigAdvice.OPTIONS));
    }

    private static List<String> contexts(List<KubeconfigFile> files) {
        return files.stream()
                .flatMap(file -> file.entries("contexts"))
                .map(NamedEntry::name)
                .sorted()
                .distinct()
                .toList();
    }

    private static List<KubeconfigFile> files(@Nullable Path named, KubeconfigAdvice advice)
            throws ClusterStateException {
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
        return files;
    }

    /**
     * Returns true if the files select a context. If they do not, the service account of the pod may still give access
     * to a cluster.
     */
    public boolean hasContext() {
        return context.isPresent();
    }

    /** Creates the error for the case that the files select no context and the pod has no service account. */
    public ClusterStateException withoutContext() {
        return new ClusterStateException(
                files.isEmpty()
                        ? "there is no kubeconfig and this process is in no pod; set " + advice.kubeconfig()
                                + advice.orSnapshot()
                        : this + " holds no context in use; set current-context in it, or name one of its contexts"
                                + " with " + advice.context());
    }

    /** Checks that the credential program of the user exists on this machine. The program is not run. */
    public void requireCredentialProgram() throws ClusterStateException {
        Optional<NamedEntry> user = context.flatMap(it -> find("users", KubeconfigFile.text(it.value(), "user")));
        if (user.isPresent()) {
            CredentialProgram.require(user.get());
        }
    }

    /** Returns true if the file is not empty. Fabric8 and kubectl ignore an empty file. */
    private static boolean holdsText(Path file) {
        return Files.isRegularFile(file) && file.toFile().length() > 0;
    }

    private Optional<NamedEntry> contextInUse(@Nullable String asked) throws ClusterStateException {
        if (asked == null) {
            return files.stream()
                    .flatMap(file -> find("contexts", file.currentContext()).stream())
                    .findFirst();
        }
        Optional<NamedEntry> found = find("contexts", asked);
        if (found.isEmpty() && files.isEmpty()) {
            throw new ClusterStateException(
                    "there is no kubeconfig and so no context '" + asked + "'; set " + advice.kubeconfig());
        }
        if (found.isEmpty()) {
            throw new ClusterStateException(this + " has no context '" + asked + "'; it has " + known()
                    + "; name one of them with " + advice.context());
        }
        return found;
    }

    private Optional<NamedEntry> find(String list, String name) {
        return KubeconfigFile.find(files.stream(), list, name);
    }

    private String known() {
        String names = String.join(", ", contexts(files));
        return names.isEmpty() ? "none" : names;
    }

    private void requireServer(NamedEntry context) throws ClusterStateException {
        String name = KubeconfigFile.text(context.value(), "cluster");
        Optional<NamedEntry> cluster = find("clusters", name);
        String server =
                cluster.map(it -> KubeconfigFile.text(it.value(), "server")).orElse("");
        if (server.isBlank()) {
            throw new ClusterStateException(
                    "no cluster: the context '" + context.name() + "' names no cluster with a server in " + this
                            + "; set clusters[].cluster.server for '" + name + "'");
        }
        String fault = fault(server);
        if (!fault.isEmpty()) {
            throw new ClusterStateException(cluster.map(NamedEntry::file).orElseThrow()
                    + ": the server of the cluster '" + name + "' is \"" + server + "\", " + fault);
        }
    }

    /**
     * Returns what is wrong with the URL of a server. Returns an empty text if the URL is valid. A URL without a scheme
     * is treated as https. Kubectl does the same if certificates are configured.
     */
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

    /**
     * Returns the names of the files for error messages. If there are no files, returns a name for the service account.
     */
    @Override
    public String toString() {
        return files.isEmpty()
                ? "the service account of the pod"
                : files.stream().map(file -> file.file().toString()).collect(Collectors.joining(", "));
    }
}
