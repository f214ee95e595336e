package dev.sluice;

import static dev.sluice.ProjectFiles.found;
import static dev.sluice.ProjectFiles.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The image has a project of its own, and what it repeats is what the other files say. */
class ImageTest {

    private static final String IMAGE = text(Path.of("src/build/image/pom.xml"));
    private static final String LAY = text(Path.of("src/build/image/lay"));
    private static final String DEPLOYMENT = text(Path.of("k8s/base/deployment.yaml"));
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>sluice(?:-build|-image)?</artifactId>\\s+<version>(.+)</version>");
    private static final Pattern NAME = Pattern.compile("<image\\.name>(.+)</image\\.name>");
    private static final Pattern USED = Pattern.compile("image: (.+)");
    private static final Pattern USER = Pattern.compile("runAsUser: (\\d+)");
    private static final Pattern GROUP = Pattern.compile("runAsGroup: (\\d+)");
    private static final Pattern ENTRYPOINT = Pattern.compile("<entrypoint>\\s+<arg>(.+)</arg>");

    @Test
    void theImageHasTheVersionOfTheGateway() {
        assertThat(found(VERSION, IMAGE)).hasSize(1).isEqualTo(found(VERSION, text(Path.of("src/build/pom.xml"))));
    }

    @Test
    void theImageHasTheNameOfTheManifests() {
        assertThat(found(NAME, IMAGE)).hasSize(1).isEqualTo(found(USED, DEPLOYMENT));
    }

    @Test
    void theImageRunsAsTheUserOfTheManifests() {
        String user = found(USER, DEPLOYMENT).iterator().next();
        String group = found(GROUP, DEPLOYMENT).iterator().next();

        assertThat(IMAGE).contains("<user>" + user + ":" + group + "</user>");
        assertThat(LAY).contains("sluice:x:" + user + ":" + group + ":");
    }

    /** The image knows what starts the gateway, so the manifests fit images that know it otherwise. */
    @Test
    void theManifestsLeaveTheCommandToTheImage() {
        assertThat(DEPLOYMENT).doesNotContain("command:").contains("args: [serve, ");
        assertThat(ENTRYPOINT.matcher(IMAGE).results().map(found -> found.group(1)))
                .containsExactly("/opt/java/bin/java");
    }
}
