package dev.sluice.log;

/** Writes the keys and values of a log line, as {@code key="value"} or as members of a JSON object. */
record LogLineKeys(LogFormat format, StringBuilder line) implements LogLineEvent.KeyWriter {

    /**
     * The maximum number of characters of a value. Names have at most 253 characters, and a problem of the
     * configuration has a few hundred.
     */
    private static final int LONGEST = 1_024;

    @Override
    public void add(String key, String value) {
        begin(key);
        line.append('"');
        LogTextEscaper.append(value, LONGEST, line);
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

    /** Writes a key without escaping it, because keys are constants in the code of the gateway. */
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
