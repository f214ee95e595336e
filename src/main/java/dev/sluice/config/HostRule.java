package dev.sluice.config;

import java.net.InetAddress;
import java.util.regex.Pattern;

/** The rule for what a server listens on: a host name or an address, without scheme, brackets and port. */
final class HostRule {

    private static final int LONGEST = 253;
    private static final Pattern NAME = Pattern.compile(
            "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*");
    private static final Pattern NUMBERS = Pattern.compile("[0-9.]+");

    private HostRule() {}

    public static boolean allows(String host) {
        boolean address = host.indexOf(':') >= 0 || NUMBERS.matcher(host).matches();
        return address
                ? isLiteral(host)
                : host.length() <= LONGEST && NAME.matcher(host).matches();
    }

    public static void require(String name, String host) {
        if (!allows(host)) {
            throw new IllegalArgumentException(name + " is \"" + host + "\", expected a host name or address");
        }
    }

    /**
     * True if only the machine itself reaches what listens there. A name other than {@code localhost} may be anywhere.
     */
    public static boolean isLoopback(String host) {
        return host.equalsIgnoreCase("localhost")
                || (isLiteral(host) && InetAddress.ofLiteral(host).isLoopbackAddress());
    }

    /** True for all addresses of a machine, or of a pod. */
    public static boolean isWildcard(String host) {
        return isLiteral(host) && InetAddress.ofLiteral(host).isAnyLocalAddress();
    }

    /** {@code ofLiteral} asks no name service. */
    private static boolean isLiteral(String host) {
        // The JDK also accepts "1" and "127.1" as IPv4, and IPv6 in brackets; users who write that mean something else.
        boolean whole = host.indexOf(':') >= 0 ? !host.startsWith("[") : host.split("\\.", -1).length == 4;
        try {
            return whole && !InetAddress.ofLiteral(host).getHostAddress().isEmpty();
        } catch (IllegalArgumentException notAnAddress) {
            return false;
        }
    }
}
