package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The manifest of the plugin, filled in as {@code src/build/release} does, by the rules of krew v0.4.3
 * (internal/index/validation/validate.go), which takes no field that it does not know.
 */
class KrewManifestTest {

    private static final String RELEASE = ProjectFiles.text(Path.of("src/build/release"));
    private static final String URL = "https://downloads.example.com/sluice/0.1.0";
    private static final Map<String, String> VALUES =
            Map.of("VERSION", "0.1.0", "URL", URL, "ARCH", "amd64", "CHECKSUM", "0123456789abcdef".repeat(4));

    /** What sed replaces there. */
    private static final Pattern FILLED_IN = Pattern.compile("-e \"s,([A-Z]+),\\$[a-z]+,g\"");

    private final JsonNode manifest = manifest();
    private final JsonNode spec = manifest.required("spec");
    private final JsonNode platform = spec.at("/platforms/0");

    private static JsonNode manifest() {
        String text = ProjectFiles.text(Path.of("k8s/krew/gpu.yaml"));
        for (Map.Entry<String, String> value : VALUES.entrySet()) {
            text = text.replace(value.getKey(), value.getValue());
        }
        try {
            return new YAMLMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<String> names(JsonNode map) {
        return map.propertyStream().map(Map.Entry::getKey);
    }

    @Test
    void aReleaseFillsInWhatIsLeftOpen() {
        assertThat(ProjectFiles.found(FILLED_IN, RELEASE)).isEqualTo(VALUES.keySet());
    }

    @Test
    void krewKnowsEveryFieldAndTakesEveryValue() {
        assertThat(names(manifest)).containsExactlyInAnyOrder("apiVersion", "kind", "metadata", "spec");
        assertThat(manifest.path("apiVersion").asText()).isEqualTo("krew.googlecontainertools.github.com/v1alpha2");
        assertThat(manifest.path("kind").asText()).isEqualTo("Plugin");
        // As the file is called.
        assertThat(manifest.at("/metadata/name").asText()).isEqualTo("gpu");
        assertThat(names(spec))
                .containsExactlyInAnyOrder("version", "homepage", "shortDescription", "description", "platforms");
        assertThat(spec.path("version").asText()).isEqualTo("v0.1.0");
        assertThat(spec.path("shortDescription").asText()).isNotBlank().doesNotContain("\n", "\r");
    }

    @Test
    void thePlatformIsThatOfTheRuntimeInTheArchive() {
        assertThat(spec.path("platforms")).hasSize(1);
        assertThat(names(platform)).containsExactlyInAnyOrder("selector", "uri", "sha256", "files", "bin");
        assertThat(platform.path("sha256").asText()).matches("[a-f0-9]{64}");
        assertThat(platform.at("/selector/matchExpressions").valueStream())
                .extracting(rule -> rule.path("key").asText())
                .containsExactly("os", "arch");
        assertThat(platform.at("/selector/matchExpressions/1/values/0").asText())
                .isEqualTo("amd64");
    }

    @Test
    void theArchiveThatAReleaseMakesHoldsWhatIsInstalled() {
        assertThat(RELEASE)
                .contains("pack \"sluice-$version-linux-$arch.tar.gz\"", "\"--transform=s,^sluice,sluice-$version,\"");
        assertThat(platform.path("uri").asText()).isEqualTo(URL + "/sluice-0.1.0-linux-amd64.tar.gz");
        assertThat(platform.path("files")).hasSize(1);
        assertThat(platform.at("/files/0/to").asText()).isEqualTo(".");
        String moved = platform.at("/files/0/from").asText();
        assertThat(FileSystems.getDefault().getPathMatcher("glob:" + moved))
                .matches(glob -> List.of("bin", "lib", "conf", "java").stream()
                        .allMatch(directory -> glob.matches(Path.of("sluice-0.1.0", directory))));
        String program = platform.path("bin").asText();
        assertThat(program).startsWith("bin/");
        assertThat(Path.of("src/main/launcher").resolve(Path.of(program).getFileName()))
                .isExecutable();
    }
}
