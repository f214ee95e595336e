package dev.sluice.election;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.UUID;

/** The holder identity of this process: the name of its pod or host, and a random part for each start. */
final class Identity {

    private Identity() {}

    static String ofThisProcess() {
        return podOfThisProcess() + "_" + UUID.randomUUID();
    }

    /** The host name of a container is the name of its pod. */
    static String podOfThisProcess() {
        return Optional.ofNullable(System.getenv("HOSTNAME")).orElseGet(Identity::host);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "sluice";
        }
    }
}
