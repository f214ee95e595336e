package dev.sluice.kube.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.fuzz.Frugal;
import dev.sluice.fuzz.Scratch;
import dev.sluice.fuzz.Trees;
import java.io.IOException;
import java.util.Optional;

/** A file is read or refused in one line that names it, and holds the same as JSON and as YAML. */
public final class SnapshotFuzz {

    private static final ObjectMapper YAML = new ObjectMapper(
            YAMLFactory.builder().disable(YAMLGenerator.Feature.SPLIT_LINES).build());

    private SnapshotFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Frugal.run(input.length, () -> {
            Optional<SnapshotFile.SnapshotContents> contents = read("cluster", input);
            Optional<byte[]> yaml = Trees.readStrictly(input)
                    .filter(JsonNode::isObject)
                    .filter(tree -> tree.toString().matches("[ -\\[\\]-~]*"))
                    .map(SnapshotFuzz::asYaml);
            if (yaml.isPresent() && !read("cluster.yaml", yaml.get()).equals(contents)) {
                throw new AssertionError("the same as YAML holds something else");
            }
        });
    }

    private static byte[] asYaml(JsonNode tree) {
        try {
            return YAML.writeValueAsBytes(tree);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Optional<SnapshotFile.SnapshotContents> read(String name, byte[] bytes) throws IOException {
        try {
            return Optional.of(SnapshotFile.read(Scratch.file(name, bytes)));
        } catch (ClusterStateException refused) {
            if (String.valueOf(refused.getMessage()).lines().count() != 1) {
                throw new AssertionError("a message of several lines", refused);
            }
            return Optional.empty();
        }
    }
}
