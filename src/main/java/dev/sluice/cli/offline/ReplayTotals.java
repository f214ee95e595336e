package dev.sluice.cli.offline;

import dev.sluice.cli.offline.ReplayedPod.Difference;
import dev.sluice.text.CountText;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Counts the pods that were decided again, and groups those whose result would change. */
final class ReplayTotals implements Consumer<ReplayedPod> {

    /**
     * The maximum number of groups. All further pods share one group. The limit is needed because the input can contain
     * any number of namespaces and owners.
     */
    private static final int MOST_GROUPS = 10_000;

    private static final String OTHERS = "(other)";

    /** A group of pods of one owner that ask for the same resources and whose result would change in the same way. */
    record Group(String namespace, String asked, String owner, String before, String after, Difference difference) {

        private Group ofOwner(String other) {
            return new Group(namespace, asked, other, before, after, difference);
        }

        private static Group of(ReplayedPod pod) {
            return new Group(
                    pod.namespace(), pod.asked(), pod.owner(), text(pod.before()), text(pod.after()), pod.difference());
        }

        private static String text(@Nullable ReplayedOutcome outcome) {
            return outcome == null ? "" : outcome.text();
        }
    }

    /** A group, its number of pods, and one of these pods with the messages that its user would have seen. */
    record CountedGroup(Group group, long pods, String example, String sentence) {

        private CountedGroup plusOne() {
            return new CountedGroup(group, pods + 1, example, sentence);
        }
    }

    private final Map<Difference, Long> byDifference = new EnumMap<>(Difference.class);
    private final Map<Group, CountedGroup> groups = new HashMap<>();
    private @Nullable Instant first;
    private @Nullable Instant last;
    private long pods;
    private boolean unknownNames;

    @Override
    public void accept(ReplayedPod pod) {
        pods++;
        first = first == null || pod.at().isBefore(first) ? pod.at() : first;
        last = last == null || pod.at().isAfter(last) ? pod.at() : last;
        unknownNames |= pod.name().contains(ReplayedCreation.BEFORE_ID);
        Difference difference = pod.difference();
        byDifference.merge(difference, 1L, Long::sum);
        if (difference != Difference.SAME && difference != Difference.NOT_COMPARED) {
            Group group = Group.of(pod);
            Group kept = groups.containsKey(group) || groups.size() < MOST_GROUPS
                    ? group
                    : new Group(OTHERS, OTHERS, OTHERS, OTHERS, OTHERS, difference);
            groups.merge(kept, new CountedGroup(kept, 1, pod.name(), pod.sentence()), (known, _) -> known.plusOne());
        }
    }

    long pods() {
        return pods;
    }

    long of(Difference difference) {
        return byDifference.getOrDefault(difference, 0L);
    }

    /** Returns true if the input lacks the generated names of some pods. */
    boolean hasUnknownNames() {
        return unknownNames;
    }

    boolean isAnyDifferent() {
        return !groups.isEmpty();
    }

    Optional<Instant> first() {
        return Optional.ofNullable(first);
    }

    Optional<Instant> last() {
        return Optional.ofNullable(last);
    }

    /** Returns the groups, the largest first. */
    List<CountedGroup> groups() {
        return largestFirst(groups.values());
    }

    /**
     * Returns the groups, merged over all owners. A merged group has the number of its owners in place of an owner's
     * name.
     */
    List<CountedGroup> groupsOfAllOwners() {
        Map<Group, List<CountedGroup>> together = groups.values().stream()
                .collect(Collectors.groupingBy(counted -> counted.group().ofOwner("")));
        return largestFirst(together.values().stream()
                .map(owners -> {
                    CountedGroup first = owners.getFirst();
                    long all = owners.stream().mapToLong(CountedGroup::pods).sum();
                    return new CountedGroup(
                            owners.size() == 1
                                    ? first.group()
                                    : first.group().ofOwner(CountText.of(owners.size(), "workload")),
                            all,
                            first.example(),
                            first.sentence());
                })
                .toList());
    }

    private static List<CountedGroup> largestFirst(Collection<CountedGroup> groups) {
        return groups.stream()
                .sorted(Comparator.comparingLong(CountedGroup::pods)
                        .reversed()
                        .thenComparing(counted -> counted.group().toString()))
                .toList();
    }
}
