package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.Policy;
import dev.sluice.cli.Cli;
import dev.sluice.config.ConfigLoader;
import dev.sluice.config.GatewayConfig;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Any components can be used together, in any order: all pairs in both orders, all triples, and all at once are
 * rendered by kustomize and checked by {@code sluice check}.
 */
class ManifestCompositionTest {

    private static final Path COMPONENTS = Path.of("k8s/components");

    /** A rendering becomes slower with the square of the number of its objects. */
    private static final int SETS_OF_A_RENDERING = 12;

    private static final Pattern SUFFIX = Pattern.compile("-set([0-9]+)(?:-[0-9a-z]{10})?$");

    @TempDir
    private Path directory;

    @Test
    void allPairsAndTriplesOfComponentsGoTogether() throws IOException {
        List<List<String>> sets = sets(components());
        assertThat(sets).hasSizeGreaterThan(360);
        List<Integer> first = IntStream.iterate(0, from -> from < sets.size(), from -> from + SETS_OF_A_RENDERING)
                .boxed()
                .toList();
        Map<Integer, Manifests> rendered = first.parallelStream()
                .flatMap(from -> rendered(sets, from).entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));

        assertThat(rendered).hasSameSizeAs(sets);
        for (int i = 0; i < sets.size(); i++) {
            check(sets.get(i), rendered.getOrDefault(i, new Manifests(List.of())));
        }
    }

    private static List<String> components() throws IOException {
        try (Stream<Path> all = Files.list(COMPONENTS)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private static List<List<String>> sets(List<String> components) {
        List<List<String>> sets = new ArrayList<>(List.of(components, components.reversed()));
        for (String one : components) {
            sets.add(List.of(one));
            for (String other : components) {
                if (!one.equals(other)) {
                    sets.add(List.of(one, other));
                }
                for (String third : components) {
                    if (one.compareTo(other) < 0 && other.compareTo(third) < 0) {
                        sets.add(List.of(one, other, third));
                    }
                }
            }
        }
        return sets;
    }

    /** Renders some sets at once. Each has a suffix of its own, which no Namespace can have. */
    private Map<Integer, Manifests> rendered(List<List<String>> sets, int from) {
        int to = Math.min(from + SETS_OF_A_RENDERING, sets.size());
        List<String> names = IntStream.range(from, to).mapToObj(i -> "set" + i).toList();
        for (int i = from; i < to; i++) {
            kustomization("set" + i, """
                    resources: [%s]
                    components: [%s]
                    nameSuffix: -set%d
                    patches:
                    - patch: '{apiVersion: v1, kind: Namespace, metadata: {name: gpu-webhook}, $patch: delete}'
                    """.formatted(
                            relative(Path.of("k8s/base")),
                            sets.get(i).stream()
                                    .map(name -> relative(COMPONENTS.resolve(name)))
                                    .collect(Collectors.joining(", ")),
                            i));
        }
        kustomization("from" + from, "resources: [../" + String.join(", ../", names) + "]\n");
        return Manifests.rendered(directory.resolve("from" + from).toString()).objects().stream()
                .collect(Collectors.groupingBy(
                        ManifestCompositionTest::set,
                        Collectors.collectingAndThen(Collectors.toList(), Manifests::new)));
    }

    private void kustomization(String name, String text) {
        try {
            Files.writeString(Files.createDirectory(directory.resolve(name)).resolve("kustomization.yaml"), text);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private String relative(Path path) {
        try {
            return directory
                    .toRealPath()
                    .resolve("set")
                    .relativize(path.toRealPath())
                    .toString();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static int set(HasMetadata object) {
        Matcher suffix = SUFFIX.matcher(object.getMetadata().getName());
        assertThat(suffix.find()).as(object.getMetadata().getName()).isTrue();
        return Integer.parseInt(suffix.group(1));
    }

    private void check(List<String> components, Manifests manifests) throws IOException {
        String set = String.join(" + ", components);
        NavigableMap<String, String> files =
                new TreeMap<>(manifests.configuration().getData());
        assertThat(files).as(set).isEqualTo(filesOf(components));
        GatewayConfig config = config(set, files);
        assertThat(config.policy().base().mode() == Policy.Mode.AVAILABILITY)
                .as(set)
                .isEqualTo(components.contains("availability"));
        assertThat(config.sharesReservations()).as(set).isEqualTo(components.contains("availability"));
        assertThat(config.management().access() == GatewayConfig.ManagementAccess.KUBERNETES)
                .as(set)
                .isEqualTo(components.contains("secure-management"));
        assertThat(config.kubernetes().events()).as(set).isEqualTo(components.contains("events"));
        assertThat(config.tls().clientCa() != null).as(set).isEqualTo(components.contains("client-certificates"));
        checkCertificates(set, components.contains("self-managed"), config, manifests);
    }

    /** No file takes the place of another one. */
    private static NavigableMap<String, String> filesOf(List<String> components) throws IOException {
        NavigableMap<String, String> files = new TreeMap<>();
        files.put("gateway.yaml", Files.readString(Path.of("k8s/base/gateway.yaml")));
        for (String component : components) {
            Path file = COMPONENTS.resolve(component).resolve(component + ".yaml");
            if (Files.exists(file)) {
                files.put(component + ".yaml", Files.readString(file));
            }
        }
        return files;
    }

    private GatewayConfig config(String set, Map<String, String> files) throws IOException {
        Path mounted = Files.createTempDirectory(directory, "config");
        for (var file : files.entrySet()) {
            Files.writeString(mounted.resolve(file.getKey()), file.getValue());
        }
        Cli checked = Cli.run("check", "--config", mounted);
        assertThat(checked.code()).as(set + ": " + checked.out()).isZero();
        return ((ConfigLoader.Loading.Loaded) ConfigLoader.load(mounted, Map.of())).config();
    }

    private static void checkCertificates(String set, boolean selfManaged, GatewayConfig config, Manifests manifests) {
        List<String> mounts = manifests
                .only(Deployment.class)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getVolumeMounts()
                .stream()
                .map(VolumeMount::getMountPath)
                .toList();
        List<Path> wanted = new ArrayList<>();
        if (!selfManaged) {
            wanted.addAll(List.of(config.tls().certificate(), config.tls().key()));
            config.peers().files().ifPresent(files -> wanted.addAll(List.of(files.certificate(), files.key())));
        }
        Optional.ofNullable(config.tls().clientCa()).ifPresent(wanted::add);
        assertThat(wanted).as(set).allMatch(file -> mounts.contains(String.valueOf(file.getParent())));
        assertThat(config.tls().mode())
                .as(set)
                .isEqualTo(selfManaged ? GatewayConfig.TlsMode.SELF_MANAGED : GatewayConfig.TlsMode.FILES);
        String webhook =
                manifests.only(MutatingWebhookConfiguration.class).getMetadata().getName();
        List<List<String>> allowed = manifests.all(ClusterRole.class).stream()
                .filter(role -> role.getMetadata().getName().startsWith("gpu-webhook-certificates"))
                .map(role -> role.getRules().getFirst().getResourceNames())
                .toList();
        assertThat(allowed)
                .as(set)
                .isEqualTo(selfManaged ? List.of(List.of(SUFFIX.matcher(webhook).replaceFirst(""))) : List.of());
    }
}
