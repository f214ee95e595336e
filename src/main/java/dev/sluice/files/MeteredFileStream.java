package dev.sluice.files;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Counts the bytes that are read from a stream. Throws {@link TooLong} if there are too many bytes, and {@link Barren}
 * if too many bytes in a row contain no object. The reader of the stream reports each object to {@link #found}.
 */
public final class MeteredFileStream extends FilterInputStream {

    /** Reports that a text is too long. */
    public static final class TooLong extends IOException {

        @Serial
        private static final long serialVersionUID = 1;
    }

    /**
     * Reports that a long part of the text contains no object, for example because it has only comments or empty
     * documents. Such a text can be very long although its compressed file is small.
     */
    public static final class Barren extends IOException {

        @Serial
        private static final long serialVersionUID = 1;

        private Barren() {
            super((MOST_BARREN >> 20) + " MiB of it hold no object");
        }
    }

    /**
     * The maximum number of bytes in a row without an object. Every object that the API server stores is much shorter:
     * about 3 MiB at most.
     */
    private static final long MOST_BARREN = 32 << 20;

    /**
     * Returns true if the exception or one of its causes is {@link TooLong}. The causes are checked because parsers
     * wrap the exceptions of their source.
     */
    public static boolean isTooLong(IOException failed) {
        return causes(failed).anyMatch(TooLong.class::isInstance);
    }

    /** Returns the {@link Barren} among the exception and its causes. */
    public static Optional<Barren> barren(IOException failed) {
        return causes(failed)
                .filter(Barren.class::isInstance)
                .map(Barren.class::cast)
                .findFirst();
    }

    private static Stream<Throwable> causes(IOException failed) {
        return Stream.iterate(failed, Objects::nonNull, Throwable::getCause);
    }

    private final long most;
    private long read;
    /** The value of {@link #read} when the last object was found. */
    private long foundAt;

    public MeteredFileStream(InputStream bytes, long most) {
        super(bytes);
        this.most = most;
    }

    /** Returns the number of bytes that were read so far. */
    public long count() {
        return read;
    }

    /** Records that the reader has found an object. Bytes without an object are counted from here on. */
    public void found() {
        foundAt = read;
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

    private void counted(int more) throws TooLong, Barren {
        read += more;
        if (read > most) {
            throw new TooLong();
        }
        if (read - foundAt > MOST_BARREN) {
            throw new Barren();
        }
    }
}
