package dev.sluice.config;

import java.util.Optional;

/** The address at which other replicas reach a replica. */
record ConfigPeerAddress(String host, int port) {

    ConfigPeerAddress {
        ConfigHostRule.require("the address of a replica", host);
        ConfigIntRange.PORTS.require("the port of a replica", port);
    }

    /**
     * Reads {@code host}, {@code host:port}, an IPv6 address, or {@code [IPv6 address]:port}. Returns empty if the text
     * is none of these, or if the address means all addresses of a machine, such as {@code 0.0.0.0}.
     *
     * @param usual the port to use if the text has none
     */
    static Optional<ConfigPeerAddress> read(String text, int usual) {
        if (ConfigHostRule.allows(text)) {
            return reachable(text, Optional.of(usual));
        }
        int colon = text.lastIndexOf(':');
        boolean bracketed = text.startsWith("[");
        if (bracketed && text.endsWith("]")) {
            return reachable(text.substring(1, text.length() - 1), Optional.of(usual))
                    .filter(ConfigPeerAddress::isV6);
        }
        if (colon < 0) {
            return Optional.empty();
        }
        String host = text.substring(0, colon);
        Optional<Integer> port = ConfigIntRange.PORTS.read(text.substring(colon + 1));
        return bracketed
                ? host.endsWith("]")
                        ? reachable(host.substring(1, host.length() - 1), port).filter(ConfigPeerAddress::isV6)
                        : Optional.empty()
                : reachable(host, port).filter(address -> !address.isV6());
    }

    private static Optional<ConfigPeerAddress> reachable(String host, Optional<Integer> port) {
        return port.filter(_ -> ConfigHostRule.allows(host) && !ConfigHostRule.isWildcard(host))
                .map(number -> new ConfigPeerAddress(host, number));
    }

    private boolean isV6() {
        return host.indexOf(':') >= 0;
    }

    /** Returns host and port as in a URL, where an IPv6 address is in brackets. */
    @Override
    public String toString() {
        return ConfigHostRule.withPort(host, port);
    }
}
