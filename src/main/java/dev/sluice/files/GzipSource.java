package dev.sluice.files;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Opens texts that may be compressed with gzip. */
public final class GzipSource {

    private static final int BUFFER = 64 * 1024;
    private static final int FIRST = 0x1f;
    private static final int SECOND = 0x8b;

    /**
     * The maximum number of empty gzip members in a row. A program that appends to a gzip file writes at most one empty
     * member.
     */
    private static final int MOST_EMPTY = 100;

    private GzipSource() {}

    /**
     * Returns a stream of the text. If {@code source} begins with the magic number of gzip, the text is decompressed.
     * The returned stream supports {@code mark}.
     */
    public static InputStream text(InputStream source) throws IOException {
        InputStream bytes = new BufferedInputStream(source, BUFFER);
        bytes.mark(2);
        boolean gzip = bytes.read() == FIRST && bytes.read() == SECOND;
        bytes.reset();
        return gzip ? new BufferedInputStream(new GzipMembers(bytes), BUFFER) : bytes;
    }

    /** Opens a file, and returns its text, decompressed if necessary. Closes the file if this fails. */
    public static InputStream text(Path file) throws IOException {
        InputStream source = Files.newInputStream(file);
        try {
            return text(source);
        } catch (IOException failed) {
            source.close();
            throw failed;
        }
    }

    /**
     * Reads the gzip members of a file. GZIPInputStream calls itself for each empty member, so a file with many of them
     * would overflow the stack.
     */
    private static final class GzipMembers extends GZIPInputStream {

        private int calls;

        GzipMembers(InputStream bytes) throws IOException {
            super(bytes, BUFFER);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (calls > MOST_EMPTY) {
                throw new ZipException("there are more than " + MOST_EMPTY + " members without text in a row");
            }
            calls++;
            try {
                return super.read(target, offset, length);
            } finally {
                calls--;
            }
        }
    }
}
