package dev.sluice.cli;

import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.selfmanaged.StoredTrust;
import dev.sluice.tls.selfmanaged.WebhookCaBundle;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compares a Secret, the caBundle of the webhook, and the chain that a server sends. If there is no problem, clients
 * can verify the certificates by the caBundle.
 */
record CertsShowSecret(StoredTrust stored, Instant now) {

    private static final String RENEW =
            "; with tls.mode self-managed the replicas put that right within about a minute,"
                    + " or their log says why not; otherwise run tls/make-certs.sh, or see the log of cert-manager";

    /**
     * Returns the problems, as sentences that say what to do.
     *
     * @param shown the chain that a server sends; empty if no server was asked
     */
    List<String> problems(List<X509Certificate> shown) {
        List<String> problems = new ArrayList<>();
        stored.damaged().forEach(key -> problems.add("the key " + key + " of the Secret cannot be used" + RENEW));
        Optional<CertifiedKey> leaf = stored.certificates().leaf();
        if (leaf.isEmpty()) {
            problems.add("the Secret holds no certificate with its key" + RENEW);
        }
        stored.trust()
                .ifPresentOrElse(
                        trust -> {
                            leaf.map(CertifiedKey::chain)
                                    .flatMap(chain -> refused("the certificate in the Secret", chain, trust))
                                    .ifPresent(problems::add);
                            refused("the certificate that the server shows", shown, trust)
                                    .ifPresent(problems::add);
                        },
                        () -> problems.add("there is no webhook gpu-allocation.k8s.io in the"
                                + " MutatingWebhookConfiguration " + StoredTrust.CONFIGURATION
                                + ", so no pod is sent to the gateway;"
                                + " apply one of k8s/overlays"));
        return problems;
    }

    private Optional<String> refused(String what, List<X509Certificate> chain, WebhookCaBundle trust) {
        return chain.isEmpty() || trust.trusts(chain, now)
                ? Optional.empty()
                : Optional.of("the API server refuses " + what + ": " + trust.distrust() + RENEW);
    }
}
