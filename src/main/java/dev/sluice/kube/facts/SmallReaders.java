package dev.sluice.kube.facts;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.doctor.facts.DraFacts.ClaimFacts;
import dev.sluice.doctor.facts.DraFacts.DeviceClassFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.QuotaFacts;
import dev.sluice.doctor.facts.QuotaFacts.QuotaScope;
import dev.sluice.kube.decode.NodeConstraintsDecoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads events, quotas, claims and classes. */
final class SmallReaders {

    private SmallReaders() {}

    /** Both forms: {@code v1} of kubelet and controllers, and what {@code events.k8s.io} makes of it. */
    public static EventFacts event(Fields item) throws MalformedItem {
        boolean core = item.has("involvedObject");
        Fields about = item.object(core ? "involvedObject" : "regarding");
        String namespace = about.text("namespace");
        return new EventFacts(
                about.text("apiVersion"),
                about.text("kind"),
                namespace.isEmpty() ? item.object("metadata").text("namespace") : namespace,
                about.text("name"),
                about.text("uid"),
                item.text("reason"),
                item.has("message") ? item.text("message") : item.text("note"),
                time(item),
                component(item));
    }

    @Nullable
    private static Instant time(Fields event) throws MalformedItem {
        Instant observed = event.object("series").time("lastObservedTime");
        if (observed != null) {
            return observed;
        }
        for (String name : List.of(
                "lastTimestamp",
                "deprecatedLastTimestamp",
                "eventTime",
                "firstTimestamp",
                "deprecatedFirstTimestamp")) {
            Instant time = event.time(name);
            if (time != null) {
                return time;
            }
        }
        return null;
    }

    private static String component(Fields event) throws MalformedItem {
        return firstOf(
                event.text("reportingComponent"),
                event.text("reportingController"),
                event.object("source").text("component"),
                event.object("deprecatedSource").text("component"));
    }

    private static String firstOf(String... texts) {
        return Stream.of(texts).filter(text -> !text.isEmpty()).findFirst().orElse("");
    }

    public static QuotaFacts quota(Fields item) throws MalformedItem {
        Fields status = item.object("status");
        Fields spec = item.object("spec");
        List<QuotaScope> scopes = new ArrayList<>();
        for (String scope : spec.strings("scopes")) {
            scopes.add(new QuotaScope(scope, "Exists", List.of()));
        }
        for (Fields match : spec.object("scopeSelector").list("matchExpressions")) {
            scopes.add(new QuotaScope(match.text("scopeName"), match.text("operator"), match.strings("values")));
        }
        return new QuotaFacts(
                item.object("metadata").text("namespace"),
                item.object("metadata").text("name"),
                quantities(status.has("hard") ? status : spec, "hard"),
                quantities(status, "used"),
                scopes);
    }

    private static Map<String, Quantity> quantities(Fields fields, String name) throws MalformedItem {
        Map<String, Quantity> quantities = new HashMap<>();
        for (Map.Entry<String, String> entry : fields.scalars(name).entrySet()) {
            quantities.put(
                    entry.getKey(),
                    Quantity.parse(entry.getValue())
                            .orElseThrow(() -> new MalformedItem(
                                    name + "." + entry.getKey() + " is not a quantity such as 1 or 2Gi")));
        }
        return quantities;
    }

    public static ClaimFacts claim(Fields item) throws MalformedItem {
        Fields status = item.object("status");
        List<String> users = new ArrayList<>();
        for (Fields user : status.list("reservedFor")) {
            users.add(user.text("name"));
        }
        return new ClaimFacts(
                item.object("metadata").text("namespace"),
                item.object("metadata").text("name"),
                classes(item.object("spec")),
                status.has("allocation") ? place(status.object("allocation")) : null,
                users);
    }

    /** The class stands in the request, since v1beta2 within {@code exactly} or the alternatives. */
    private static List<String> classes(Fields spec) throws MalformedItem {
        List<String> classes = new ArrayList<>();
        for (Fields request : spec.object("devices").list("requests")) {
            classes.add(request.text("deviceClassName"));
            classes.add(request.object("exactly").text("deviceClassName"));
            for (Fields alternative : request.list("firstAvailable")) {
                classes.add(alternative.text("deviceClassName"));
            }
        }
        classes.removeIf(String::isEmpty);
        return classes;
    }

    /** A node selector is written like the terms of a required node affinity. */
    private static NodeConstraints place(Fields allocation) throws MalformedItem {
        if (!allocation.has("nodeSelector")) {
            return NodeConstraints.NONE;
        }
        NodeConstraints[] read = {NodeConstraints.NONE};
        allocation.decode(cursor -> cursor.object("allocation", field -> {
            if (field.equals("nodeSelector")) {
                NodeConstraintsDecoder decoder = new NodeConstraintsDecoder(cursor);
                decoder.requiredTerms(field);
                read[0] = decoder.constraints();
            } else {
                cursor.skip();
            }
        }));
        return read[0];
    }

    public static DeviceClassFacts deviceClass(Fields item) throws MalformedItem {
        return new DeviceClassFacts(
                item.object("metadata").text("name"), item.object("spec").text("extendedResourceName"));
    }
}
