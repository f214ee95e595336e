package dev.sluice.kube.facts;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.files.PrivateFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Writes the objects that were read from a live cluster to a file that {@link FactsFiles} can read. */
public final class FactsFileWriter {

    private FactsFileWriter() {}

    /**
     * Writes a List atomically. The file is compressed with gzip if its name ends in {@code .gz}, and only its owner
     * can read it.
     *
     * @param live the facts of the cluster, and the objects of each kind that was listed
     */
    public static void write(Path file, LiveFacts live) throws ClusterStateException {
        PrivateFile.write(file, fresh -> {
            try (OutputStream out = opened(file, fresh)) {
                list(out, live);
            }
        });
    }

    private static OutputStream opened(Path named, Path fresh) throws IOException {
        OutputStream bytes = Files.newOutputStream(fresh);
        return new BufferedOutputStream(named.toString().endsWith(".gz") ? new GZIPOutputStream(bytes) : bytes);
    }

    private static void list(OutputStream out, LiveFacts live) throws IOException {
        Map<ClusterFactKind, CollectedItems> items = live.items();
        Instant time = live.facts().time();
        Map<String, String> failed = new LinkedHashMap<>();
        live.facts().failures().forEach((kind, why) -> failed.put(kind.plural(), why));
        FactListNotes notes = new FactListNotes(
                live.facts().name(),
                items.keySet().stream().map(ClusterFactKind::plural).toList(),
                failed,
                time == null ? null : new FactTimeText(time.toString()));
        out.write(("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"" + FactListNotes.FIELD + "\":"
                        + ItemJson.MAPPER.writeValueAsString(notes) + ",\"items\":[\n")
                .getBytes(StandardCharsets.UTF_8));
        boolean first = true;
        for (CollectedItems ofKind : items.values()) {
            if (!ofKind.isEmpty()) {
                out.write((first ? "" : ",\n").getBytes(StandardCharsets.UTF_8));
                ofKind.writeTo(out);
                first = false;
            }
        }
        out.write("\n]}\n".getBytes(StandardCharsets.UTF_8));
    }
}
