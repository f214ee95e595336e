package dev.sluice.kube.client;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** The pod that this process runs in, or what would be its name outside a cluster. */
public record OwnPodName(String namespace, String name) {

    public static OwnPodName of(KubernetesClient client) {
        return new OwnPodName(Optional.ofNullable(client.getNamespace()).orElse("default"), hostName());
    }

    /** The host name of a container is the name of its pod. */
    public static String hostName() {
        return Optional.ofNullable(System.getenv("HOSTNAME")).orElseGet(OwnPodName::host);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "sluice";
        }
    }
}
