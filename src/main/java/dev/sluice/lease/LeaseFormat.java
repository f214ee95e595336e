package dev.sluice.lease;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.replication.InSyncRecord;
import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicationStoredRecord;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the fields of the Lease. The fields of the spec have the same meaning as in every other Lease. An
 * older release of Sluice therefore waits while the holder renews the Lease, although it does not know the annotations.
 * The annotations contain all other data, such as the in-sync set, which lists the replicas that have every answered
 * decision.
 *
 * <p>Other accounts may edit the Lease, too, so every value that is read has a limit. A checksum over all fields shows
 * whether a replica wrote the record. It does not protect against an attacker, who can compute the checksum as well.
 */
final class LeaseFormat {

    static final String IN_SYNC = "gpu-webhook.k8s.io/in-sync";
    static final String RENEWAL = "gpu-webhook.k8s.io/renewal";
    static final String CHECKSUM = "gpu-webhook.k8s.io/checksum";
    /** The annotation in which standbys of earlier releases announced themselves. A write removes it. */
    static final String SUCCESSOR = "gpu-webhook.k8s.io/successor";

    static final int LEASE_SECONDS = 15;
    /**
     * The lease duration in seconds of a released Lease, as in client-go. It is the shortest duration that the API
     * server accepts.
     */
    private static final int RELEASED_SECONDS = 1;

    /**
     * The maximum lease duration in seconds that is accepted from the Lease, because accounts other than the replicas
     * can edit it.
     */
    private static final int LONGEST_DURATION_SECONDS = 60;

    /** The maximum number of characters in an identity or an address. An identity has up to 290. */
    private static final int LONGEST_WORD = 512;

    /** The maximum number of characters in the text of the in-sync set. One member takes about 120. */
    private static final int LONGEST_SET = 16 * 1024;

    /**
     * The highest term ({@code leaseTransitions}) that is accepted if no replica of this release wrote the record.
     * Replicas accept terms up to twice as high in messages, so enough terms remain for further takeovers.
     */
    private static final long HIGHEST_TERM = 1L << 29;

    private static final Pattern NAME = Pattern.compile("[^\\s,]+");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private LeaseFormat() {}

    /**
     * Returns the version of the Lease: its uid and its resourceVersion. A write names the version that it replaces.
     */
    static String version(ObjectMeta lease) {
        return text(lease.getUid()) + "/" + text(lease.getResourceVersion());
    }

    /** Returns the uid of the Lease from its version. A Lease that is deleted and created again gets another uid. */
    static String uid(String version) {
        return version.substring(0, version.indexOf('/'));
    }

    /** Returns the resourceVersion of the Lease from its version. */
    static String resourceVersion(String version) {
        return version.substring(version.indexOf('/') + 1);
    }

    static ReplicationStoredRecord read(GenericKubernetesResource lease) {
        ObjectMeta metadata = lease.getMetadata();
        Map<?, ?> spec = spec(lease);
        Map<String, String> annotations =
                Objects.requireNonNullElse(metadata.getAnnotations(), Map.<String, String>of());
        String holder = cut(text(spec.get("holderIdentity")), LONGEST_WORD);
        long term = spec.get("leaseTransitions") instanceof Number transitions ? transitions.longValue() : 0;
        String set = annotations.getOrDefault(IN_SYNC, "");
        String renewal = annotations.getOrDefault(RENEWAL, "");
        Optional<SortedSet<Member>> members = members(set);
        boolean intact = members.isPresent()
                && NUMBER.matcher(renewal).matches()
                && annotations
                        .getOrDefault(CHECKSUM, "")
                        .equals(checksum(holder, term, micros(spec.get("renewTime")), set, renewal));
        return new ReplicationStoredRecord(
                version(metadata),
                intact
                        ? new InSyncRecord(
                                member(holder, members.orElseThrow()),
                                term,
                                members.orElseThrow(),
                                Long.parseLong(renewal))
                        : edited(holder, term, spec),
                intact);
    }

    /**
     * Returns what is accepted from a record that no replica of this release wrote. The renewal number is calculated
     * from the spec only, because a change of annotations does not show that the holder is alive.
     */
    private static InSyncRecord edited(String holder, long term, Map<?, ?> spec) {
        String renewal =
                cut(text(spec.get("renewTime")), LONGEST_WORD) + " " + cut(text(spec.get("acquireTime")), LONGEST_WORD);
        return new InSyncRecord(
                member(holder, new TreeSet<>()),
                term < 0 || term > HIGHEST_TERM ? 0 : term,
                new TreeSet<>(),
                Integer.toUnsignedLong(Objects.hash(holder, term, renewal)) >> 1);
    }

