package dev.sluice.tls;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The subject alternative names of a server: the DNS names and addresses by which clients reach it. */
public record ServerNames(List<String> dnsNames, List<String> addresses) {

    private static final int LONGEST_NAME = 253;
    private static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
    /** RFC 1123 in lower case. A name whose last label is a number would be an address. */
    private static final Pattern NAME = Pattern.compile("(\\*\\.)?(" + LABEL + "\\.)*(?![0-9]+$)" + LABEL);

    private static final Pattern PLAIN_V6 = Pattern.compile("[0-9a-fA-F:.]+");

    /** Throws IllegalArgumentException with the first of {@link #problems}. */
    public ServerNames {
        dnsNames = List.copyOf(dnsNames);
        addresses = List.copyOf(addresses);
        problems(dnsNames, addresses).stream().findFirst().ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
    }

    /** All reasons why these cannot be the names of a server; if there are none, the constructor accepts them. */
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

    /** Why this can be neither a name nor an address of a server. */
    public static Optional<String> problemOf(String nameOrAddress) {
        return isAddress(nameOrAddress)
                ? Optional.empty()
                : problems(List.of(nameOrAddress), List.of()).stream().findFirst();
    }

    /** Names and addresses in one list, told apart by their form. */
    public static ServerNames of(Collection<String> mixed) {
        return new ServerNames(
                mixed.stream().filter(name -> !isAddress(name)).toList(),
                mixed.stream().filter(ServerNames::isAddress).toList());
    }

    /** The JDK also accepts {@code 1.2.3}, {@code [::1]} and zones, which a certificate cannot hold. */
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
