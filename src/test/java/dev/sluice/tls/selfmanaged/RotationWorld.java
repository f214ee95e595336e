package dev.sluice.tls.selfmanaged;

import dev.sluice.tls.CertificateUse;
import dev.sluice.tls.selfmanaged.StoredCertificates.Authority;
import dev.sluice.tls.selfmanaged.StoredCertificates.Coverage;
import dev.sluice.tls.selfmanaged.StoredCertificates.Leaf;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The Secret, the caBundle and two replicas, as values. A replica looks, and later does what it found; whoever wrote in
 * between makes that fail, as the API server does. Time passes only when both replicas have nothing to do.
 *
 * @param clients who has to trust the certificates: the API server, by the caBundle, or the other replica, by the
 *     Secret
 * @param met whether both replicas have trusted each other since the last start of one of them
 */
record RotationWorld(
        int minute,
        Store store,
        Bundle bundle,
        List<Replica> replicas,
        int names,
        CertificateUse clients,
        boolean met) {

    static final RotationTimes TIMES = new RotationTimes(Duration.ofMinutes(60), Duration.ofMinutes(240));
    private static final RotationPlan PLAN = new RotationPlan(TIMES);
    private static final Instant EPOCH = Instant.parse("2030-01-01T00:00:00Z");

    record Store(int version, StoredCertificates content) {}

    /** @param foreign it was written by a stranger, and not by a replica since then */
    record Bundle(int version, Set<String> authorities, boolean damaged, boolean foreign) {}

    record Pending(RotationStep step, int storeVersion, int bundleVersion, RotationState seen) {}

    record Replica(
            int skew,
            Optional<Leaf> served,
            Map<String, Instant> since,
            Map<String, Optional<Instant>> authorities,
            @Nullable Pending pending) {

        static Replica started(int skew) {
            return new Replica(skew, Optional.empty(), Map.of(), Map.of(), null);
        }

        Replica pending(@Nullable Pending next) {
            return new Replica(skew, served, since, authorities, next);
        }

        Replica serving(Optional<Leaf> leaf) {
            return new Replica(skew, leaf, since, authorities, null);
        }

        boolean trusts(Leaf leaf) {
            return authorities.containsKey(leaf.authority());
        }

        boolean isIdle(RotationWorld world) {
            return pending != null
                    && pending.step() instanceof RotationStep.AwaitChange(Instant until)
                    && pending.storeVersion() == world.store.version
                    && pending.bundleVersion() == world.bundle.version
                    && world.now(this).isBefore(until);
        }
    }

    static RotationWorld empty(CertificateUse clients, int skewOfFirst, int skewOfSecond) {
        return new RotationWorld(
                0,
                new Store(0, StoredCertificates.NONE),
                new Bundle(0, Set.of(), /* damaged= */ false, /* foreign= */ true),
                List.of(Replica.started(skewOfFirst), Replica.started(skewOfSecond)),
                0,
                clients,
                /* met= */ false);
    }

    Instant now(Replica replica) {
        return EPOCH.plus(Duration.ofMinutes(minute + replica.skew()));
    }

    Instant now() {
        return EPOCH.plus(Duration.ofMinutes(minute));
    }

    boolean everybodyIsIdle() {
        return replicas.stream().allMatch(replica -> replica.isIdle(this));
    }

    // --- what replicas do

    RotationWorld look(int index) {
        Replica replica = replicas.get(index);
        Instant now = now(replica);
        boolean damaged = clients == CertificateUse.WEBHOOK && bundle.damaged;
        Map<String, Instant> since = new HashMap<>();
        if (!damaged) {
            trusted().forEach(id -> since.put(id, replica.since.getOrDefault(id, now)));
        }
        RotationState seen = new RotationState(
                store.content,
                Optional.of(new CaBundleAuthorities(
                        since, damaged ? CaBundleAuthorities.Integrity.DAMAGED : CaBundleAuthorities.Integrity.INTACT)),
                replica.served);
        Pending pending = new Pending(PLAN.next(seen, now), store.version, bundle.version, seen);
        return with(index, new Replica(replica.skew, replica.served, since, ofPeers(replica, now), pending));
    }

    private Set<String> trusted() {
        return switch (clients) {
            case WEBHOOK -> bundle.authorities;
            case PEERS -> store.content.all();
        };
    }

    /**
     * What a replica trusts, with the time since which it misses it in the Secret, as
     * {@link SelfManagedPeerAuthorities} does.
     */
    private Map<String, Optional<Instant>> ofPeers(Replica replica, Instant now) {
        Map<String, Optional<Instant>> next = new HashMap<>();
        replica.authorities.forEach((id, missing) -> next.put(id, missing.or(() -> Optional.of(now))));
        store.content.all().forEach(id -> next.put(id, Optional.empty()));
        next.values()
                .removeIf(missing -> missing.isPresent()
                        && missing.get().plus(TIMES.settling()).isBefore(now));
        return next;
    }

    /** Does what the replica found when it looked; it then has to look again. */
    RotationWorld act(int index) {
        Replica replica = replicas.get(index);
        Pending pending = replica.pending;
        if (pending == null) {
            return this;
        }
        Replica done = replica.pending(null);
        return switch (pending.step()) {
            case RotationStep.ServeLeaf _ ->
                with(index, replica.serving(pending.seen.stored().leaf()));
            case RotationStep.AwaitChange _ -> with(index, done);
            case RotationStep.PublishAuthorities(var authorities) ->
                pending.bundleVersion == bundle.version
                        ? with(index, done)
                                .with(new Bundle(
                                        bundle.version + 1,
                                        new HashSet<>(authorities),
                                        /* damaged= */ false,
                                        /* foreign= */ false))
                        : with(index, done);
            case RotationStep.IntroduceAuthority(var beside) ->
                write(index, done, pending, introduced(replica, beside), 1);
            case RotationStep.RestoreAuthority(var id) -> write(index, done, pending, restored(replica, id), 0);
            case RotationStep.IssueLeaf(var signer) -> write(index, done, pending, issued(replica, signer), 1);
            case RotationStep.RetireAuthorities(var ids) -> write(index, done, pending, retired(ids), 0);
        };
    }

    private RotationWorld write(int index, Replica done, Pending pending, StoredCertificates content, int used) {
        RotationWorld next = with(index, done);
        return pending.storeVersion == store.version
                ? new RotationWorld(
                        minute,
                        new Store(store.version + 1, content),
                        bundle,
                        next.replicas,
                        names + used,
                        clients,
                        next.met)
                : next;
    }

    private StoredCertificates introduced(Replica replica, Set<String> beside) {
        String id = "A" + names;
        List<Authority> authorities = new ArrayList<>();
        authorities.add(new Authority(id, life(replica, TIMES.authorityLifetime())));
        beside.forEach(old -> authorities.add(authority(replica, old)));
        return new StoredCertificates(authorities, Optional.of(id), store.content.leaf());
    }

    private StoredCertificates restored(Replica replica, String id) {
        List<Authority> authorities = new ArrayList<>(store.content.authorities());
        authorities.add(authority(replica, id));
        return new StoredCertificates(authorities, store.content.signer(), store.content.leaf());
    }

    /** From the Secret, or from memory: a replica knows the authority of what it serves. */
    private Authority authority(Replica replica, String id) {
        return store.content.authorities().stream()
                .filter(found -> found.id().equals(id))
                .findFirst()
                .orElseGet(() -> new Authority(
                        id,
                        new RotationLifespan(
                                EPOCH, replica.served.orElseThrow().life().end().plusSeconds(3600))));
    }

    private StoredCertificates issued(Replica replica, String signer) {
        Leaf leaf = new Leaf("L" + names, signer, life(replica, TIMES.certificateLifetime()), Coverage.ALL_NAMES);
        return new StoredCertificates(store.content.authorities(), store.content.signer(), Optional.of(leaf));
    }

    private StoredCertificates retired(Set<String> ids) {
        return new StoredCertificates(
                store.content.authorities().stream()
                        .filter(authority -> !ids.contains(authority.id()))
                        .toList(),
                store.content.signer(),
                store.content.leaf());
    }

    private RotationLifespan life(Replica replica, Duration length) {
        return new RotationLifespan(now(replica), now(replica).plus(length));
    }

    // --- what happens to them

    RotationWorld restart(int index) {
        RotationWorld next = with(index, Replica.started(replicas.get(index).skew));
        return new RotationWorld(minute, store, bundle, next.replicas, names, clients, /* met= */ false);
    }

    /** The lifespan of certificates in a backup: half of it is over. */
    RotationLifespan ofABackup() {
        Duration half = TIMES.certificateLifetime().dividedBy(2);
        return new RotationLifespan(now().minus(half), now().plus(half));
    }

    RotationWorld stored(StoredCertificates content) {
        return new RotationWorld(minute, new Store(store.version + 1, content), bundle, replicas, names, clients, met);
    }

    RotationWorld withBundle(Set<String> authorities, boolean damaged) {
        return with(new Bundle(bundle.version + 1, authorities, damaged, /* foreign= */ true));
    }

    RotationWorld later(int minutes) {
        return new RotationWorld(minute + minutes, store, bundle, replicas, names, clients, met);
    }

    /** To the first moment for which a replica waits. */
    int untilSomethingIsDue() {
        return replicas.stream()
                .mapToInt(replica -> replica.pending() != null
                                && replica.pending().step() instanceof RotationStep.AwaitChange(Instant until)
                        ? Math.toIntExact(Math.max(
                                1, Duration.between(now(replica), until).toMinutes()))
                        : 1)
                .min()
                .orElseThrow();
    }

    private RotationWorld with(int index, Replica replica) {
        List<Replica> next = new ArrayList<>(replicas);
        next.set(index, replica);
        RotationWorld changed = new RotationWorld(minute, store, bundle, List.copyOf(next), names, clients, met);
        boolean meet = changed.replicas.stream().allMatch(each -> each.served.isPresent())
                && changed.refusedByPeers().isEmpty();
        return meet && !met
                ? new RotationWorld(minute, store, bundle, changed.replicas, names, clients, /* met= */ true)
                : changed;
    }

    private RotationWorld with(Bundle next) {
        return new RotationWorld(minute, store, next, replicas, names, clients, met);
    }

    // --- what must hold

    /**
     * The certificates that are refused now: by an API server, or by the other replica if both have trusted each other
     * before.
     */
    List<Leaf> refused() {
        return switch (clients) {
            case WEBHOOK ->
                replicas.stream()
                        .flatMap(replica -> replica.served.stream())
                        .filter(leaf -> bundle.damaged
                                || !bundle.authorities.contains(leaf.authority())
                                || !now().isBefore(leaf.life().end()))
                        .toList();
            case PEERS -> met ? refusedByPeers() : List.of();
        };
    }

    private List<Leaf> refusedByPeers() {
        return replicas.stream()
                .flatMap(replica -> replica.served.stream()
                        .filter(leaf -> !now().isBefore(leaf.life().end())
                                || replicas.stream().anyMatch(other -> !other.trusts(leaf))))
                .toList();
    }

    boolean isWell() {
        return refused().isEmpty()
                && replicas.stream()
                        .allMatch(replica -> replica.served.isPresent() && replica.served.equals(store.content.leaf()))
                && switch (clients) {
                    case WEBHOOK -> !bundle.foreign && bundle.authorities.equals(store.content.all());
                    case PEERS -> met;
                };
    }
}
