package dev.sluice.api;

import dev.sluice.record.BypassCounts;

/**
 * Keeps the newest report about pods that bypassed the gateway, and creates the answer to a request for it. It is not
 * thread-safe.
 */
public final class BypassDocuments {

    private BypassCounts newest = BypassCounts.NONE;

    public void keep(BypassCounts report) {
        newest = report;
    }

    public DocumentResponse answer() {
        return DocumentResponse.of(BypassedDocument.of(newest));
    }
}
