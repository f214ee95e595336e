package dev.sluice.api;

import dev.sluice.record.BypassReport;

/** Keeps the newest report on bypassed pods and answers with it. Has one owner. */
public final class BypassApi {

    private BypassReport newest = BypassReport.NONE;

    public void keep(BypassReport report) {
        newest = report;
    }

    public ApiAnswer answer() {
        return ApiAnswer.of(BypassedDocument.of(newest));
    }
}
