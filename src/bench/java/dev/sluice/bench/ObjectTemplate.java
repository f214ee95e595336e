package dev.sluice.bench;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An object as JSON in bytes, with holes such as {@code @NAME@} that are filled when it is written: to format each of
 * millions would cost more than all that is measured.
 */
final class ObjectTemplate {

    private static final Pattern HOLE = Pattern.compile("@([A-Z]+)@");

    private final List<byte[]> texts = new ArrayList<>();
    /** Each stands after the text of the same place. */
    private final List<String> holes = new ArrayList<>();

    ObjectTemplate(String text) {
        Matcher hole = HOLE.matcher(text);
        int from = 0;
        while (hole.find()) {
            texts.add(text.substring(from, hole.start()).getBytes(StandardCharsets.UTF_8));
            holes.add(hole.group(1));
            from = hole.end();
        }
        texts.add(text.substring(from).getBytes(StandardCharsets.UTF_8));
    }

    void write(ByteArrayOutputStream out, UnaryOperator<String> filling) {
        for (int at = 0; at < holes.size(); at++) {
            out.writeBytes(texts.get(at));
            out.writeBytes(filling.apply(holes.get(at)).getBytes(StandardCharsets.UTF_8));
        }
        out.writeBytes(texts.getLast());
    }
}
