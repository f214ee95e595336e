package dev.sluice.text;

import java.util.regex.Pattern;

/**
 * Checks DNS labels (RFC 1123), such as the names of namespaces. A label consists of at most 63 lower-case letters,
 * digits and dashes.
 */
public final class DnsLabel {

    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private DnsLabel() {}

    /** Returns true if the text is a DNS label. */
    public static boolean is(String text) {
        return LABEL.matcher(text).matches();
    }
}
