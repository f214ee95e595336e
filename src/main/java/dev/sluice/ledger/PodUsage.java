package dev.sluice.ledger;

import dev.sluice.quantity.Amounts;
import org.jspecify.annotations.Nullable;

/**
 * A pod that takes something.
 *
 * @param pod {@code namespace/name}
 * @param node where it is bound; null while it is not
 * @param tentative where it is expected until then; null while there is no room
 */
public record PodUsage(
        String pod, @Nullable String node, @Nullable String tentative, Amounts requests) {}
