package dev.sluice.bus;

import dev.sluice.bus.ClusterUsage.DevicesQuestion;
import dev.sluice.bus.ClusterUsage.DevicesReply;
import dev.sluice.bus.ClusterUsage.UsageQuestion;
import dev.sluice.metrics.PartNumbers;
import dev.sluice.tls.ServerTls;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.function.Function;

/** An address on the event bus where one verticle answers requests, one after the other. */
public record Service<Q, A>(String address) {

    /** The owner of the ledger decides about a pod and reserves what it takes. */
    public static final Service<DecideRequest, DecideReply> DECIDE = new Service<>("admission.decide");

    /** The usage of the cluster. */
    public static final Service<UsageQuestion, ClusterUsage> USAGE = new Service<>("cluster.usage");

    /** What the nodes have of each device, and what is taken of it. */
    public static final Service<DevicesQuestion, DevicesReply> DEVICES = new Service<>("cluster.devices");

    /**
     * Any one gateway changes what all of them serve with; the answer is the future of that change. Two may never do it
     * at once: Vert.x 5.0.12 then calls {@code updateSSLOptions} within itself until the stack is full.
     */
    public static final Service<ServerTls, Future<Boolean>> SERVE_TLS = new Service<>("tls.serve");

    /** The management port serves with it too, if it serves TLS; asked by {@link TlsChange} only. */
    public static final Service<ServerTls, Future<Boolean>> MANAGEMENT_TLS = new Service<>("tls.management");

    /** Each part of the gateway tells its numbers, at the address {@link #of} it. */
    public static final Service<ScrapeQuestion, PartNumbers> SCRAPE = new Service<>("metrics.scrape");

    /** Asks a part of the gateway for its numbers. */
    public record ScrapeQuestion() {}

    /** The webhook's timeoutSeconds is 3, so that the gateway can still answer in time when this has passed. */
    public static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final DeliveryOptions OPTIONS = new DeliveryOptions()
            .setLocalOnly(true)
            .setCodecName(ByReference.NAME)
            .setSendTimeout(PATIENCE.toMillis());

    /** The service of one of several that answer for themselves. */
    public Service<Q, A> of(String answerer) {
        return new Service<>(address + "." + answerer);
    }

    /** Fails if nobody answers within {@link #PATIENCE}. */
    public Future<A> ask(Vertx vertx, Q question) {
        return vertx.eventBus().<A>request(address, question, OPTIONS).map(Message::body);
    }

    /** Fails if nobody answers within {@link #PATIENCE} or before the deadline. */
    public Future<A> ask(Vertx vertx, Q question, Deadline deadline) {
        DeliveryOptions options = new DeliveryOptions(OPTIONS)
                .setSendTimeout(deadline.within(PATIENCE).leftMillis());
        return vertx.eventBus().<A>request(address, question, options).map(Message::body);
    }

    /** Answers when the future of the answer succeeds; if it fails, whoever asked is told so. */
    public void serveLater(Vertx vertx, Function<Q, Future<A>> answer) {
        vertx.eventBus()
                .<Q>localConsumer(
                        address,
                        message -> answer.apply(message.body())
                                .onSuccess(made -> message.reply(made, OPTIONS))
                                .onFailure(failed -> message.fail(0, String.valueOf(failed))));
    }

    /** The answer is made on the context of the caller. It must not throw, because then nobody is answered. */
    public void serve(Vertx vertx, Function<Q, A> answer) {
        vertx.eventBus().<Q>localConsumer(address, message -> message.reply(answer.apply(message.body()), OPTIONS));
    }
}
