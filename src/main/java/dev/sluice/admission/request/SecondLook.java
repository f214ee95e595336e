package dev.sluice.admission.request;

import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pod that was changed by Sluice and comes back within the same request, because another plugin or webhook has
 * changed it since. What it asked for at first is decided again.
 *
 * @param stored the pod as it is now
 * @param asked the pod with what it asked for at first, and with everything that others have added since
 * @param earlier the moves of the first decision
 * @param restored for each move, the containers that ask for their first resource again
 * @param writtenBack for each move, the containers into which somebody has written the asked resource again
 * @param undone the annotation of the first change says nothing that still holds for {@code asked}
 */
public record SecondLook(
        PodRequest stored,
        PodRequest asked,
        List<Move> earlier,
        Map<Move, List<ContainerRequest>> restored,
        Map<Move, List<ContainerRequest>> writtenBack,
        boolean undone) {

    /** A pod can be changed in no more resources, so a longer list is none of Sluice's. */
    private static final int MOST_MOVES = 256;

    /**
     * Empty for a pod that Sluice did not change in this request. Whether it did is known only from
     * {@code managedFields}: what the author wrote into the annotation means nothing.
     */
    public static Optional<SecondLook> of(PodRequest pod, NamespacePolicy policy) {
        String fallback = pod.annotations().values().get(PodAnnotations.FALLBACK);
        if (fallback == null || pod.authored() == null) {
            return Optional.empty();
        }
        FallbackChains chains = policy.policy().chains();
        List<Move> earlier = Move.parse(fallback, MOST_MOVES).stream()
                .filter(move -> chains.after(move.asked()).contains(move.given()))
                .toList();
        return new Restoration(pod, pod.authored(), earlier, policy.limits()).look();
    }

    /** Undoes the moves of the first decision, container by container. */
    private static final class Restoration {

        private final PodRequest pod;
        private final AuthoredFields authored;
        private final List<Move> earlier;
        private final NamespaceLimits limits;
        private final Map<Move, List<ContainerRequest>> restored = new LinkedHashMap<>();
        private final Map<Move, List<ContainerRequest>> writtenBack = new LinkedHashMap<>();
        /** Sluice has changed the pod: the author wrote no such annotation, or not what a container has now. */
        private final boolean isOurs;

        Restoration(PodRequest pod, AuthoredFields authored, List<Move> earlier, NamespaceLimits limits) {
            this.pod = pod;
            this.authored = authored;
            this.earlier = earlier;
            this.limits = limits;
            this.isOurs = !authored.fallback()
                    || pod.containers().stream()
                            .anyMatch(container -> earlier.stream()
                                    .anyMatch(move ->
                                            !container.asked(move.given()).isZero()
                                                    && authored.wrote(container, move.asked())
                                                    && !wroteGiven(container, move)));
        }

        Optional<SecondLook> look() {
            List<ContainerRequest> asked = new ArrayList<>(pod.containers().size());
            // The pod is taken back as a whole or not at all.
            boolean undone = pod.containers().stream().allMatch(this::canBeUndone);
            for (ContainerRequest container : pod.containers()) {
                asked.add(asked(container, undone));
            }
            // The annotation does not say how much came back, so it is worth nothing for another look.
            boolean isNothingLeft = undone
                    || !writtenBack.isEmpty()
                    || asked.stream()
                            .allMatch(container -> earlier.stream()
                                    .allMatch(move ->
                                            container.asked(move.given()).isZero()));
            return restored.isEmpty() && writtenBack.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new SecondLook(pod, pod.with(asked), earlier, restored, writtenBack, isNothingLeft));
        }

        private boolean canBeUndone(ContainerRequest container) {
            return earlier.stream()
                    .allMatch(move -> !wasMade(container, move) || isWhole(container, move) || isBack(container, move));
        }

        private ContainerRequest asked(ContainerRequest container, boolean undone) {
            Map<ResourceName, Quantity> asked = new HashMap<>();
            for (Move move : earlier) {
                boolean isBack = isBack(container, move);
                boolean isWhole = isWhole(container, move);
                if (!wasMade(container, move) || !(isBack || (undone && isWhole))) {
                    continue;
                }
                (isBack ? writtenBack : restored)
                        .computeIfAbsent(move, _ -> new ArrayList<>())
                        .add(container);
                Quantity given = container.asked(move.given());
                Quantity wanted = container.asked(move.asked());
                if (given.isZero()) {
                    continue;
                }
                // All moves were made at once, and one may have given what another has taken away.
                Quantity left = asked.getOrDefault(move.given(), given);
                Quantity returned = isWhole ? given : left.compareTo(wanted) < 0 ? left : wanted;
                asked.put(move.given(), minus(left, returned));
                Quantity before = isBack ? Quantity.ZERO : wanted;
                asked.put(move.asked(), plus(asked.getOrDefault(move.asked(), before), returned));
            }
            return asked.isEmpty()
                    ? container
                    : container.with(written(container.limits(), asked), written(container.requests(), asked));
        }

        /** The container has what the move gave, or its author has asked for what the move took away. */
        private boolean wasMade(ContainerRequest container, Move move) {
            boolean wrote = authored.wrote(container, move.asked());
            boolean isOwn = wroteGiven(container, move) && !wrote && !isBack(container, move);
            boolean isThere = !container.asked(move.given()).isZero() && !isOwn;
            return isOurs && (isThere || (wrote && isBack(container, move)));
        }

        /** The asked resource was taken away, and is there again. */
        private boolean isBack(ContainerRequest container, Move move) {
            return !container.asked(move.asked()).isZero()
                    && earlier.stream().noneMatch(other -> other.given().equals(move.asked()));
        }

        /** What the container has of the given resource is what it asked for of this move's resource, and no more. */
        private boolean isWhole(ContainerRequest container, Move move) {
            return authored.wrote(container, move.asked())
                    && !wroteGiven(container, move)
                    && earlier.stream()
                            .noneMatch(other -> !other.equals(move)
                                    && other.given().equals(move.given())
                                    && (authored.wrote(container, other.asked()) || isBack(container, other)));
        }

        /** The author asked for the given resource, too, and it was not exchanged itself. */
        private boolean wroteGiven(ContainerRequest container, Move move) {
            return authored.wrote(container, move.given())
                    && earlier.stream().noneMatch(other -> other.asked().equals(move.given()));
        }

        private static Quantity minus(Quantity one, Quantity other) {
            return Quantity.of(Math.max(0, one.value() - other.value()));
        }

        /** A quantity alone stays as it was written. */
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
