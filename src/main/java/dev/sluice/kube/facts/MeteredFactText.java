package dev.sluice.kube.facts;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;

/** Counts the bytes of a text, and throws an exception if there are too many. */
final class MeteredFactText extends FilterInputStream {

    /** Reports that a text is too long. */
    static final class TooLong extends IOException {

        @Serial
        private static final long serialVersionUID = 1;
    }

    private final long most;
    private long read;

    MeteredFactText(InputStream bytes, long most) {
        super(bytes);
        this.most = most;
    }

    /** Returns the number of bytes that were read so far. */
    long count() {
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
