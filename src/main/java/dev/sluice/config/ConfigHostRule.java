package dev.sluice.config;

import java.net.InetAddress;
import java.util.regex.Pattern;

/** Checks the address on which a server listens: a host name or an IP address, without scheme, brackets and port. */
public final class ConfigHostRule {

    private static final int LONGEST = 253;
    private static final Pattern NAME = Pattern.compile(
            "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*");
    private static final Pattern NUMBERS = Pattern.compile("[0-9.]+");

    private ConfigHostRule() {}

    public static boolean allows(String host) {
        boolean address = host.indexOf(':') >= 0 || NUMBERS.matcher(host).matches();
        return address
                ? isLiteral(host)
                : host.length() <= LONGEST && NAME.matcher(host).matches();
    }

    /** Returns the host and the port in the form of a URL, where an IPv6 address is in brackets. */
    public static String withPort(String host, int port) {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    public static void require(String name, String host) {
        if (!allows(host)) {
            throw new IllegalArgumentException(name + " is \"" + host + "\", expected a host name or address");
        }
    }

    /**
     * Returns true if only processes on the same machine can connect to this host. Returns false for all names except
     * {@code localhost}, because a name may resolve to any address.
     */
    public static boolean isLoopback(String host) {
        return host.equalsIgnoreCase("localhost")
                || (isLiteral(host) && InetAddress.ofLiteral(host).isLoopbackAddress());
    }

    /** Returns true if the host means all addresses of a machine or a pod. */
    public static boolean isWildcard(String host) {
        return isLiteral(host) && InetAddress.ofLiteral(host).isAnyLocalAddress();
    }

    /**
     * Returns true if the host is an IP address. Names are not resolved: the method {@code ofLiteral} sends no DNS
     * queries.
     */
    private static boolean isLiteral(String host) {
        // The JDK also accepts "1" and "127.1" as IPv4 addresses, and IPv6 addresses in brackets. A user who writes
        // such a text usually means something else.
        boolean whole = host.indexOf(':') >= 0 ? !host.startsWith("[") : host.split("\\.", -1).length == 4;
        try {
            return whole && !InetAddress.ofLiteral(host).getHostAddress().isEmpty();
        } catch (IllegalArgumentException notAnAddress) {
            return false;
        }
    }
}
