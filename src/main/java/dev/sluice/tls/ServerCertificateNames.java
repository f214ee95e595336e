package dev.sluice.tls;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The subject alternative names of a server: the DNS names and IP addresses that clients use to reach it. */
public record ServerCertificateNames(List<String> dnsNames, List<String> addresses) {

    private static final int LONGEST_NAME = 253;
    private static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
    /**
     * The syntax of a DNS name (RFC 1123) in lower case. The last label must not be a number: the name would look like
     * an IP address.
     */
    private static final Pattern NAME = Pattern.compile("(\\*\\.)?(" + LABEL + "\\.)*(?![0-9]+$)" + LABEL);

    private static final Pattern PLAIN_V6 = Pattern.compile("[0-9a-fA-F:.]+");

    /** Throws IllegalArgumentException with the first of the {@link #problems}, if there is one. */
    public ServerCertificateNames {
        dnsNames = List.copyOf(dnsNames);
        addresses = List.copyOf(addresses);
        problems(dnsNames, addresses).stream().findFirst().ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
    }

    /**
     * Returns all reasons why these names and addresses are not valid in a server certificate. The list is empty if the
     * constructor accepts them.
     */
    public static List<String> problems(List<String> dnsNames, List<String> addresses) {
        List<String> problems = new ArrayList<>();
        if (dnsNames.isEmpty() && addresses.isEmpty()) {
            problems.add("a certificate needs a DNS name or an IP address");
        }
        for (String name : dnsNames) {
            if (isAddress(name)) {
                problems.add("'" + name + "' is an IP address; give it with --ip");
            } else if (name.length() > LONGEST_NAME || !NAME.matcher(name).matches()) {
                problems.add("'" + name + "' is not a DNS name (lower-case letters, digits, '-' and '.';"
                        + " for example gpu-webhook.gpu-webhook.svc)");
            }
        }
        for (String text : addresses) {
            if (!isAddress(text)) {
                problems.add("'" + text + "' is not an IP address (for example 10.0.0.7 or fd00::7)");
            }
        }
        return problems;
    }

    /**
     * Returns the reason why the text is neither a valid DNS name nor a valid IP address. Returns empty if it is valid.
     */
    public static Optional<String> problemOf(String nameOrAddress) {
        return isAddress(nameOrAddress)
                ? Optional.empty()
                : problems(List.of(nameOrAddress), List.of()).stream().findFirst();
    }

    /** Separates DNS names from IP addresses, and creates the names of a server from them. */
    public static ServerCertificateNames of(Collection<String> mixed) {
        return new ServerCertificateNames(
                mixed.stream().filter(name -> !isAddress(name)).toList(),
                mixed.stream().filter(ServerCertificateNames::isAddress).toList());
    }

    /**
     * Returns true if the text is an IP address that a certificate can contain. The JDK also accepts {@code 1.2.3},
     * {@code [::1]} and zones, which a certificate cannot contain.
     */
    private static boolean isAddress(String text) {
        try {
            return InetAddress.ofLiteral(text) instanceof Inet4Address four
                    ? four.getHostAddress().equals(text)
                    : PLAIN_V6.matcher(text).matches();
        } catch (IllegalArgumentException notLiteral) {
            return false;
        }
    }
}
