package dev.sluice.files;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** Opens texts that may be compressed with gzip. */
public final class GzipSource {

    private static final int BUFFER = 64 * 1024;
    private static final int FIRST = 0x1f;
    private static final int SECOND = 0x8b;

    private GzipSource() {}

    /** Returns the text of a stream, which is decompressed if it begins as gzip does. Supports {@code mark}. */
    public static InputStream text(InputStream source) throws IOException {
        InputStream bytes = new BufferedInputStream(source, BUFFER);
        bytes.mark(2);
        boolean gzip = bytes.read() == FIRST && bytes.read() == SECOND;
        bytes.reset();
        return gzip ? new BufferedInputStream(new GZIPInputStream(bytes, BUFFER), BUFFER) : bytes;
    }
}
