package dev.sluice.config;

import java.util.regex.Pattern;

/** The whole path of a key as messages show it; the empty one is the document. */
record KeyPath(String text) {

    static final KeyPath ROOT = new KeyPath("");

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]+");

    KeyPath key(String name) {
        String shown = PLAIN.matcher(name).matches() ? name : '"' + name.replaceAll("\\s+", " ") + '"';
        return new KeyPath(text.isEmpty() ? shown : text + '.' + shown);
    }

    KeyPath item(int index) {
        return new KeyPath(text + '[' + index + ']');
    }

    @Override
    public String toString() {
        return text.isEmpty() ? "the file" : text;
    }
}
