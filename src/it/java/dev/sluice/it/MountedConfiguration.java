package dev.sluice.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.sluice.Ports;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** The configuration in the ConfigMap that a pod mounts, for a gateway that runs in place of the pod. */
record MountedConfiguration(ControlPlane plane, String pod, JsonNode configuration, String peers) {

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    static MountedConfiguration of(ControlPlane plane, Pod pod) throws IOException {
        String configMap = pod.getSpec().getVolumes().stream()
                .filter(volume -> volume.getName().equals("config"))
                .findFirst()
                .orElseThrow()
                .getConfigMap()
                .getName();
        String text = Objects.requireNonNull(plane.client()
                .configMaps()
                .inNamespace(Account.NAMESPACE)
                .withName(configMap)
                .require()
                .getData()
                .get("gateway.yaml"));
        return new MountedConfiguration(plane, pod.getMetadata().getName(), YAML.readTree(text), "");
    }

    /** Adds an address for other replicas, because all pods have the address of this machine here. */
    MountedConfiguration withPeers() {
        return new MountedConfiguration(
                plane, pod, configuration, "peers: {host: 127.0.0.1, port: " + Ports.free() + "}\n");
    }

    /** Starts a gateway with the account of its pod. */
    Gateway run(Path launcher) throws IOException {
        Path policy = plane.scratch("policy-of-" + pod).resolve("policy.yaml");
        Files.writeString(policy, "policy: " + configuration.required("policy") + "\n" + peers);
        Account account = Account.inItsNamespace(plane);
        return new Gateway(
                plane,
                pod,
                new Account(account.name(), account.kubeconfig(), Map.of("HOSTNAME", pod)),
                policy,
                configuration.required("tls").toString(),
                Gateway.startedBy(launcher));
    }
}
