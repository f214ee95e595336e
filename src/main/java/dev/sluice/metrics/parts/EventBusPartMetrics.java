package dev.sluice.metrics.parts;

import com.codahale.metrics.Counter;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.metrics.parts.EventBusPartMetrics.AddressNumbers;
import io.vertx.core.eventbus.Message;
import io.vertx.core.spi.metrics.EventBusMetrics;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the messages of the event bus by address. Vert.x creates a new address for the reply to each request; all
 * these addresses are counted together. This class is thread-safe.
 */
final class EventBusPartMetrics implements EventBusMetrics<AddressNumbers> {

    /**
     * The maximum number of addresses that are counted separately. It is larger than the number of topics and services
     * of the gateway.
     */
    private static final int MOST_ADDRESSES = 100;

    private static final String MADE_BY_VERTX = "__vertx";

    /** The counters of one address. */
    record AddressNumbers(Counter handlers, Counter pending, Counter sent, Counter received, Counter discarded) {

        static AddressNumbers of(MetricFamilies families, String address) {
            return new AddressNumbers(
                    families.counter(MetricName.BUS_HANDLERS, "address", address),
                    families.counter(MetricName.BUS_PENDING, "address", address),
                    families.counter(MetricName.BUS_SENT, "address", address),
                    families.counter(MetricName.BUS_RECEIVED, "address", address),
                    families.counter(MetricName.BUS_DISCARDED, "address", address));
        }
    }

    private final MetricFamilies families;
    private final Map<String, AddressNumbers> byAddress = new ConcurrentHashMap<>();
    private final AddressNumbers replies;
    private final AddressNumbers others;

    EventBusPartMetrics(MetricFamilies families) {
        this.families = families;
        this.replies = AddressNumbers.of(families, "(reply)");
        this.others = AddressNumbers.of(families, "(other)");
    }

    private AddressNumbers at(String address) {
        if (address.startsWith(MADE_BY_VERTX)) {
            return replies;
        }
        AddressNumbers known = byAddress.get(address);
        if (known != null) {
            return known;
        }
        return byAddress.size() < MOST_ADDRESSES
                ? byAddress.computeIfAbsent(address, one -> AddressNumbers.of(families, one))
                : others;
    }

    @Override
    public AddressNumbers handlerRegistered(String address) {
        AddressNumbers numbers = at(address);
        numbers.handlers.inc();
        return numbers;
    }

    @Override
    public void handlerUnregistered(AddressNumbers numbers) {
        numbers.handlers.dec();
    }

    @Override
    public void scheduleMessage(AddressNumbers numbers, boolean local) {
        numbers.pending.inc();
    }

    @Override
    public void messageDelivered(AddressNumbers numbers, boolean local) {
        numbers.pending.dec();
        numbers.received.inc();
    }

    @Override
    public void discardMessage(AddressNumbers numbers, boolean local, Message<?> message) {
        numbers.pending.dec();
        numbers.discarded.inc();
    }

    @Override
    public void messageSent(String address, boolean publish, boolean local, boolean remote) {
        at(address).sent.inc();
    }
}
