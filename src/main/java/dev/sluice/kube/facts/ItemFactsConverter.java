package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.dra.ResourceSlice;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.facts.DraFacts;
import dev.sluice.doctor.facts.DraFacts.ClaimFacts;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.doctor.facts.PodDemandFacts.ClaimUse;
import dev.sluice.doctor.facts.PodDemandFacts.UnlimitedRequest;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.json.JsonCursor;
import dev.sluice.kube.decode.DecodedObject;
import dev.sluice.kube.decode.DecodedValuePool;
import dev.sluice.kube.decode.DraDecoders;
import dev.sluice.kube.decode.NodeConstraintsDecoder;
import dev.sluice.kube.decode.NodeDecoder;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.kube.decode.ObjectDecoder;
import dev.sluice.kube.decode.PodResourcesDecoder;
import dev.sluice.kube.facts.PodItem.ClaimStatusItem;
import dev.sluice.kube.facts.PodSpecItem.ClaimReferenceItem;
import dev.sluice.kube.facts.PodSpecItem.ContainerItem;
import dev.sluice.kube.facts.PodSpecItem.GateItem;
import dev.sluice.kube.facts.PodSpecItem.ResourcesItem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts nodes, pods, owners and claims into the facts that a diagnosis needs. It writes each record as JSON tokens
 * and passes the tokens to the decoders of the gateway, so that a diagnosis and the gateway interpret objects in the
 * same way. This class is not thread-safe.
 */
final class ItemFactsConverter {

    private final DecodedValuePool interned = new DecodedValuePool();
    private final NodeDecoder nodes = new NodeDecoder();

    NodeFacts node(NodeItem item) throws MalformedItem {
        Node node = decoded(item);
        boolean hasCapacity = item.status().capacity() != null;
        boolean hasAllocatable = item.status().allocatable() != null;
        return new NodeFacts(
                // If only the capacity or only Allocatable is present, its value is used for both, as in the API server
                // (SetDefaults_NodeStatus).
                new Node(
                        node.name(),
                        node.labels(),
                        node.taints(),
                        node.unschedulable(),
                        hasCapacity ? node.capacity() : node.allocatable(),
                        hasAllocatable ? node.allocatable() : node.capacity(),
                        node.resourceVersion()),
                hasCapacity || hasAllocatable,
                item.ready(),
                FactTimeText.parsed(item.metadata().migLabelled()),
                item.deviceCondition(),
                item.osImage());
    }

    private Node decoded(NodeItem item) throws MalformedItem {
        return withTokens(item, parser -> switch (nodes.decode(parser)) {
            case ObjectDecodeResult.Found<Node> found -> found.value();
            case ObjectDecodeResult.Malformed<Node> malformed ->
                throw new MalformedItem(malformed.problem().replaceFirst("^node [^:]*: ", ""));
            case ObjectDecodeResult.Ended<Node> _, ObjectDecodeResult.OtherKind<Node> _ ->
                throw new MalformedItem("it is no node");
        });
    }

    PodFacts pod(PodItem pod) throws MalformedItem {
        ItemMeta metadata = pod.metadata();
        return new PodFacts(
                metadata.name(),
                metadata.uid(),
                demand(metadata.namespace(), metadata, pod.spec(), pod.status().resourceClaimStatuses()),
                metadata.owner(),
                pod.spec().nodeName(),
                pod.status().nominatedNodeName(),
                pod.state(),
                pod.spec().schedulers(),
                pod.unscheduled(),
                pod.image(),
                pod.spec().runtimeClassName(),
                pod.spec().volumeClaims(metadata.name()));
    }

    PodDemandFacts template(WorkloadItem owner) throws MalformedItem {
        return demand(
                owner.metadata().namespace(),
                owner.spec().template().metadata(),
                owner.spec().template().spec(),
                List.of());
    }