    private static Map<?, ?> spec(GenericKubernetesResource lease) {
        return lease.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec ? spec : Map.of();
    }

    private static @Nullable Member member(String identity, SortedSet<Member> members) {
        return identity.isEmpty()
                ? null
                : members.stream()
                        .filter(member -> member.identity().equals(identity))
                        .findFirst()
                        .orElseGet(() -> new Member(identity, ""));
    }

    /** Returns the in-sync set; empty if the text has another form or is too long. */
    private static Optional<SortedSet<Member>> members(String text) {
        SortedSet<Member> members = new TreeSet<>();
        if (text.length() > LONGEST_SET) {
            return Optional.empty();
        }
        for (String one : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            String[] words = one.split(" ", -1);
            if (words.length != 2 || !isName(words[0]) || !(words[1].isEmpty() || isName(words[1]))) {
                return Optional.empty();
            }
            members.add(new Member(words[0], words[1]));
        }
        return Optional.of(members);
    }

    private static boolean isName(String word) {
        return word.length() <= LONGEST_WORD && NAME.matcher(word).matches();
    }

    /** Writes the record into a Lease. The caller has already set the metadata with the version that is replaced. */
    static void write(InSyncRecord record, Instant now, GenericKubernetesResource lease) {
        Map<?, ?> former = spec(lease);
        Member holder = record.holder();
        String identity = holder == null ? "" : holder.identity();
        String time = MICROS.format(now.truncatedTo(ChronoUnit.MICROS));
        boolean sameHolder = identity.equals(former.get("holderIdentity"))
                && former.get("leaseTransitions") instanceof Number transitions
                && transitions.longValue() == record.term();
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("holderIdentity", identity);
        spec.put("leaseDurationSeconds", holder == null ? RELEASED_SECONDS : LEASE_SECONDS);
        spec.put("leaseTransitions", record.term());
        spec.put("acquireTime", sameHolder && former.get("acquireTime") instanceof String since ? since : time);
        spec.put("renewTime", time);
        lease.setAdditionalProperty("spec", spec);
        String set = record.inSync().stream()
                .map(member -> member.identity() + " " + member.address())
                .collect(Collectors.joining(","));
        String renewal = Long.toString(record.renewal());
        Map<String, String> annotations = new LinkedHashMap<>(
                Objects.requireNonNullElse(lease.getMetadata().getAnnotations(), Map.<String, String>of()));
        annotations.remove(SUCCESSOR);
        annotations.put(IN_SYNC, set);
        annotations.put(RENEWAL, renewal);
        annotations.put(CHECKSUM, checksum(identity, record.term(), micros(time), set, renewal));
        lease.getMetadata().setAnnotations(annotations);
    }

    private static String checksum(String holder, long term, long renewTime, String set, String renewal) {
        String all = String.join("\n", "1", holder, Long.toString(term), Long.toString(renewTime), set, renewal);
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(all.getBytes(UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns a time in microseconds, the precision of Kubernetes. Returns 0 if there is no readable time. */
    private static long micros(@Nullable Object time) {
        try {
            return time instanceof String text
                    ? ChronoUnit.MICROS.between(
                            Instant.EPOCH, OffsetDateTime.parse(text).toInstant())
                    : 0;
        } catch (DateTimeException | ArithmeticException unreadable) {
            return 0;
        }
    }

    /**
     * Returns the time at which the Lease ends by the clock of its holder: the last renewal plus the duration of the
     * Lease. Returns {@link Instant#MAX} if the Lease does not contain both.
     */
    static Instant endsByItsOwnWord(GenericKubernetesResource lease) {
        Map<?, ?> spec = spec(lease);
        long renewed = micros(spec.get("renewTime"));
        return renewed != 0 && spec.get("leaseDurationSeconds") instanceof Number seconds
                ? Instant.EPOCH
                        .plus(renewed, ChronoUnit.MICROS)
                        .plusSeconds(Math.clamp(seconds.longValue(), 0, LONGEST_DURATION_SECONDS))
                : Instant.MAX;
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text ? text : "";
    }

    private static String cut(String text, int most) {
        return text.substring(0, Math.min(most, text.length()));
    }
}
