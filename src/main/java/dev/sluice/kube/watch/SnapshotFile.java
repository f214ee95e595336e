package dev.sluice.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.admission.request.LimitRanges;
import dev.sluice.cluster.ClusterGpuEvidence;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.cluster.MalformedClusterObjects;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.files.GzipSource;
import dev.sluice.files.MeteredFileStream;
import dev.sluice.json.JsonOrYamlText;
import dev.sluice.kube.facts.KubectlFileLimits;
import dev.sluice.kube.facts.KubectlFileProblem;
import dev.sluice.kube.facts.KubectlObjectBudget;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A file with the nodes and pods of a cluster, in the format of {@code kubectl get nodes,pods,limitranges -A -o json}
 * or {@code -o yaml}. LimitRanges, DaemonSets, DeviceClasses, ResourceSlices and ResourceClaims are optional. Instead
 * of one List, the file may contain several documents, or a single Node or Pod. It may be compressed with gzip. The
 * file is read as a stream.
 */
public final class SnapshotFile {

    /**
     * The content of a file.
     *
     * @param ended pods in a terminal phase that have the annotation {@link Pod#STAMP}; the gateway may still hold
     *     reservations for them
     * @param malformedNodes nodes that could not be read
     * @param malformedPods pods that could not be read
     * @param dra the state of DRA according to the file
     * @param limitRanges the rules of LimitRanges for extended resources
     * @param plugin the DaemonSet of a device plugin for GPUs, as evidence that the cluster has GPUs; empty if the file
     *     has none
     * @param warnings sentences about nodes and pods that could not be read, or that are in the file more than once
     */
    public record SnapshotContents(
            List<Node> nodes,
            List<Pod> pods,
            List<PodEvent.PodRemoved> ended,
            MalformedClusterObjects malformedNodes,
            MalformedClusterObjects malformedPods,
            DraState dra,
            LimitRanges limitRanges,
            Optional<ClusterGpuEvidence> plugin,
            List<String> warnings) {
        public SnapshotContents {
            nodes = List.copyOf(nodes);
            pods = List.copyOf(pods);
            ended = List.copyOf(ended);
            warnings = List.copyOf(warnings);
        }
    }

    private SnapshotFile() {}

    /** Reads a file without limits, because the administrator of the gateway chooses the file. Blocks. */
    public static SnapshotContents read(Path file) throws ClusterStateException {
        return read(file, KubectlFileLimits.NONE);
    }

    /** Reads the file within these limits. Blocks. */
    public static SnapshotContents read(Path file, KubectlFileLimits limits) throws ClusterStateException {
        if (Files.isDirectory(file)) {
            throw new ClusterStateException(file + " is a directory; name a file");
        }
        SnapshotCollector collector = new SnapshotCollector(new KubectlObjectBudget(limits.factBytes()));
        try (MeteredFileStream text = new MeteredFileStream(GzipSource.text(file), limits.textBytes());
                InputStream bytes = new BufferedInputStream(text, JsonOrYamlText.BUFFER);
                JsonParser parser = JsonOrYamlText.parser(bytes)) {
            JsonOrYamlText.read(parser, () -> collector.read(parser, text::found));
            return collector.contents();
        } catch (ClusterStateException problem) {
            throw new ClusterStateException(file + problem.getMessage(), problem);
        } catch (IOException failed) {
            throw new ClusterStateException(
                    file
                            + KubectlFileProblem.sentence(
                                    failed, limits, collector.mostFrequent(), SnapshotCollector.HOW_TO_WRITE_ONE),
                    failed);
        }
    }
}