    private PodDemandFacts demand(
            String namespace, ItemMeta metadata, PodSpecItem spec, List<ClaimStatusItem> generatedClaims)
            throws MalformedItem {
        SpecParts parts = parts(spec);
        return new PodDemandFacts(
                interned.intern(namespace),
                metadata.labels(),
                parts.resources().total(),
                parts.constraints().constraints(),
                new FactPeersReader(namespace, metadata.labels()).read(spec),
                interned.intern(spec.schedulerName()),
                spec.schedulingGates().stream().map(GateItem::name).toList(),
                claims(spec.resourceClaims(), generatedClaims),
                spec.priority() == null ? PodDemandFacts.UNKNOWN_PRIORITY : spec.priority(),
                spec.priorityClassName(),
                spec.activeDeadlineSeconds() != null,
                unlimited(spec),
                podLevel(spec.resources()),
                FactAnnotationsReader.share(metadata.annotations()),
                ofOneContainer(spec));
    }

    private record SpecParts(NodeConstraintsDecoder constraints, PodResourcesDecoder resources) {}

    /** Reads constraints and resources in one pass, as the gateway does for the pods that it watches. */
    private SpecParts parts(PodSpecItem spec) throws MalformedItem {
        return withTokens(spec, parser -> {
            JsonCursor cursor = new JsonCursor(parser);
            NodeConstraintsDecoder constraints = new NodeConstraintsDecoder(cursor);
            PodResourcesDecoder resources = new PodResourcesDecoder(cursor, interned);
            cursor.object("spec", field -> {
                switch (field) {
                    case "nodeName", "nodeSelector", "affinity", "tolerations" -> constraints.specField(field);
                    default -> resources.specField(field);
                }
            });
            require(cursor);
            return new SpecParts(constraints, resources);
        });
    }

    /**
     * Returns the DeviceClass in the form that the gateway uses. Returns empty if the object has an older version of
     * the API, in which DeviceClasses have no {@code extendedResourceName}.
     */
    Optional<DeviceClass> deviceClass(DeviceClassItem item) throws MalformedItem {
        return stored(item, item.apiVersion(), DraDecoders.classes());
    }

    /**
     * Returns the ResourceSlice in the form that the gateway uses; empty for a version of the API that the gateway does
     * not read.
     */
    Optional<ResourceSlice> slice(SliceItem item) throws MalformedItem {
        return stored(item, item.apiVersion(), DraDecoders.slices());
    }

    /**
     * Returns the claim with its devices, in the form that the gateway uses; empty for a version of the API that the
     * gateway does not read.
     */
    Optional<ResourceClaim> devices(ClaimItem item) throws MalformedItem {
        return stored(item, item.apiVersion(), DraDecoders.claims());
    }

    private static <T> Optional<T> stored(ClusterItem item, String apiVersion, ObjectDecoder<DecodedObject<T>> decoder)
            throws MalformedItem {
        if (!apiVersion.isEmpty() && !apiVersion.equals("resource.k8s.io/v1")) {
            return Optional.empty();
        }
        return withTokens(item, parser -> switch (decoder.decode(parser)) {
            case ObjectDecodeResult.Found<DecodedObject<T>> found ->
                Optional.of(found.value().value());
            case ObjectDecodeResult.Malformed<DecodedObject<T>> malformed ->
                throw new MalformedItem(malformed.problem());
            case ObjectDecodeResult.Ended<DecodedObject<T>> _, ObjectDecodeResult.OtherKind<DecodedObject<T>> _ ->
                Optional.empty();
        });
    }

    ClaimFacts claim(ClaimItem claim) throws MalformedItem {
        return new ClaimFacts(
                claim.metadata().namespace(),
                claim.metadata().name(),
                claim.classes(),
                claim.requests(),
                claim.equalAttributes(),
                place(claim),
                claim.users(),
                claim.metadata().changed());
    }

    /** Returns the nodes on which the claim can be used; null if it is not allocated. */
    @Nullable
    private static NodeConstraints place(ClaimItem claim) throws MalformedItem {
        ClaimItem.AllocationItem allocation = claim.allocation();
        if (allocation == null || allocation.nodeSelector() == null) {
            return allocation == null ? null : NodeConstraints.NONE;
        }
        return withTokens(allocation.nodeSelector(), parser -> {
            JsonCursor cursor = new JsonCursor(parser);
            NodeConstraintsDecoder decoder = new NodeConstraintsDecoder(cursor);
            decoder.requiredTerms("nodeSelector");
            require(cursor);
            return decoder.constraints();
        });
    }

