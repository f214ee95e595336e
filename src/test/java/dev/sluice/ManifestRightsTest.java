package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleRef;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the manifests let whom do, all of it, is what {@code src/test/resources/kubernetes/rights.txt} says. A change of
 * a right changes that file, and a reviewer looks at it.
 */
class ManifestRightsTest {

    private static final Path EXPECTED = Path.of("src/test/resources/kubernetes/rights.txt");

    @Test
    void everyOverlayAndComponentGivesTheRightsOfTheTableAndNoOthers() throws Exception {
        StringBuilder table = new StringBuilder(
                "# What each overlay, and each component with rights, lets whom do. ManifestRightsTest compares it.\n");
        for (Path source : sources()) {
            table.append('\n').append(source).append('\n');
            Manifests manifests = Files.isDirectory(source)
                    ? Manifests.rendered(source.toString())
                    : Manifests.parsed(ProjectFiles.text(source));
            manifests.objects().forEach(object -> table.append(written(object)));
        }
        assertThat(table.toString()).isEqualTo(ProjectFiles.text(EXPECTED));
    }

    private static List<Path> sources() throws Exception {
        try (Stream<Path> overlays = Files.list(Path.of("k8s/overlays"))) {
            return Stream.of(
                            Stream.of(Path.of("k8s/base")),
                            ProjectFiles.below(Path.of("k8s/components"), file -> file.endsWith("rbac.yaml")).stream(),
                            overlays.sorted())
                    .flatMap(sources -> sources)
                    .toList();
        }
    }

    private static String written(HasMetadata object) {
        return switch (object) {
            case ClusterRole role -> {
                assertThat(role.getAggregationRule()).isNull();
                yield rules(role, role.getRules());
            }
            case Role role -> rules(role, role.getRules());
            case ClusterRoleBinding binding -> bound(binding, binding.getRoleRef(), binding.getSubjects());
            case RoleBinding binding -> bound(binding, binding.getRoleRef(), binding.getSubjects());
            default -> "";
        };
    }

    private static String rules(HasMetadata role, List<PolicyRule> rules) {
        return "  " + name(role) + " allows\n"
                + rules.stream().map(ManifestRightsTest::line).collect(Collectors.joining());
    }

    private static String line(PolicyRule rule) {
        String named = rule.getResourceNames().isEmpty() ? "" : " named " + String.join(", ", rule.getResourceNames());
        String what = Stream.of(
                        rule.getApiGroups().stream().map(group -> group.isEmpty() ? "core" : group),
                        rule.getResources().stream(),
                        rule.getNonResourceURLs().stream())
                .flatMap(words -> words)
                .collect(Collectors.joining(" "));
        return "    " + what + named + ": " + String.join(", ", rule.getVerbs()) + "\n";
    }

    private static String bound(HasMetadata binding, RoleRef role, List<Subject> subjects) {
        String whom = subjects.stream()
                .map(subject -> subject.getKind() + " " + subject.getNamespace() + "/" + subject.getName())
                .collect(Collectors.joining(", "));
        return "  " + name(binding) + " gives " + role.getKind() + "/" + role.getName() + " to " + whom + "\n";
    }

    private static String name(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return object.getKind() + "/" + object.getMetadata().getName() + (namespace == null ? "" : " in " + namespace);
    }
}
