package dev.sluice.cli.offline;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads the lines of a text of any length. Only one line is in memory at a time. A line that is too long is skipped.
 */
final class ReplayFileLines {

    private static final int AT_ONCE = 64 * 1024;

    private final InputStream text;
    private final int longest;
    private byte[] buffer = new byte[AT_ONCE];
    private int start;
    private int end;
    private int filled;
    private long number;
    private long before;
    private boolean tooLong;
    private boolean complete;

    /** @param longest the longest line in bytes */
    ReplayFileLines(InputStream text, int longest) {
        this.text = text;
        this.longest = longest;
    }

    /** Moves to the next line. Returns false at the end of the text. */
    boolean next() throws IOException {
        before += end - start + (complete ? 1 : 0);
        start = end + (complete ? 1 : 0);
        end = start;
        tooLong = false;
        complete = false;
        int at = start;
        while (true) {
            while (at < filled && buffer[at] != '\n') {
                at++;
            }
            if (at < filled) {
                complete = true;
                tooLong |= at - start > longest;
                break;
            }
            if (at - start > longest) {
                tooLong = true;
                before += at - start;
                start = 0;
                at = 0;
                filled = 0;
            }
            at -= makeRoom();
            int read = text.read(buffer, filled, buffer.length - filled);
            if (read < 0) {
                break;
            }
            filled += read;
        }
        end = at;
        if (end == start && !complete && !tooLong) {
            return false;
        }
        number++;
        return true;
    }

    /**
     * Makes room for more bytes of the current line. If the buffer is full, moves the line to its beginning. If the
     * line fills the whole buffer, enlarges the buffer. Returns the number of bytes by which the line was moved.
     */
    private int makeRoom() {
        int moved = start;
        if (filled == buffer.length) {
            System.arraycopy(buffer, start, buffer, 0, filled - start);
            filled -= start;
            start = 0;
            if (filled == buffer.length) {
                buffer = Arrays.copyOf(buffer, 2 * buffer.length);
            }
            return moved;
        }
        return 0;
    }

    byte[] buffer() {
        return buffer;
    }

    int start() {
        return start;
    }

    int length() {
        return end - start;
    }

    /** Returns the number of the line, beginning with 1. */
    long number() {
        return number;
    }

    /** Returns the number of bytes before the line. */
    long before() {
        return before;
    }

    /** Returns true if the line is longer than allowed. Its bytes are then not available. */
    boolean isTooLong() {
        return tooLong;
    }

    /**
     * Returns true if a line break ends the line. Returns false if the text ends first, because it may have been cut.
     */
    boolean isComplete() {
        return complete;
    }

    boolean isBlank() {
        for (int i = start; i < end; i++) {
            if (buffer[i] > ' ' || buffer[i] < 0) {
                return false;
            }
        }
        return true;
    }
}
