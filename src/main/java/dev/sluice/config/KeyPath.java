package dev.sluice.config;

import dev.sluice.text.SafeText;
import dev.sluice.text.ShortText;
import java.util.regex.Pattern;

/**
 * The path of a key from the root of its document, such as {@code webhook.port}, as text for messages. The empty path
 * stands for the whole document.
 */
record KeyPath(String text) {

    public static final KeyPath ROOT = new KeyPath("");

    /**
     * The maximum length of a key in messages. The longest valid keys are names of resources, which have 317
     * characters.
     */
    private static final int LONGEST_SHOWN = 320;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]+");

    public KeyPath key(String name) {
        String line = SafeText.line(ShortText.quoted(name, LONGEST_SHOWN));
        String shown = PLAIN.matcher(line).matches() ? line : '"' + line + '"';
        return new KeyPath(text.isEmpty() ? shown : text + '.' + shown);
    }

    public KeyPath item(int index) {
        return new KeyPath(text + '[' + index + ']');
    }

    @Override
    public String toString() {
        return text.isEmpty() ? "the file" : text;
    }
}
