package dev.sluice.kube.facts;

import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.GpuVendor;
import dev.sluice.doctor.facts.Peers;
import dev.sluice.doctor.facts.PodGpuDemand;
import dev.sluice.doctor.facts.PodGpuDemand.ClaimUse;
import dev.sluice.doctor.facts.PodGpuDemand.UnlimitedRequest;
import dev.sluice.kube.decode.InternPool;
import dev.sluice.kube.decode.NodeConstraintsDecoder;
import dev.sluice.kube.decode.PodResourcesDecoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what a pod or a template asks for, by the decoders that admission uses. */
final class DemandReader {

    private final InternPool interned = new InternPool();

    /**
     * The ask of a pod, or of the template of one.
     *
     * @param status of the pod; without fields for a template
     */
    PodGpuDemand read(String namespace, Fields metadata, Fields spec, Fields status) throws MalformedItem {
        SpecParts parts = parts(spec);
        Peers peers = new PeersReader(namespace, metadata.scalars("labels")).read(spec);
        return new PodGpuDemand(
                interned.intern(namespace),
                metadata.scalars("labels"),
                parts.resources().total(),
                parts.constraints().constraints(),
                peers,
                interned.intern(spec.text("schedulerName")),
                gates(spec),
                claims(spec, status),
                spec.number("priority", PodGpuDemand.UNKNOWN_PRIORITY),
                spec.text("priorityClassName"),
                spec.has("activeDeadlineSeconds"),
                unlimited(spec));
    }

    private record SpecParts(NodeConstraintsDecoder constraints, PodResourcesDecoder resources) {}

    /** In one pass, as for the pods that the gateway watches. */
    private SpecParts parts(Fields spec) throws MalformedItem {
        SpecParts[] parts = new SpecParts[1];
        spec.decode(cursor -> {
            NodeConstraintsDecoder constraints = new NodeConstraintsDecoder(cursor);
            PodResourcesDecoder resources = new PodResourcesDecoder(cursor, interned);
            parts[0] = new SpecParts(constraints, resources);
            cursor.object("spec", field -> {
                switch (field) {
                    case "nodeName", "nodeSelector", "affinity", "tolerations" -> constraints.specField(field);
                    default -> resources.specField(field);
                }
            });
        });
        return parts[0];
    }

    private static List<String> gates(Fields spec) throws MalformedItem {
        List<String> gates = new ArrayList<>();
        for (Fields gate : spec.list("schedulingGates")) {
            gates.add(gate.text("name"));
        }
        return gates;
    }

    /** The name of a generated claim stands in the status; an entry without one says that no claim was needed. */
    private static List<ClaimUse> claims(Fields spec, Fields status) throws MalformedItem {
        Map<String, String> generated = new HashMap<>();
        for (Fields claim : status.list("resourceClaimStatuses")) {
            generated.put(claim.text("name"), claim.text("resourceClaimName"));
        }
        List<ClaimUse> uses = new ArrayList<>();
        for (Fields reference : spec.list("resourceClaims")) {
            String name = reference.text("name");
            String claim = reference.text("resourceClaimName");
            String source = claim.isEmpty() ? reference.object("source").text("resourceClaimName") : claim;
            String known = source.isEmpty() ? generated.getOrDefault(name, "") : source;
            boolean needed = !source.isEmpty() || !known.isEmpty() || !generated.containsKey(name);
            if (needed) {
                uses.add(new ClaimUse(name, known.isEmpty() ? null : known));
            }
        }
        return uses;
    }

    private static List<UnlimitedRequest> unlimited(Fields spec) throws MalformedItem {
        List<UnlimitedRequest> unlimited = new ArrayList<>();
        for (String kind : List.of("initContainers", "containers")) {
            for (Fields container : spec.list(kind)) {
                Fields resources = container.object("resources");
                Map<String, String> limits = resources.scalars("limits");
                resources.scalars("requests").forEach((resource, requested) -> {
                    @Nullable String limit = limits.get(resource);
                    if (GpuVendor.isGpu(new ResourceName(resource)) && differ(requested, limit)) {
                        unlimited.add(new UnlimitedRequest(
                                container.json().path("name").asText(), resource, requested, limit));
                    }
                });
            }
        }
        return unlimited;
    }

    /** A request of 0 needs no limit. */
    private static boolean differ(String requested, @Nullable String limit) {
        Optional<Quantity> asked = Quantity.parse(requested);
        return limit == null
                ? asked.filter(quantity -> !quantity.isZero()).isPresent()
                : !asked.equals(Quantity.parse(limit));
    }
}
