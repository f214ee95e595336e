package dev.sluice.body;

import dev.sluice.connection.Causes;
import dev.sluice.connection.ConnectionLimits;
import dev.sluice.connection.Connections;

/** What all gateways of a process share of what comes in over their port. */
public record Intake(Connections connections, MemoryBudget budget, Causes causes) {

    /** For bodies of up to {@code mostBytes} and this process' heap. */
    public static Intake forWebhook(long mostBytes) {
        Causes causes = new Causes();
        return new Intake(
                new Connections(ConnectionLimits.WEBHOOK, causes),
                MemoryBudget.of(Runtime.getRuntime().maxMemory(), mostBytes, causes),
                causes);
    }
}
