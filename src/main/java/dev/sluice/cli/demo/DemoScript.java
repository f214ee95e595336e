package dev.sluice.cli.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The content of {@code tour.yaml}. File names in it are relative to the directory of that file. */
record DemoScript(List<Scenario> scenarios) {

    private static final ObjectMapper YAML = new YAMLMapper();

    DemoScript {
        scenarios = List.copyOf(scenarios);
    }

    record Scenario(String title, String story, List<Step> steps) {
        Scenario {
            steps = List.copyOf(steps);
        }
    }

    /**
     * A cluster, and the pods that are created in it.
     *
     * @param note a text about what happened in the cluster before the pods are created; null if there is nothing to
     *     say
     */
    record Step(@Nullable String note, String cluster, List<String> pods) {
        Step {
            pods = List.copyOf(pods);
        }
    }

    static DemoScript read(Path directory) throws IOException {
        return YAML.readValue(directory.resolve("tour.yaml").toFile(), DemoScript.class);
    }
}
