package dev.sluice.log;

/** Writes the keys and values of a line, as {@code key="value"} or as members of a JSON object. */
record LineKeys(LogFormat format, StringBuilder line) implements LineEvent.KeyWriter {

    /**
     * The maximum number of characters of a value. Names have at most 253 characters, and a problem of the
     * configuration has some hundreds.
     */
    private static final int LONGEST = 1_024;

    @Override
    public void add(String key, String value) {
        begin(key);
        line.append('"');
        OneLine.append(value, LONGEST, line);
        line.append('"');
    }

    @Override
    public void add(String key, long value) {
        begin(key);
        String quote = quote();
        line.append(quote).append(value).append(quote);
    }

    @Override
    public void add(String key, boolean value) {
        begin(key);
        String quote = quote();
        line.append(quote).append(value).append(quote);
    }

    @Override
    public void addRepeated(String key, String value) {
        if (format == LogFormat.JSON) {
            add(key, value);
        }
    }

    /** Writes a key. It needs no escaping, because only code of the gateway chooses keys. */
    private void begin(String key) {
        switch (format) {
            case TEXT -> line.append(' ').append(key).append('=');
            case JSON -> line.append(",\"").append(key).append("\":");
        }
    }

    private String quote() {
        return format == LogFormat.TEXT ? "\"" : "";
    }
}
