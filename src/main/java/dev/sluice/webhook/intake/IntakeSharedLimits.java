package dev.sluice.webhook.intake;

/** The limits that all gateway verticles of a process share. */
public record IntakeSharedLimits(
        Connections connections, MemoryBudget budget, BodyPiecePool pieces, ClientAbuseCounter abuse) {

    /** Creates limits for bodies of up to {@code mostBytes} and the heap of this process. */
    public static IntakeSharedLimits forWebhook(long mostBytes) {
        ClientAbuseCounter abuse = new ClientAbuseCounter();
        return new IntakeSharedLimits(
                new Connections(ConnectionLimits.WEBHOOK, abuse),
                MemoryBudget.of(Runtime.getRuntime().maxMemory(), mostBytes, abuse),
                new BodyPiecePool(),
                abuse);
    }
}
