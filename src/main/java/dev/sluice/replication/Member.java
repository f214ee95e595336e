package dev.sluice.replication;

import java.util.Comparator;

/**
 * Identifies one process of the gateway to other replicas. A restarted process is a different member, because it has
 * lost its entries.
 *
 * @param identity the name of the pod and a number that no other process has
 * @param address the address at which other replicas reach the process
 */
public record Member(String identity, String address) implements Comparable<Member> {

    private static final Comparator<Member> ORDER =
            Comparator.comparing(Member::identity).thenComparing(Member::address);

    @Override
    public int compareTo(Member other) {
        return ORDER.compare(this, other);
    }
}
