package dev.sluice.webhook;

import dev.sluice.bus.BusRequestDeadline;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A review that another replica may have to decide.
 *
 * @param uid the uid that the answer must have
 * @param bytes the AdmissionReview as the API server sent it
 * @param deadline the time by which the answer must be sent
 * @param isAbandoned a function that returns true if no caller waits for the answer any more
 * @param decision a function that tries again to decide in this process. Its future fails with a
 *     {@link GatewayMustForwardException} if another replica decides
 */
record GatewayForwardableReview(
        String uid,
        Buffer bytes,
        BusRequestDeadline deadline,
        BooleanSupplier isAbandoned,
        Supplier<Future<GatewayReviewAnswer>> decision) {}
