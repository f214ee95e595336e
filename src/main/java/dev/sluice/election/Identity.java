package dev.sluice.election;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.UUID;

/** The name under which a process holds the lease: its pod's, or its host's, and something that no other start has. */
final class Identity {

    private Identity() {}

    static String ofThisProcess() {
        return podOfThisProcess() + "_" + UUID.randomUUID();
    }

    /** Kubernetes gives a pod's name to its containers as the name of their host. */
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
