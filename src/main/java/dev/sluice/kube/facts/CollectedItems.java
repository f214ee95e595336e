package dev.sluice.kube.facts;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * The objects of one kind as JSON, for a file that {@code doctor --collect} writes. Each object is on a line of its
 * own, and contains only the fields that were read. In memory, the JSON is compressed to about 100 bytes for each
 * object. This class is not thread-safe.
 */
final class CollectedItems {

    private static final byte[] BETWEEN = {',', '\n'};

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final OutputStream packed = new DeflaterOutputStream(bytes, new Deflater(Deflater.BEST_SPEED));
    private boolean empty = true;

    /** Adds an object as JSON. Only the fields that were read are added. */
    void add(ClusterItem item) throws IOException {
        if (!empty) {
            packed.write(BETWEEN);
        }
        empty = false;
        packed.write(ItemJson.MAPPER.writeValueAsBytes(item));
    }

    boolean isEmpty() {
        return empty;
    }

    void writeTo(OutputStream out) throws IOException {
        packed.close();
        try (InflaterInputStream plain = new InflaterInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            plain.transferTo(out);
        }
    }
}
