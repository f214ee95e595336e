package dev.sluice.webhook.intake;

/** The limits that all gateway verticles of a process share. */
public record SharedLimits(
        Connections connections, MemoryBudget budget, BodyPiecePool pieces, ClientAbuseCounter abuse) {

    /** Creates limits for bodies of up to {@code mostBytes} and the heap of this process. */
    public static SharedLimits forWebhook(long mostBytes) {
        ClientAbuseCounter abuse = new ClientAbuseCounter();
        return new SharedLimits(
                new Connections(ConnectionLimits.WEBHOOK, abuse),
                MemoryBudget.of(Runtime.getRuntime().maxMemory(), mostBytes, abuse),
                new BodyPiecePool(),
                abuse);
    }
}
