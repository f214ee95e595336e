package dev.sluice.tls.selfmanaged;

import dev.sluice.tls.selfmanaged.RotationStep.AwaitChange;
import dev.sluice.tls.selfmanaged.RotationStep.IntroduceAuthority;
import dev.sluice.tls.selfmanaged.RotationStep.IssueLeaf;
import dev.sluice.tls.selfmanaged.RotationStep.PublishAuthorities;
import dev.sluice.tls.selfmanaged.RotationStep.RestoreAuthority;
import dev.sluice.tls.selfmanaged.RotationStep.RetireAuthorities;
import dev.sluice.tls.selfmanaged.RotationStep.ServeLeaf;
import dev.sluice.tls.selfmanaged.StoredCertificates.Authority;
import dev.sluice.tls.selfmanaged.StoredCertificates.Coverage;
import dev.sluice.tls.selfmanaged.StoredCertificates.Leaf;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides the next step of the rotation for one replica. The order of the steps ensures that clients can always verify
 * the served certificate: an authority is in the caBundle before it signs a certificate, and stays there until all
 * certificates that it has signed have expired.
 */
record RotationPlan(RotationTimes times) {

    public RotationStep next(RotationState state, Instant now) {
        Optional<Authority> signer = state.stored()
                .usableSigner(now)
                .filter(found -> now.isBefore(found.life().renewal()));
        if (signer.isEmpty()) {
            return new IntroduceAuthority(beside(state, now));
        }
        return restore(state, now)
                .or(() -> serve(state, now))
                .or(() -> publish(state, now))
                .or(() -> issue(state, signer.get(), now))
                .or(() -> retire(state, signer.get(), now))
                .orElseGet(() -> new AwaitChange(nextChange(state, signer.get(), now)));
    }

    /**
     * Returns the authorities that stay in the Secret when a new authority is added: those that are valid, and the one
     * that has signed the certificate that this replica serves.
     */
    private static Set<String> beside(RotationState state, Instant now) {
        Set<String> kept = new HashSet<>(state.stored().valid(now));
        served(state, now).map(Leaf::authority).ifPresent(kept::add);
        return kept;
    }

    private static Optional<Leaf> served(RotationState state, Instant now) {
        return state.served().filter(leaf -> leaf.life().holds(now));
    }

    /**
     * Returns the step by which this replica begins to serve the stored certificate. Returns empty if it serves the
     * certificate already or must not serve it yet.
     */
    private Optional<RotationStep> serve(RotationState state, Instant now) {
        return state.stored()
                .usableLeaf(now)
                .filter(leaf -> !state.served().map(Leaf::id).equals(Optional.of(leaf.id())))
                .filter(leaf -> mayServe(leaf, state, now))
                .map(leaf -> new ServeLeaf(leaf.id()));
    }

    /**
     * Returns true if this replica may serve the stored certificate {@code leaf} now. The authority of {@code leaf}
     * must be in the caBundle. If clients still trust the certificate that this replica serves at present, the
     * authority must be there for so long that all clients should have received it.
     */
    private boolean mayServe(Leaf leaf, RotationState state, Instant now) {
        boolean nothingToLose = served(state, now)
                .filter(own -> isTrusted(own.authority(), state))
                .isEmpty();
        return nothingToLose ? isTrusted(leaf.authority(), state) : isSettled(leaf.authority(), state, now);
    }

    private static boolean isTrusted(String authority, RotationState state) {
        return state.trusted().map(trusted -> trusted.hold(authority)).orElse(true);
    }

    private boolean isSettled(String authority, RotationState state, Instant now) {
        return isTrusted(authority, state)
                && state.trusted()
                        .map(trusted -> trusted.since().get(authority))
                        .map(since -> !now.isBefore(since.plus(times.settling())))
                        .orElse(true);
    }

    /**
     * Returns the step that stores the authority of the served certificate again if the Secret has lost it, for example
     * because somebody has restored an older Secret. The replica does this before it serves the stored certificate.
     * Other replicas would refuse that certificate until they have read the restored Secret.
     */
    private static Optional<RotationStep> restore(RotationState state, Instant now) {
        return served(state, now)
                .map(Leaf::authority)
                .filter(authority -> !state.stored().all().contains(authority))
                .map(RestoreAuthority::new);
    }

    private Optional<RotationStep> publish(RotationState state, Instant now) {
        return state.trusted()
                .filter(trusted -> trusted.integrity() == CaBundleAuthorities.Integrity.DAMAGED
                        || !trusted.since().keySet().equals(wanted(state, trusted, now)))
                .map(trusted -> new PublishAuthorities(wanted(state, trusted, now)));
    }

    /**
     * Returns the authorities that the caBundle should contain. They include all authorities in the Secret, even
     * expired ones, so that replicas with different clocks want the same content. An authority that is only in the
     * caBundle is kept for a short time after this replica first saw it there. If the Secret was lost, the replica that
     * serves a certificate of this authority stores the authority in the Secret again within that time.
     */
    private Set<String> wanted(RotationState state, CaBundleAuthorities trusted, Instant now) {
        Set<String> wanted = new HashSet<>(state.stored().all());
        trusted.since().entrySet().stream()
                .filter(entry -> now.isBefore(entry.getValue().plus(times.settling())))
                .map(Map.Entry::getKey)
                .forEach(wanted::add);
        return wanted;
    }

    private Optional<RotationStep> issue(RotationState state, Authority signer, Instant now) {
        Optional<Leaf> stored = state.stored().usableLeaf(now);
        boolean due = stored.filter(leaf -> leaf.authority().equals(signer.id())
                        && leaf.coverage() == Coverage.ALL_NAMES
                        && now.isBefore(leaf.life().renewal()))
                .isEmpty();
        boolean urgent = stored.isEmpty() && served(state, now).isEmpty();
        return due && (urgent ? isTrusted(signer.id(), state) : isSettled(signer.id(), state, now))
                ? Optional.of(new IssueLeaf(signer.id()))
                : Optional.empty();
    }

    private Optional<RotationStep> retire(RotationState state, Authority signer, Instant now) {
        Set<String> used = new HashSet<>(Set.of(signer.id()));
        state.stored().usableLeaf(now).map(Leaf::authority).ifPresent(used::add);
        served(state, now).map(Leaf::authority).ifPresent(used::add);
        boolean othersAreOver = !now.isBefore(times.lastOfEarlier(signer.life()));
        Set<String> over = state.stored().authorities().stream()
                .filter(authority -> !used.contains(authority.id()))
                .filter(authority -> othersAreOver || !authority.life().holds(now))
                .map(Authority::id)
                .collect(Collectors.toSet());
        return over.isEmpty() ? Optional.empty() : Optional.of(new RetireAuthorities(over));
    }

    /**
     * Returns the earliest time at which the next step may be due, provided that the Secret and the caBundle do not
     * change before.
     */
    private Instant nextChange(RotationState state, Authority signer, Instant now) {
        Stream<Instant> settled = state.trusted().stream()
                .flatMap(trusted -> trusted.since().values().stream())
                .map(since -> since.plus(times.settling()));
        Stream<Instant> ends = state.stored().authorities().stream()
                .map(authority -> authority.life().end());
        Stream<Instant> leaves = state.stored().leaf().stream()
                .flatMap(leaf -> Stream.of(leaf.life().renewal(), leaf.life().end()));
        return Stream.of(settled, ends, leaves, Stream.of(signer.life().renewal(), times.lastOfEarlier(signer.life())))
                .flatMap(moments -> moments)
                .filter(now::isBefore)
                .min(Instant::compareTo)
                .orElse(signer.life().end());
    }
}
