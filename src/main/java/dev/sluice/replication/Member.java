package dev.sluice.replication;

import java.util.Comparator;

/**
 * One process of the gateway, as the others know it. A process that starts again has an empty memory, so it is another
 * member.
 *
 * @param identity the name of the pod and a number that no other process has
 * @param address where other replicas reach it
 */
public record Member(String identity, String address) implements Comparable<Member> {

    private static final Comparator<Member> ORDER =
            Comparator.comparing(Member::identity).thenComparing(Member::address);

    @Override
    public int compareTo(Member other) {
        return ORDER.compare(this, other);
    }
}