    private interface TokenUser<T> {
        T use(JsonParser parser) throws IOException, MalformedItem;
    }

    private static <T> T withTokens(Object written, TokenUser<T> user) throws MalformedItem {
        try (TokenBuffer tokens = new TokenBuffer(ItemJson.MAPPER, /* hasNativeIds= */ false)) {
            ItemJson.MAPPER.writeValue(tokens, written);
            try (JsonParser parser = tokens.asParser()) {
                parser.nextToken();
                return user.use(parser);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException("reading from memory failed", impossible);
        }
    }

    private static void require(JsonCursor cursor) throws MalformedItem {
        if (cursor.problem().isPresent()) {
            throw new MalformedItem(cursor.problem().get());
        }
    }

    /**
     * Returns the claims that a pod uses. The names of generated claims are in the status. A reference is left out if
     * its entry in the status has no claim name, because the pod then needs no claim.
     */
    private static List<ClaimUse> claims(List<ClaimReferenceItem> references, List<ClaimStatusItem> statuses) {
        Map<String, String> generated = new HashMap<>();
        statuses.forEach(status -> generated.put(status.name(), status.resourceClaimName()));
        List<ClaimUse> uses = new ArrayList<>();
        for (ClaimReferenceItem reference : references) {
            String source = reference.claim();
            String known = source.isEmpty() ? generated.getOrDefault(reference.name(), "") : source;
            if (!known.isEmpty() || !generated.containsKey(reference.name())) {
                uses.add(new ClaimUse(reference.name(), known.isEmpty() ? null : known));
            }
        }
        return uses;
    }

    private static List<String> podLevel(@Nullable ResourcesItem resources) {
        return resources == null
                ? List.of()
                : Stream.of(resources.limits(), resources.requests())
                        .filter(Objects::nonNull)
                        .flatMap(amounts -> amounts.keySet().stream())
                        .filter(name -> GpuVendor.isGpu(new ResourceName(name)))
                        .distinct()
                        .sorted()
                        .toList();
    }

    /** Returns for each resource the largest number of devices that a single container of the spec asks for. */
    private static Amounts ofOneContainer(PodSpecItem spec) {
        Map<ResourceName, Quantity> most = new HashMap<>();
        Stream.of(spec.initContainers(), spec.containers())
                .flatMap(List::stream)
                .flatMap(container -> Stream.ofNullable(container.resources()))
                .flatMap(resources -> Stream.of(resources.requests(), resources.limits()))
                .filter(Objects::nonNull)
                .forEach(amounts -> amounts.forEach((name, amount) -> {
                    ResourceName resource = new ResourceName(name);
                    if (DraFacts.isDevice(resource)) {
                        Quantity.parse(amount)
                                .ifPresent(quantity -> most.merge(
                                        resource, quantity, (one, other) -> one.compareTo(other) < 0 ? other : one));
                    }
                }));
        return most.isEmpty() ? Amounts.NONE : Amounts.of(most);
    }

    private static List<UnlimitedRequest> unlimited(PodSpecItem spec) {
        List<UnlimitedRequest> unlimited = new ArrayList<>();
        Stream.of(spec.initContainers(), spec.containers())
                .flatMap(List::stream)
                .forEach(container -> unlimited(container, unlimited));
        return unlimited;
    }

    private static void unlimited(ContainerItem container, List<UnlimitedRequest> unlimited) {
        if (container.resources() == null || container.resources().requests() == null) {
            return;
        }
        Map<String, String> limits = container.resources().limits();
        container.resources().requests().forEach((resource, requested) -> {
            @Nullable String limit = limits == null ? null : limits.get(resource);
            if (GpuVendor.isGpu(new ResourceName(resource)) && differ(requested, limit)) {
                unlimited.add(new UnlimitedRequest(container.name(), resource, requested, limit));
            }
        });
    }

    /** Returns true if the limit differs from the request. A request of 0 and a missing limit do not differ. */
    private static boolean differ(String requested, @Nullable String limit) {
        Optional<Quantity> asked = Quantity.parse(requested);
        return limit == null
                ? asked.filter(quantity -> !quantity.isZero()).isPresent()
                : !asked.equals(Quantity.parse(limit));
    }
}
