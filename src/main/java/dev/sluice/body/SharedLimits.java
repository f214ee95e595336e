package dev.sluice.body;

import dev.sluice.connection.AbuseCounter;
import dev.sluice.connection.ConnectionLimits;
import dev.sluice.connection.Connections;

/** What all gateways of a process share of what comes in over their port. */
public record SharedLimits(Connections connections, MemoryBudget budget, AbuseCounter abuse) {

    /** For bodies of up to {@code mostBytes} and this process' heap. */
    public static SharedLimits forWebhook(long mostBytes) {
        AbuseCounter abuse = new AbuseCounter();
        return new SharedLimits(
                new Connections(ConnectionLimits.WEBHOOK, abuse),
                MemoryBudget.of(Runtime.getRuntime().maxMemory(), mostBytes, abuse),
                abuse);
    }
}
