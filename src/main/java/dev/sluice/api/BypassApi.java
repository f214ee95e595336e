package dev.sluice.api;

import dev.sluice.record.BypassReport;

/**
 * Keeps the newest report about pods that bypassed the gateway, and creates the answer to a request for it. It is not
 * thread-safe.
 */
public final class BypassApi {

    private BypassReport newest = BypassReport.NONE;

    public void keep(BypassReport report) {
        newest = report;
    }

    public ApiAnswer answer() {
        return ApiAnswer.of(BypassedDocument.of(newest));
    }
}
