package dev.sluice.tls.selfmanaged;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.kube.client.ApiServerClientFailure;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The certificates in a Secret and the caBundle of the webhook, read at one point in time for the command line. They
 * may have been written by Sluice, by cert-manager or by an administrator.
 *
 * @param damaged the keys of the Secret whose values cannot be used
 * @param trust the caBundle; empty if there is no webhook configuration
 */
public record StoredTrust(CertificateSecret certificates, List<String> damaged, Optional<WebhookCaBundle> trust) {

    /** The name of the webhook configuration that has the caBundle. */
    public static final String CONFIGURATION = CertificateStore.CONFIGURATION;

    /** The name of the Secret with the certificates that the replicas make. */
    public static final String SECRET = CertificateStore.SECRET;

    /** The name of Sluice's webhook in the webhook configuration. */
    public static final String WEBHOOK = CertificateStore.WEBHOOK;

    public StoredTrust {
        damaged = List.copyOf(damaged);
    }

    /**
     * Returns the DNS name of the gateway's Service in this namespace. The certificate of the gateway is valid for this
     * name.
     */
    public static String serviceName(String namespace) {
        return SelfManagedTls.SERVICE + "." + namespace + ".svc";
    }

    /**
     * Returns the authorities that the API server trusts when it calls the gateway of this namespace; empty if there
     * are none. If the user may not list webhook configurations, only Sluice's own configuration is read. Throws
     * ClusterStateException if no configuration can be read. Its message is a clause with the reason.
     */
    public static List<X509Certificate> authorities(KubernetesClient client, String namespace)
            throws ClusterStateException {
        try {
            return new CertificateStore(client)
                    .bundlesFor(serviceName(namespace)).stream()
                            .flatMap(bundle -> bundle.authorities().stream())
                            .distinct()
                            .toList();
        } catch (KubernetesClientException failed) {
            throw new ClusterStateException(ApiServerClientFailure.reason(failed), failed);
        }
    }

    /**
     * Reads the Secret and the caBundle from the cluster. Throws ClusterStateException with a sentence for the user if
     * that fails.
     */
    public static StoredTrust read(KubernetesClient client, String namespace, String name)
            throws ClusterStateException {
        try {
            Secret secret =
                    client.secrets().inNamespace(namespace).withName(name).get();
            if (secret == null) {
                throw new ClusterStateException("there is no Secret " + namespace + "/" + name
                        + "; apply one of k8s/overlays, or name another with --secret NAMESPACE/NAME");
            }
            Map<String, String> data = Optional.ofNullable(secret.getData()).orElse(Map.of());
            CertificateSecret certificates = CertificateSecret.read(data);
            return new StoredTrust(certificates, certificates.damaged(data), new CertificateStore(client).trust());
        } catch (KubernetesClientException failed) {
            throw new ClusterStateException(
                    "Secret " + namespace + "/" + name + " and the caBundle of " + client.getMasterUrl()
                            + " cannot be read: " + ApiServerClientFailure.reason(failed),
                    failed);
        }
    }
}
