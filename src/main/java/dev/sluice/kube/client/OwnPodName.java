package dev.sluice.kube.client;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** The name of the pod in which this process runs. Outside a cluster, the name is the host name. */
public record OwnPodName(String namespace, String name) {

    public static OwnPodName of(KubernetesClient client) {
        return new OwnPodName(Optional.ofNullable(client.getNamespace()).orElse("default"), hostName());
    }

    /** Returns the host name, which in a container is the name of the pod. */
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
