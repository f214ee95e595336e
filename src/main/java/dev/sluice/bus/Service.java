package dev.sluice.bus;

import dev.sluice.bus.ClusterUsageReply.DevicesQuestion;
import dev.sluice.bus.ClusterUsageReply.DevicesReply;
import dev.sluice.bus.ClusterUsageReply.UsageQuestion;
import dev.sluice.bus.DocumentsReply.DecisionsQuestion;
import dev.sluice.bus.DocumentsReply.StatusQuestion;
import dev.sluice.bus.ForwardedReviewQuestion.PeerReviewReply;
import dev.sluice.bus.LedgerCopyReply.LedgerCopyQuestion;
import dev.sluice.metrics.PartMetricValues;
import dev.sluice.tls.ServerTls;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.function.Function;

/** A service on the event bus: an address where one verticle answers requests, one after the other. */
public record Service<Q, A>(String address) {

    /** The owner of the ledger decides about a pod and reserves its devices. */
    public static final Service<DecideRequest, DecideReply> DECIDE = new Service<>("admission.decide");

    /** The owner of the ledger returns the usage of the cluster. */
    public static final Service<UsageQuestion, ClusterUsageReply> USAGE = new Service<>("cluster.usage");

    /** The owner of the ledger returns the capacity and the usage of each device. */
    public static final Service<DevicesQuestion, DevicesReply> DEVICES = new Service<>("cluster.devices");

    /**
     * The owner of the ledger returns a copy of the ledger for explanations. Copying a large cluster takes
     * milliseconds, and the owner decides nothing during this time. Therefore callers must not ask often.
     */
    public static final Service<LedgerCopyQuestion, LedgerCopyReply> LEDGER_COPY = new Service<>("cluster.copy");

    /**
     * One of the gateway verticles of this process replaces the certificate for all of them. The reply is a future that
     * completes when the certificate is replaced. Only one change may run at a time, because Vert.x 5.0.12 would
     * otherwise call {@code updateSSLOptions} recursively until the stack overflows.
     */
    public static final Service<ServerTls, Future<Boolean>> SERVE_TLS = new Service<>("tls.serve");

    /**
     * The management port replaces its certificate, if it serves TLS. Only {@link TlsBusPublisher} may send this
     * request, because it ensures that only one change runs at a time.
     */
    public static final Service<ServerTls, Future<Boolean>> MANAGEMENT_TLS = new Service<>("tls.management");

    /** The peer verticle replaces the certificate that this replica presents to other replicas. */
    public static final Service<ServerTls, Future<Boolean>> PEER_TLS = new Service<>("tls.peers");

    /** The peer verticle sends a review to the replica that decides, and returns its answer. */
    public static final Service<ForwardQuestion, ForwardReply> FORWARD = new Service<>("peers.forward");

    /** One of the gateway verticles of this process answers a review that another replica has forwarded. */
    public static final Service<ForwardedReviewQuestion, PeerReviewReply> PEER_REVIEW = new Service<>("peers.review");

    /** The peer verticle asks all other replicas for their recent decisions. */
    public static final Service<DecisionsQuestion, DocumentsReply> PEER_DECISIONS = new Service<>("peers.decisions");

    /** The management verticle returns the recent decisions of this replica alone, for another replica. */
    public static final Service<DecisionsQuestion, Buffer> OWN_DECISIONS = new Service<>("peers.decisions.own");

    /** The peer verticle asks all other replicas for their status documents. */
    public static final Service<StatusQuestion, DocumentsReply> PEER_STATUS = new Service<>("peers.status");

    /** The management verticle returns the status document of this replica to another replica. */
    public static final Service<StatusQuestion, Buffer> OWN_STATUS = new Service<>("peers.status.own");

    /** The summary verticle returns the number of decisions for each namespace, fallback chain and outcome. */
    public static final Service<SummaryQuestion, SummaryReply> SUMMARY = new Service<>("records.summary");

    /**
     * A part of the gateway, such as the ledger, returns its metrics. {@link #of} adds the name of the part to the
     * address.
     */
    public static final Service<ScrapeQuestion, PartMetricValues> SCRAPE = new Service<>("metrics.scrape");

    /** Requests the metrics of a part of the gateway. */
    public record ScrapeQuestion() {}

    /**
     * The time limit for a reply. It is shorter than the timeoutSeconds of the webhook, which is 3, so that the gateway
     * can still answer the review.
     */
    public static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final DeliveryOptions OPTIONS = new DeliveryOptions()
            .setLocalOnly(true)
            .setCodecName(ByReferenceMessageCodec.NAME)
            .setSendTimeout(PATIENCE.toMillis());

    /**
     * Returns the service of the verticle {@code answerer}. Several verticles offer this service, so the address
     * contains the name of the verticle.
     */
    public Service<Q, A> of(String answerer) {
        return new Service<>(address + "." + answerer);
    }

    /** Sends a request. The future fails if there is no reply within {@link #PATIENCE}. */
    public Future<A> ask(Vertx vertx, Q question) {
        return vertx.eventBus().<A>request(address, question, OPTIONS).map(Message::body);
    }

    /**
     * Sends a request. The future fails if there is no reply within {@link #PATIENCE}, or by the deadline if that is
     * earlier.
     */
    public Future<A> ask(Vertx vertx, Q question, BusRequestDeadline deadline) {
        DeliveryOptions options = new DeliveryOptions(OPTIONS)
                .setSendTimeout(deadline.within(PATIENCE).leftMillis());
        return vertx.eventBus().<A>request(address, question, options).map(Message::body);
    }

    /**
     * Calls {@code answer} for each request, on the Vert.x context of the caller. The reply is sent when the future of
     * {@code answer} succeeds. If the future fails, the request fails.
     */
    public void serveLater(Vertx vertx, Function<Q, Future<A>> answer) {
        vertx.eventBus()
                .<Q>localConsumer(
                        address,
                        message -> answer.apply(message.body())
                                .onSuccess(made -> message.reply(made, OPTIONS))
                                .onFailure(failed -> message.fail(0, String.valueOf(failed))));
    }

    /**
     * Calls {@code answer} for each request, on the Vert.x context of the caller. {@code answer} must not throw an
     * exception, because the request would then get no reply.
     */
    public void serve(Vertx vertx, Function<Q, A> answer) {
        vertx.eventBus().<Q>localConsumer(address, message -> message.reply(answer.apply(message.body()), OPTIONS));
    }
}
