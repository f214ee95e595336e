package dev.sluice.json;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Cuts the items out of a List in JSON, in bundles, by counting brackets. It does not check the items: the cuts are
 * right if all items, and the List without them, turn out to be valid when they are read.
 */
public final class ItemCutter {

    /** Bytes of objects of some KiB each. Larger bundles would leave a thread without work at the end. */
    public static final int BUNDLE = 512 * 1024;

    /** The API server stores objects of 3 MiB at most; indented they are larger. */
    private static final int LARGEST = 16 * 1024 * 1024;

    /** Of what stands around the items. */
    private static final int MOST_AROUND = 64 * 1024;

    private static final byte[] ITEMS = "\"items\"".getBytes(StandardCharsets.US_ASCII);

    /** Items in a text. */
    public record Bundle(ByteBuffer text, List<Cut> cuts) {}

    /** Where an item begins, and where it has ended. */
    public record Cut(int from, int to) {}

    private final InputStream in;
    private final ByteArrayOutputStream around = new ByteArrayOutputStream();
    private final Deque<byte[]> spare = new ArrayDeque<>();

    private byte[] text = new byte[BUNDLE];
    private int at;
    private int end;
    private boolean isFirst = true;
    private boolean hasEnded;

    /** Reads up to the first item. */
    public ItemCutter(InputStream in) throws IOException {
        this.in = in;
        end = in.readNBytes(text, 0, text.length);
        at = afterBracket();
        around.write(text, 0, at);
    }

    /** The List without its items, once all are cut out. */
    public byte[] around() {
        return around.toByteArray();
    }

    /** The text of a bundle may be used for another one. */
    public void giveBack(Bundle bundle) {
        spare.push(bundle.text().array());
    }

    /** Empty after the last one. */
    public Optional<Bundle> next() throws IOException {
        if (hasEnded) {
            return Optional.empty();
        }
        List<Cut> cuts = new ArrayList<>();
        for (int item = start(); item >= 0; item = start()) {
            int after = afterObject(item);
            if (after < 0) {
                break;
            }
            cuts.add(new Cut(item, after));
            at = after;
            isFirst = false;
        }
        Bundle bundle = new Bundle(ByteBuffer.wrap(text), cuts);
        if (hasEnded) {
            rest();
        } else {
            refill();
        }
        return Optional.of(bundle);
    }

    /** The place of the next item's brace; negative where the text, or the list, ends before it. */
    private int start() throws PlainJson.NotPlain {
        int i = afterBlanks(at);
        if (i < end && text[i] == ']') {
            at = i;
            hasEnded = true;
            return -1;
        }
        if (!isFirst && i < end) {
            expect(text[i] == ',');
            i = afterBlanks(i + 1);
        }
        expect(i >= end || text[i] == '{');
        return i < end ? i : -1;
    }

    private static void expect(boolean met) throws PlainJson.NotPlain {
        if (!met) {
            throw new PlainJson.NotPlain("no list of objects");
        }
    }

    private int afterBlanks(int from) {
        int i = from;
        while (i < end && (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t')) {
            i++;
        }
        return i;
    }

    /** Negative where the text ends before. */
    private int afterObject(int from) {
        int depth = 0;
        int i = from;
        while (i < end) {
            switch (text[i++]) {
                case '{', '[' -> depth++;
                case '}', ']' -> {
                    depth--;
                    if (depth == 0) {
                        return i;
                    }
                }
                case '"' -> i = afterString(i);
                default -> {}
            }
        }
        return -1;
    }

    private int afterString(int from) {
        int i = from;
        while (i < end) {
            byte c = text[i++];
            if (c == '"') {
                return i;
            }
            if (c == '\\') {
                i++;
            }
        }
        return i;
    }

    /** What was not cut out begins the next text. */
    private void refill() throws IOException {
        int left = end - at;
        byte[] next = left < text.length / 2 && !spare.isEmpty() ? spare.pop() : new byte[Math.max(BUNDLE, left * 2)];
        expect(left < next.length && next.length <= LARGEST);
        System.arraycopy(text, at, next, 0, left);
        int read = in.readNBytes(next, left, next.length - left);
        expect(read > 0);
        text = next;
        at = 0;
        end = left + read;
    }

    private void rest() throws IOException {
        around.write(text, at, end - at);
        byte[] more = in.readNBytes(MOST_AROUND);
        expect(around.size() + more.length < MOST_AROUND);
        around.writeBytes(more);
    }

    /** After the bracket that begins the items of the List. What begins without a brace may be YAML. */
    private int afterBracket() throws PlainJson.NotPlain {
        int depth = 0;
        int i = afterBlanks(0);
        expect(i < end && text[i] == '{');
        while (i < end && i < MOST_AROUND) {
            byte c = text[i++];
            if (c == '"') {
                int name = i - 1;
                i = afterString(i);
                if (depth == 1 && isItems(name, Math.min(i, end))) {
                    int colon = afterBlanks(i);
                    int bracket = afterBlanks(colon + 1);
                    expect(bracket < end && text[colon] == ':' && text[bracket] == '[');
                    return bracket + 1;
                }
            } else {
                depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            }
        }
        throw new PlainJson.NotPlain("no List");
    }

    /** Fails on a name with escapes, because it may be {@code items} as well. */
    private boolean isItems(int from, int to) throws PlainJson.NotPlain {
        for (int i = from; i < to; i++) {
            expect(text[i] != '\\');
        }
        return Arrays.equals(text, from, to, ITEMS, 0, ITEMS.length);
    }
}
