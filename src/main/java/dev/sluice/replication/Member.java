package dev.sluice.replication;

import java.util.Comparator;

/**
 * One process of the gateway, as other replicas know it. A process that restarts has lost its entries, so it is a
 * different member.
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
