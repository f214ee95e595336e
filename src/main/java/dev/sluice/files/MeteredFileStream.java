package dev.sluice.files;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.util.Objects;
import java.util.stream.Stream;

/** Counts the bytes that are read from a stream, and throws {@link TooLong} if there are too many. */
public final class MeteredFileStream extends FilterInputStream {

    /** Reports that a text is too long. */
    public static final class TooLong extends IOException {

        @Serial
        private static final long serialVersionUID = 1;
    }

    /**
     * Returns true if the exception or one of its causes is {@link TooLong}. The causes are checked because parsers
     * wrap the exceptions of their source.
     */
    public static boolean isTooLong(IOException failed) {
        return Stream.<Throwable>iterate(failed, Objects::nonNull, Throwable::getCause)
                .anyMatch(TooLong.class::isInstance);
    }

    private final long most;
    private long read;

    public MeteredFileStream(InputStream bytes, long most) {
        super(bytes);
        this.most = most;
    }

    /** Returns the number of bytes that were read so far. */
    public long count() {
        return read;
    }

    @Override
    public int read() throws IOException {
        int octet = super.read();
        counted(octet < 0 ? 0 : 1);
        return octet;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int count = super.read(target, offset, length);
        counted(Math.max(count, 0));
        return count;
    }

    private void counted(int more) throws TooLong {
        read += more;
        if (read > most) {
            throw new TooLong();
        }
    }
}
