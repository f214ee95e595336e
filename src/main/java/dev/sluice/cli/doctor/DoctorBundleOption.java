package dev.sluice.cli.doctor;

import dev.sluice.cli.console.UserErrorSuggestions;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.doctor.NodeBundle;
import dev.sluice.doctor.NodeBundleFinding;
import dev.sluice.doctor.NodeBundleReader;
import dev.sluice.doctor.NodeBundleReader.BundleProblem;
import dev.sluice.doctor.NodeBundleRules;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.files.FileReadFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The option {@code --node-bundle} for files with the output of the script that {@code sluice doctor node} prints. */
final class DoctorBundleOption {

    /** The maximum size of a file in bytes. The script prints at most about 100 KiB, so a larger file is a mistake. */
    private static final int LARGEST = 8 << 20;

    @Option(
            names = "--node-bundle",
            paramLabel = "FILE",
            description = "What the script of \"sluice doctor node\" printed on a node of the cluster; what contradicts"
                    + " the cluster is shown after the nodes. May be given several times.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field.
    private List<Path> files = List.of();

    /**
     * The findings in the file of one node.
     *
     * @param time the time at which the file was collected, according to the clock of the node
     */
    record NodeSays(String node, String time, List<NodeBundleFinding> findings) {}

    boolean areGiven() {
        return !files.isEmpty();
    }

    /** Returns the findings, sorted by node name. */
    List<NodeSays> findings(ClusterFacts facts) throws UserProblem {
        Map<String, NodeFacts> nodes = new TreeMap<>();
        facts.nodes().forEach(node -> nodes.put(node.name(), node));
        Map<String, Path> read = new TreeMap<>();
        Map<String, NodeSays> said = new TreeMap<>();
        for (Path file : files) {
            NodeBundle bundle = bundle(file);
            NodeFacts node = nodes.get(bundle.name());
            if (node == null) {
                throw new UserProblem(file + " is of the node " + bundle.name() + ", which is not in the cluster; "
                        + (nodes.isEmpty()
                                ? "there is no node"
                                : UserErrorSuggestions.sentence(bundle.name(), nodes.keySet())
                                        + ". NODE_NAME names a node whose host has another name"));
            }
            Path other = read.put(bundle.name(), file);
            if (other != null) {
                throw new UserProblem(
                        other + " and " + file + " are both of the node " + bundle.name() + "; give the newer one");
            }
            said.put(bundle.name(), new NodeSays(bundle.name(), bundle.time(), NodeBundleRules.findings(bundle, node)));
        }
        return List.copyOf(said.values());
    }

    private static NodeBundle bundle(Path file) throws UserProblem {
        if (Files.isDirectory(file)) {
            throw new UserProblem(file + " is a directory; name a file in it");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new UserProblem(
                        file + " is larger than 8 MiB, so no script of \"sluice doctor node\" printed it");
            }
            NodeBundleReader reader = new NodeBundleReader();
            // Bytes that are not UTF-8 become replacement characters, so that they do not stop the reading.
            new String(bytes, StandardCharsets.UTF_8).lines().forEach(reader::read);
            return reader.end();
        } catch (BundleProblem problem) {
            throw new UserProblem(file + " " + problem.getMessage(), problem);
        } catch (IOException unreadable) {
            throw new UserProblem(
                    file + " "
                            + FileReadFailure.sentence(
                                    unreadable, "name what the script of \"sluice doctor node\" printed"),
                    unreadable);
        }
    }
}
