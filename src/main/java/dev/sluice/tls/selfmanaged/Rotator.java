package dev.sluice.tls.selfmanaged;

import dev.sluice.tls.CertificateAuthority;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes single steps of the rotation. Each time, it reads the Secret and the caBundle, asks the {@link RotationPlan}
 * which step is next, and executes that step. This class is not thread-safe.
 */
final class Rotator {

    private static final Logger LOG = LoggerFactory.getLogger(Rotator.class);

    private final CertificateStore store;
    private final SelfManagedIssuer issuing;
    private final InstantSource clock;
    private final RotationPlan plan;
    private final CaBundleMemory memory = new CaBundleMemory();
    private final SelfManagedPeerAuthorities peers;
    private List<String> injectors = List.of();

    Rotator(CertificateStore store, SelfManagedIssuer issuing, InstantSource clock) {
        this.store = store;
        this.issuing = issuing;
        this.clock = clock;
        this.plan = new RotationPlan(issuing.times());
        this.peers = new SelfManagedPeerAuthorities(issuing.times().settling());
    }

    /** The Secret and the caBundle as they were read, and the certificate that this replica serves. */
    private record View(
            Secret secret,
            CertificateSecret content,
            Optional<WebhookCaBundle> trust,
            Optional<SelfManagedIdentity> served) {

        Map<String, String> data() {
            return dataOf(secret);
        }

        /**
         * Returns the certificates with these fingerprints, from the Secret, from the caBundle or from the certificate
         * that this replica serves.
         */
        List<X509Certificate> certificates(Set<String> fingerprints) {
            List<X509Certificate> known = new ArrayList<>(content.authorities());
            served.map(SelfManagedIdentity::authority).ifPresent(known::add);
            trust.ifPresent(found -> known.addAll(found.authorities()));
            return known.stream()
                    .filter(each -> fingerprints.contains(CertificateFingerprint.of(each)))
                    .distinct()
                    .toList();
        }
    }

    private static Map<String, String> dataOf(Secret secret) {
        return Optional.ofNullable(secret.getData()).orElse(Map.of());
    }

    /**
     * Executes the next step. Blocks. Throws KubernetesClientException if the API server refuses a request or cannot be
     * reached.
     */
    RotationStepOutcome step(Optional<SelfManagedIdentity> served) {
        Secret secret = store.secret();
        CertificateSecret content = CertificateSecret.read(dataOf(secret), issuing.use());
        View view = new View(secret, content, trust(content), served);
        injectors = view.trust.map(WebhookCaBundle::injectors).orElse(List.of());
        Instant now = clock.instant();
        peers.seen(content.authorities(), now);
        RotationState state = new RotationState(
                content.summary(issuing),
                view.trust.map(found -> memory.seen(found, now)),
                served.map(own -> CertificateSecret.summary(issuing, own.pair(), own.authority())));
        try {
            return carryOut(plan.next(state, now), view, now);
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return new RotationStepOutcome.LookAgain();
            }
            throw refused;
        }
    }

    /**
     * Returns the authorities that the clients of this replica trust. For the webhook, the client is the API server,
     * which trusts the authorities in the caBundle. For the port for other replicas, the clients are replicas, which
     * trust the authorities in the Secret.
     */
    private Optional<WebhookCaBundle> trust(CertificateSecret content) {
        return switch (issuing.use()) {
            case WEBHOOK -> store.trust();
            case PEERS -> Optional.of(WebhookCaBundle.of(content.authorities()));
        };
    }

    /** Returns the authorities that this replica trusts when another replica presents a certificate. */
    List<X509Certificate> peerAuthorities() {
        return peers.trusted();
    }

    /**
     * Returns a sentence for each annotation that makes cert-manager overwrite the caBundle, from the configuration
     * that the last step has read.
     */
    List<String> conflicts() {
        return injectors.stream()
                .map(annotation -> "cert-manager writes the caBundle of " + CertificateStore.CONFIGURATION
                        + " too, because it bears " + annotation + "; remove that annotation")
                .toList();
    }

    private RotationStepOutcome carryOut(RotationStep step, View view, Instant now) {
        return switch (step) {
            case RotationStep.IntroduceAuthority(var beside) -> introduce(view, beside, now);
            case RotationStep.RestoreAuthority(var authority) -> restore(view, authority);
            case RotationStep.PublishAuthorities(var authorities) -> publish(view, authorities);
            case RotationStep.IssueLeaf _ -> issue(view, now);
            case RotationStep.ServeLeaf _ -> serve(view.content);
            case RotationStep.RetireAuthorities(var authorities) -> retire(view, authorities);
            case RotationStep.AwaitChange(var until) -> new RotationStepOutcome.Idle(Duration.between(now, until));
        };
    }

    private RotationStepOutcome introduce(View view, Set<String> beside, Instant now) {
        List<String> damaged = view.content.damaged(view.data());
        if (!damaged.isEmpty()) {
            LOG.atWarn().addKeyValue("keys", damaged).log("the Secret of certificates has values that cannot be used");
        }
        CertificateAuthority fresh = issuing.authority(now);
        return written(
                view,
                view.content.introducing(fresh, view.certificates(beside)),
                "a new authority will sign certificates once it is trusted",
                fresh.identity().certificate());
    }

    private RotationStepOutcome restore(View view, String authority) {
        X509Certificate own = view.certificates(Set.of(authority)).getFirst();
        return written(view, view.content.restoring(own), "the Secret had lost the authority of what is served", own);
    }

    private RotationStepOutcome issue(View view, Instant now) {
        CertificateAuthority signer = view.content.signer().orElseThrow();
        var leaf = issuing.leaf(signer, view.content.leaf(), now);
        return written(view, view.content.holding(leaf), "a new certificate was issued", leaf.certificate());
    }

    private RotationStepOutcome retire(View view, Set<String> authorities) {
        return written(
                view,
                view.content.without(authorities),
                "an authority has been retired",
                view.certificates(authorities).getFirst());
    }

    private RotationStepOutcome written(View view, CertificateSecret content, String sentence, X509Certificate about) {
        store.replace(view.secret, content.writtenOver(view.data()));
        LOG.atInfo()
                .addKeyValue("use", issuing.use().name().toLowerCase(Locale.ROOT))
                .addKeyValue("serial", about.getSerialNumber().toString(16))
                .addKeyValue("notAfter", about.getNotAfter().toInstant())
                .log(sentence);
        return new RotationStepOutcome.LookAgain();
    }

    private RotationStepOutcome publish(View view, Set<String> authorities) {
        store.publish(view.trust.orElseThrow(), WebhookCaBundle.caBundle(view.certificates(authorities)));
        LOG.atInfo().addKeyValue("authorities", authorities.size()).log("the caBundle of the webhook was updated");
        return new RotationStepOutcome.LookAgain();
    }

    private static RotationStepOutcome serve(CertificateSecret content) {
        return content.leaf()
                .flatMap(pair -> content.issuer(pair).map(authority -> new SelfManagedIdentity(pair, authority)))
                .<RotationStepOutcome>map(RotationStepOutcome.ServeNow::new)
                .orElseGet(RotationStepOutcome.LookAgain::new);
    }
}
