package dev.sluice.it;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;

/**
 * A pod of the gateway whose management port the API server's proxy for pods reaches. It is made as the Deployment
 * would make it, without anything that runs in it. Its address is one of this machine, because the proxy refuses
 * loopback.
 */
final class ProxiedReplica implements AutoCloseable {

    private final KubernetesClient client;
    private final String name;
    private final TcpProxy outside;

    ProxiedReplica(KubernetesClient client, String name, Gateway gateway) throws IOException {
        this.client = client;
        this.name = name;
        outside = new TcpProxy(
                new InetSocketAddress(address(), 0),
                gateway.managementPort(),
                new TcpProxy.Directions(() -> true, () -> true));
        create();
    }

    private static InetAddress address() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(Inet4Address.class::isInstance)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .findFirst()
                .orElseThrow(() -> new AssertionError("this machine has no address but loopback"));
    }

    private void create() throws IOException {
        Pod pod = new PodBuilder(Pods.restricted(Pods.plain(name)))
                .editMetadata()
                .addToLabels("app", "gpu-webhook")
                .endMetadata()
                .editSpec()
                .withSchedulerName("nobody")
                .editFirstContainer()
                .addNewPort()
                .withName("management")
                .withContainerPort(outside.port())
                .endPort()
                .endContainer()
                .endSpec()
                .build();
        pod.getMetadata().setNamespace(Account.NAMESPACE);
        String address = address().getHostAddress();
        var _ = client.resource(pod).create();
        var _ = client.resource(pod).editStatus(found -> {
            found.setStatus(new PodStatusBuilder(found.getStatus())
                    .withPhase("Running")
                    .withPodIP(address)
                    .withPodIPs(new PodIP(address))
                    .addNewCondition()
                    .withType("Ready")
                    .withStatus("True")
                    .endCondition()
                    .build());
            return found;
        });
    }

    @Override
    public void close() throws IOException {
        outside.close();
        var _ = client.pods()
                .inNamespace(Account.NAMESPACE)
                .withName(name)
                .withGracePeriod(0)
                .delete();
    }
}
