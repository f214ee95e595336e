package dev.sluice.management;

import dev.sluice.api.BypassDocuments;
import dev.sluice.metrics.parts.Scrape;
import java.util.List;
import java.util.Optional;

/**
 * Holds the parts of the gateway that create the answers of the management port.
 *
 * @param watched the deployment ids of the verticles whose event loops must respond, so that {@code /livez} succeeds
 */
record ManagementPages(
        Readiness readiness,
        RateLimitedApi api,
        CapacityApi capacity,
        FleetApi fleet,
        EventStream events,
        BypassDocuments bypassed,
        Optional<ExplainApi> explanations,
        Scrape scrape,
        List<String> watched) {}
