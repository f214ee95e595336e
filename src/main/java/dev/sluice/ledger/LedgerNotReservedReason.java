package dev.sluice.ledger;

/**
 * The reason why nothing is reserved for a decision. It names the memory limit that would be exceeded.
 *
 * @param cause a stable identifier of the limit, for metrics
 * @param reason a part of a sentence that explains the limit to people
 */
public record LedgerNotReservedReason(String cause, String reason) {

    public static final String NAMESPACE = "namespace";
    public static final String ALL = "all";
    static final String SIZE = "size";

    private static final long MIB = 1L << 20;

    static LedgerNotReservedReason ofNamespace(String namespace, int decisions, long bytes) {
        return new LedgerNotReservedReason(
                NAMESPACE,
                "namespace " + namespace + " has " + total(decisions, bytes)
                        + ", the most that one namespace may have");
    }

    static LedgerNotReservedReason inAll(String namespace, int decisions, long bytes) {
        return new LedgerNotReservedReason(
                ALL,
                "all namespaces have " + total(decisions, bytes) + ", the most there may be, and " + namespace
                        + " has most");
    }

    static LedgerNotReservedReason bySize(long most) {
        return new LedgerNotReservedReason(SIZE, "where it may run takes more than " + most / 1024 + " KiB to say");
    }

    private static String total(int decisions, long bytes) {
        return decisions + " pods on their way (" + (bytes + MIB - 1) / MIB + " MiB)";
    }
}
