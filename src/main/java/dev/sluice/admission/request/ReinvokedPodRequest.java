package dev.sluice.admission.request;

import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pod that Sluice has changed and that the API server sends again within the same request, because another plugin or
 * webhook has changed the pod after Sluice. Sluice then decides again about the original request of the pod.
 *
 * @param stored the pod as it is now
 * @param asked the pod with its original request, and with everything that other plugins and webhooks have added since
 *     the first decision
 * @param earlier the replacements of the first decision
 * @param restored for each replacement, the containers that get back their original resource
 * @param writtenBack for each replacement, the containers in which another webhook has already restored the original
 *     resource
 * @param undone true if the annotation that lists the replacements must be removed
 */
public record ReinvokedPodRequest(
        PodRequest stored,
        PodRequest asked,
        List<PodRequestReplacement> earlier,
        Map<PodRequestReplacement, List<ContainerRequest>> restored,
        Map<PodRequestReplacement, List<ContainerRequest>> writtenBack,
        boolean undone) {

    /**
     * The maximum number of replacements that are parsed. Sluice never makes more replacements, so a longer list is not
     * from Sluice.
     */
    private static final int MOST_MOVES = 256;

    /**
     * Restores the original request of a pod that has the annotation with the replacements of the first decision.
     * Returns empty if Sluice has not changed the pod in this request. The annotation alone is no proof of a change,
     * because the author of the pod may have written it.
     */
    public static Optional<ReinvokedPodRequest> of(PodRequest pod, NamespacePolicy policy) {
        PodRequestAuthoredFields authored = pod.authored();
        String fallback = pod.annotations().values().get(PodRequestAnnotations.FALLBACK);
        if (fallback == null || authored == null) {
            return Optional.empty();
        }
        FallbackChains chains = policy.policy().chains();
        List<PodRequestReplacement> earlier = PodRequestReplacement.parse(fallback, MOST_MOVES).stream()
                .filter(move -> chains.after(move.asked()).contains(move.given()))
                .toList();
        return new Restoration(pod, authored, earlier, policy.limits(), /* listed= */ true).look();
    }

    /**
     * Restores the original request of a pod that has no valid annotation with the replacements. This method assumes
     * that another webhook has removed or overwritten the annotation, and has added the original resource again. The
     * new resource is then removed, so that the quantity does not count twice. The assumption may be wrong, because
     * another webhook may have added the new resource.
     */
    public static Optional<ReinvokedPodRequest> supposed(PodRequest pod, NamespacePolicy policy) {
        PodRequestAuthoredFields authored = pod.authored();
        if (authored == null || Objects.equals(pod.annotations().fallbackMode(), "keep")) {
            return Optional.empty();
        }
        List<PodRequestReplacement> moves = unlistedMoves(pod, authored, policy);
        return new Restoration(pod, authored, moves, policy.limits(), /* listed= */ false).look();
    }

    /**
     * Returns the replacements that Sluice has probably made, although no annotation lists them. Such a replacement is
     * assumed if the author requested a resource, and a container has a fallback of this resource that neither the
     * author nor LimitRanger wrote. A fallback that a LimitRange mentions is skipped, because it may be a default of
     * the LimitRange.
     */
    private static List<PodRequestReplacement> unlistedMoves(
            PodRequest pod, PodRequestAuthoredFields authored, NamespacePolicy policy) {
        Map<ResourceName, PodRequestReplacement> moves = new TreeMap<>();
        for (ContainerRequest container : pod.containers()) {
            for (ResourceName asked : authored.resourcesOf(container)) {
                Optional<ResourceName> given = policy.policy().chains().after(asked).stream()
                        .filter(name -> !policy.limits().mention(name))
                        .filter(name -> isAddedByAWebhook(name, container, pod, authored))
                        .findFirst();
                if (given.isPresent() && moves.size() < MOST_MOVES) {
                    moves.putIfAbsent(asked, new PodRequestReplacement(asked, given.get()));
                }
            }
        }
        return List.copyOf(moves.values());
    }

    /** Returns true if neither the author nor LimitRanger has written the resource into the container. */
    private static boolean isAddedByAWebhook(
            ResourceName name, ContainerRequest container, PodRequest pod, PodRequestAuthoredFields authored) {
        return !container.asked(name).isZero()
                && !authored.wrote(container, name)
                && !pod.annotations().limitRanger().contains(name.value());
    }

    /** Undoes the replacements of the first decision in each container. */
    private static final class Restoration {

        private final PodRequest pod;
        private final PodRequestAuthoredFields authored;
        private final List<PodRequestReplacement> earlier;
        private final NamespaceLimits limits;
        private final boolean listed;
        /** The original requests of the containers; null if they have to be read from managedFields. */
        private final @Nullable FirstPodRequest first;

        private final Map<PodRequestReplacement, List<ContainerRequest>> restored = new LinkedHashMap<>();
        private final Map<PodRequestReplacement, List<ContainerRequest>> writtenBack = new LinkedHashMap<>();
        /**
         * True if Sluice has changed the pod. The annotation with the replacements proves the change if the author did
         * not write the annotation. Otherwise the proof is the annotation with the first request, or a new resource
         * that the author did not request. If no annotation lists the replacements, the field is always true.
         */
        private final boolean isOurs;

        /** @param listed true if the replacements are from the annotation */
        Restoration(
                PodRequest pod,
                PodRequestAuthoredFields authored,
                List<PodRequestReplacement> earlier,
                NamespaceLimits limits,
                boolean listed) {
            this.pod = pod;
            this.authored = authored;
            this.earlier = earlier;
            this.limits = limits;
            this.listed = listed;
            this.first = listed
                    ? FirstPodRequest.parse(pod.annotations().values().getOrDefault(PodRequestAnnotations.ASKED, ""))
                            .orElse(null)
                    : null;
            this.isOurs = !listed
                    || first != null
                    || !authored.fallback()
                    || pod.containers().stream()
                            .anyMatch(container -> earlier.stream()
                                    .anyMatch(move ->
                                            !container.asked(move.given()).isZero()
                                                    && authored.wrote(container, move.asked())
                                                    && !wroteGiven(container, move)));
        }

        Optional<ReinvokedPodRequest> look() {
            List<ContainerRequest> asked = new ArrayList<>(pod.containers().size());
            if (first != null) {
                pod.containers().forEach(container -> asked.add(asAtFirst(container, first)));
                return Optional.of(new ReinvokedPodRequest(
                        pod, pod.with(asked), earlier, restored, writtenBack, /* undone= */ true));
            }
            // Either all containers get their original request back, or none of them.
            boolean undone = pod.containers().stream().allMatch(this::canBeUndone);
            for (ContainerRequest container : pod.containers()) {
                asked.add(asked(container, undone));
            }
            // The annotation with the replacements must be removed if no replacement remains in the pod, or if another
            // webhook has restored an original resource. In the second case a later review could not use the
            // annotation, because it does not contain the restored amounts.
            boolean isNothingLeft = undone
                    || !writtenBack.isEmpty()
                    || asked.stream()
                            .allMatch(container -> earlier.stream()
                                    .allMatch(move ->
                                            container.asked(move.given()).isZero()));
            return writtenBack.isEmpty() && (restored.isEmpty() || !listed)
                    ? Optional.empty()
                    : Optional.of(new ReinvokedPodRequest(
                            pod, pod.with(asked), earlier, restored, writtenBack, isNothingLeft));
        }

        /**
         * Returns the container with its original request and with the resources that other webhooks have added since.
         * If another webhook has written a replaced resource again, the resource counts only once.
         */
        private ContainerRequest asAtFirst(ContainerRequest container, FirstPodRequest original) {
            Map<ResourceName, Quantity> asked = new HashMap<>();
            for (PodRequestReplacement move : earlier) {
                for (ResourceName name : List.of(move.asked(), move.given())) {
                    Quantity now = container.asked(name);
                    Quantity atFirst = Quantity.of(original.of(container, name) + added(container, name, original));
                    if (!now.equals(atFirst)) {
                        asked.put(name, atFirst);
                    }
                }
                if (original.of(container, move.asked()) > 0) {
                    boolean isBack = isBack(container, move) || isSetBack(container, move.given(), original);
                    (isBack ? writtenBack : restored)
                            .computeIfAbsent(move, _ -> new ArrayList<>())
                            .add(container);
                }
            }
            return container.with(written(container.limits(), asked), written(container.requests(), asked));
        }

        /**
         * Returns true if Sluice had enlarged the quantity that the author requested, and another webhook has set it to
         * the original quantity again.
         */
        private boolean isSetBack(ContainerRequest container, ResourceName name, FirstPodRequest original) {
            long atFirst = original.of(container, name);
            return authored.wrote(container, name)
                    && container.asked(name).value() == atFirst
                    && made(container, name, original) > atFirst;
        }

        /**
         * Returns the amount of the resource that other webhooks have added since the first review. The amount is
         * negative if they have removed some.
         */
        private long added(ContainerRequest container, ResourceName name, FirstPodRequest original) {
            long atFirst = original.of(container, name);
            long now = container.asked(name).value();
            long made = made(container, name, original);
            // If the quantity is the original one again, a webhook has only written it a second time and added nothing.
            boolean isWrittenAgain = now == atFirst || (isReplaced(name) && made == 0 && atFirst > 0);
            return isWrittenAgain ? 0 : Math.max(-atFirst, now - made);
        }

        /** Returns the quantity of the resource after the first decision. */
        private long made(ContainerRequest container, ResourceName name, FirstPodRequest original) {
            long made = isReplaced(name) ? 0 : original.of(container, name);
            for (PodRequestReplacement move : earlier) {
                made += move.given().equals(name) ? original.of(container, move.asked()) : 0;
            }
            return made;
        }

        private boolean isReplaced(ResourceName name) {
            return earlier.stream().anyMatch(move -> move.asked().equals(name));
        }

        private boolean canBeUndone(ContainerRequest container) {
            return earlier.stream()
                    .allMatch(move -> !wasMade(container, move) || isWhole(container, move) || isBack(container, move));
        }

        private ContainerRequest asked(ContainerRequest container, boolean undone) {
            Map<ResourceName, Quantity> asked = new HashMap<>();
            for (PodRequestReplacement move : earlier) {
                boolean isBack = isBack(container, move);
                boolean isWhole = isWhole(container, move);
                Quantity given = container.asked(move.given());
                Quantity wanted = container.asked(move.asked());
                // One replacement can add a resource that another replacement removes, so an earlier iteration of this
                // loop may have changed this amount already.
                Quantity left = asked.getOrDefault(move.given(), given);
                boolean isSupposedInVain = !listed && left.compareTo(wanted) < 0;
                if (!wasMade(container, move) || isSupposedInVain || !(isBack || (undone && isWhole))) {
                    continue;
                }
                (isBack ? writtenBack : restored)
                        .computeIfAbsent(move, _ -> new ArrayList<>())
                        .add(container);
                if (given.isZero()) {
                    continue;
                }
                Quantity returned = isWhole ? given : left.compareTo(wanted) < 0 ? left : wanted;
                asked.put(move.given(), minus(left, returned));
                Quantity before = isBack ? Quantity.ZERO : wanted;
                asked.put(move.asked(), plus(asked.getOrDefault(move.asked(), before), returned));
            }
            return asked.isEmpty()
                    ? container
                    : container.with(written(container.limits(), asked), written(container.requests(), asked));
        }

        /**
         * Returns true if Sluice made this replacement in the container. The author must have requested the original
         * resource, and the container must have the new resource, or the original resource again. If
         * {@code managedFields} show no request at all, it is enough that the container has the new resource. This
         * method is not called if an annotation contains the first request.
         */
        private boolean wasMade(ContainerRequest container, PodRequestReplacement move) {
            boolean isThere = !container.asked(move.given()).isZero();
            return authored.showRequests()
                    ? isOurs
                            && authored.wrote(container, move.asked())
                            && (listed || !authored.wrote(container, move.given()))
                            && (isThere || isBack(container, move))
                    : isOurs && isThere;
        }

        /** Returns true if the container has the original resource again, although the replacement had removed it. */
        private boolean isBack(ContainerRequest container, PodRequestReplacement move) {
            return !container.asked(move.asked()).isZero()
                    && earlier.stream().noneMatch(other -> other.given().equals(move.asked()));
        }

        /**
         * Returns true if it is certain that the whole amount of the new resource in this container comes from this
         * replacement.
         */
        private boolean isWhole(ContainerRequest container, PodRequestReplacement move) {
            return listed
                    && authored.wrote(container, move.asked())
                    && !wroteGiven(container, move)
                    && earlier.stream()
                            .noneMatch(other -> !other.equals(move)
                                    && other.given().equals(move.given())
                                    && (authored.wrote(container, other.asked()) || isBack(container, other)));
        }

        /** Returns true if the author requested the new resource as well, and no other replacement removed it. */
        private boolean wroteGiven(ContainerRequest container, PodRequestReplacement move) {
            return authored.wrote(container, move.given())
                    && earlier.stream().noneMatch(other -> other.asked().equals(move.given()));
        }

        private static Quantity minus(Quantity one, Quantity other) {
            return Quantity.of(Math.max(0, one.value() - other.value()));
        }

        /**
         * Adds two quantities. If the first quantity is zero, the result is the second quantity in its original
         * notation.
         */
        private static Quantity plus(Quantity one, Quantity other) {
            return one.isZero() ? other : one.plus(other);
        }

        private @Nullable Map<ResourceName, Quantity> written(
                @Nullable Map<ResourceName, Quantity> stored, Map<ResourceName, Quantity> asked) {
            if (stored == null) {
                return null;
            }
            Map<ResourceName, Quantity> written = new HashMap<>(stored);
            asked.forEach((name, quantity) -> {
                if (quantity.isZero() && !limits.mention(name)) {
                    written.remove(name);
                } else {
                    written.put(name, quantity);
                }
            });
            return written;
        }
    }
}
