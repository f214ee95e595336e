package dev.sluice.management;

import io.netty.util.NetUtil;
import io.vertx.core.net.HostAndPort;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The host names by which clients may call the management port. Requests for other host names are refused to prevent
 * DNS rebinding. In this attack, the host name of a web page resolves to the address of the gateway, so that scripts of
 * the page can read answers of the gateway. The header {@code Host} then contains the host name of the page.
 */
final class ManagementHostNames {

    /** The suffixes of the DNS names of Services. No public domain has such a suffix. */
    private static final Set<String> OF_SERVICES = Set.of(".svc", ".svc.cluster.local");

    static final String REFUSAL =
            "this gateway is not called by the name in the header Host; call it by its IP address,"
                    + " localhost, the name of a Service or a name in tls.selfManaged.names";

    private static final Pattern END_OF_HOST = Pattern.compile("[/?#]");

    private final Set<String> configured;

    /**
     * Creates the set of names.
     *
     * @param configured the names that the configuration adds
     */
    ManagementHostNames(Set<String> configured) {
        this.configured =
                configured.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns true if clients may call the gateway by this host. A host without a dot is allowed, because a web page of
     * the internet cannot have such a host. An IP address is allowed, because DNS rebinding needs a host name.
     *
     * @param header the header {@code Host}; null if the request has none, so that it is not from a browser
     * @param authority the host and port in the header; null if the header is malformed
     */
    boolean include(@Nullable String header, @Nullable HostAndPort authority) {
        if (authority == null) {
            return header == null;
        }
        String host = authority.host().toLowerCase(Locale.ROOT);
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        return (!name.isEmpty() && name.indexOf('.') < 0)
                || NetUtil.isValidIpV4Address(name)
                || NetUtil.isValidIpV6Address(name)
                || OF_SERVICES.stream().anyMatch(name::endsWith)
                || configured.contains(name);
    }

    /**
     * Returns true if the target of a request has no host, or a host by which clients may call the gateway. A client
     * may send a whole URL as the target. The host in the URL then counts, and the header {@code Host} does not (RFC
     * 9112, section 3.2.2).
     */
    boolean includeTarget(String target) {
        int begin = target.startsWith("/") ? -1 : target.indexOf("://");
        if (begin < 0) {
            return true;
        }
        String host = END_OF_HOST.split(target.substring(begin + "://".length()), 2)[0];
        return include(host, HostAndPort.parseAuthority(host, -1));
    }
}
