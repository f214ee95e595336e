package dev.sluice.wording;

import dev.sluice.decide.Combinations;
import dev.sluice.decide.FreeCapacity;
import dev.sluice.pod.ContainerKind;
import dev.sluice.quantity.AmountText;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.request.ContainerRequest;
import dev.sluice.request.GpuRequest;
import dev.sluice.request.Move;
import dev.sluice.request.PodAnnotations;
import dev.sluice.snapshot.AllocatableSummary;
import dev.sluice.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** The sentences that users read. Each is one line; warnings have at most {@link #LONGEST} characters. */
public record Wording(GpuRequest ask, ClusterSnapshot cluster) {

    /** The API server cuts warnings beyond 256 characters; a margin is left for what it puts around them. */
    static final int LONGEST = 240;

    private static final int NAMED_CONTAINERS = 3;
    private static final int LONGEST_CONTAINER = 40;
    private static final int MOST_LOOKED_FOR = 16;

    /** {@code container train: no node offers A; using B (8 on 1 node)}. */
    public String changed(Move move) {
        AllocatableSummary given = cluster.allocatableOf(move.given(), ask.pod().constraints());
        return sentence(subject(move.asked()) + cause(move.asked()) + "; using " + move.given() + count(given));
    }

    /** {@code container train: no A is free (0 of 4 on 1 node); using B (3 of 8 free on 1 node)}. */
    public String changedAsExhausted(Move move, Amounts whole, FreeCapacity room) {
        return sentence(subject(move.asked()) + exhaustion(move.asked(), move.asked(), whole, room) + "; using "
                + move.given() + free(move.given(), room));
    }

    /** Not offered what it asked, and what it is given is in use. */
    public String changedAndWaits(Move move, Amounts whole, FreeCapacity room) {
        return sentence(subject(move.asked()) + cause(move.asked()) + "; using " + move.given()
                + ", and the pod waits: " + exhaustion(move.asked(), move.given(), whole, room));
    }

    public String waits(ResourceName asked, Amounts whole, FreeCapacity room) {
        return sentence(subject(asked) + exhaustion(asked, asked, whole, room) + "; the pod waits for it");
    }

    public String deniedAsExhausted(ResourceName asked, Combinations tried, Amounts whole, FreeCapacity room) {
        String refusal = subject(asked)
                + exhaustion(asked, asked, whole, room)
                + (tried.chains().after(asked).isEmpty() ? "" : ", nor any of its fallbacks");
        Amounts others = whole.only(name -> !name.equals(asked));
        List<ResourceName> free = cluster.devices().stream()
                .filter(ask.isGpu())
                .filter(name -> room.freeOf(name) > 0)
                .sorted()
                .toList();
        String usable = free.stream()
                .filter(name -> isFree(others.plus(Amounts.of(name, ask.needOf(asked))), room))
                .map(name -> name + free(name, room))
                .collect(Collectors.joining(", "));
        return denial(
                refusal,
                !usable.isEmpty()
                        ? "; free for this pod now: " + usable
                        : free.isEmpty()
                                ? "; no GPU is free, try again later"
                                : "; no GPU is free where this pod could run, try again later");
    }

    /**
     * Why what is offered cannot be had now.
     *
     * @param whole what the pod would take of its node with {@code given}
     */
    private String exhaustion(ResourceName asked, ResourceName given, Amounts whole, FreeCapacity room) {
        long need = ask.needOf(asked);
        long free = room.freeOf(given);
        if (free < need) {
            return (free == 0 ? "no " + given + " is free" : "too few " + given + " are free") + of(given, free);
        }
        String wanted = (need == 1 ? "" : need + " ") + given;
        Amounts alone = Amounts.of(given, need);
        if (!isFree(alone, room)) {
            return "no node this pod may use now has " + wanted + " free" + of(given, free);
        }
        return shortBeside(alone, whole, room)
                .map(other -> "no node has " + amount(other, whole) + " free beside " + wanted + free(given, room))
                .orElseGet(() -> "no node has room for this pod now, though " + given + " is free" + of(given, free));
    }

    private static String amount(ResourceName name, Amounts amounts) {
        return name.equals(ResourceName.PODS)
                ? "a place for a pod"
                : AmountText.of(name, amounts.get(name)) + " " + name;
    }

    /** The first of the pod's other resources that no node has free together with {@code alone}. */
    private Optional<ResourceName> shortBeside(Amounts alone, Amounts whole, FreeCapacity room) {
        List<ResourceName> found = new ArrayList<>(1);
        // Each is a search of its own; pods that are meant to run ask for few.
        boolean few = whole.size() <= MOST_LOOKED_FOR;
        var _ = few
                && whole.anyMatch((name, amount) -> {
                    boolean isShort = amount > 0 && !isFree(alone.max(Amounts.of(name, amount)), room);
                    return isShort && found.add(name);
                });
        return found.stream().findFirst();
    }

    private boolean isFree(Amounts amounts, FreeCapacity room) {
        return room.isFree(amounts, ask.pod().constraints());
    }

    private String free(ResourceName name, FreeCapacity room) {
        AllocatableSummary offered = cluster.allocatableOf(name);
        return " (" + room.freeOf(name) + " of " + offered.total() + " free on " + nodes(offered) + ")";
    }

    private String of(ResourceName name, long free) {
        AllocatableSummary offered = cluster.allocatableOf(name);
        return " (" + free + " of " + offered.total() + " on " + nodes(offered) + ")";
    }

    private static String nodes(AllocatableSummary allocatable) {
        return allocatable.nodes() + (allocatable.nodes() == 1 ? " node" : " nodes");
    }

    public String kept(ResourceName asked, Combinations tried) {
        return sentence(subject(asked) + cause(asked) + norFallbacks(asked, tried)
                + "; kept as written, so the pod waits until a node offers it");
    }

    public String denied(ResourceName asked, Combinations tried) {
        String refusal = subject(asked) + cause(asked) + norFallbacks(asked, tried);
        String offered = cluster.devices().stream()
                .filter(ask.isGpu())
                .sorted()
                .map(name -> name + count(cluster.allocatableOf(name, ask.pod().constraints())))
                .filter(text -> !text.endsWith(count(AllocatableSummary.NONE)))
                .collect(Collectors.joining(", "));
        return denial(
                refusal,
                offered.isEmpty() ? "; nothing is offered on nodes this pod may use" : "; offered here: " + offered);
    }

    public String deniedWithoutGpu(ResourceName asked) {
        return denial(
                subject(asked) + asked + " was asked, but no node of this cluster has any GPU resource",
                "; add GPU nodes or install the device plugin");
    }

    public String keptWithoutGpu(ResourceName asked) {
        return sentence(subject(asked) + "no node of this cluster has any GPU resource; " + asked
                + " is kept as written, so the pod waits");
    }

    public String limitAdded(ResourceName asked) {
        return sentence(subject(ask.containersWithoutLimit(asked)) + asked
                + " stands in requests only; the same limit was added, as the API server wants both");
    }

    public String tooManyCombinations() {
        return sentence("the pod's GPU resources can be combined in more than " + Combinations.MOST
                + " ways; the pod is left as written");
    }

    public static String unknownMode(String mode) {
        return sentence(
                "annotation " + PodAnnotations.FALLBACK_MODE + ": \"" + mode + "\" is ignored; the only value is keep");
    }

    public static String notLegalAsWritten(String problem) {
        return sentence("this pod is not legal (" + problem + ") and is left as written");
    }

    public static String notLegal(String problem) {
        return sentence("the change would not be legal (" + problem + "); the pod is left as written");
    }

    private String cause(ResourceName asked) {
        AllocatableSummary anywhere = cluster.allocatableOf(asked);
        if (anywhere.nodes() == 0) {
            return "no node offers " + asked;
        }
        AllocatableSummary usable = cluster.allocatableOf(asked, ask.pod().constraints());
        if (usable.nodes() == 0) {
            return "no node this pod may use offers " + asked;
        }
        long need = ask.needOf(asked);
        if (usable.largest() < need) {
            String which = anywhere.largest() < need ? "no single node" : "no single node this pod may use";
            return which + " offers " + need + " " + asked + " (largest " + usable.largest() + ")";
        }
        return "no single node offers " + asked + " together with the pod's other GPU resources";
    }

    private static String norFallbacks(ResourceName asked, Combinations tried) {
        if (tried.chains().after(asked).isEmpty()) {
            return "";
        }
        return tried.choicesFor(asked).isEmpty()
                ? ", nor any of its fallbacks"
                : ", and no combination with its fallbacks fits one node";
    }

    private static String count(AllocatableSummary allocatable) {
        return " (" + allocatable.total() + " on " + nodes(allocatable) + ")";
    }

    private String subject(ResourceName asked) {
        return subject(ask.containersAsking(asked));
    }

    private static String subject(List<ContainerRequest> containers) {
        boolean many = containers.size() > NAMED_CONTAINERS;
        List<ContainerRequest> named = many ? containers.subList(0, NAMED_CONTAINERS - 1) : containers;
        StringJoiner names = new StringJoiner(", ");
        for (ContainerRequest container : named) {
            names.add(shortened(container.name(), LONGEST_CONTAINER));
        }
        return (isAllInit(containers) ? "init " : "") + (containers.size() == 1 ? "container " : "containers ") + names
                + (many ? " and " + (containers.size() - named.size()) + " more" : "") + ": ";
    }

    private static boolean isAllInit(List<ContainerRequest> containers) {
        for (ContainerRequest container : containers) {
            if (container.kind() == ContainerKind.MAIN) {
                return false;
            }
        }
        return true;
    }

    /** {@code containers a, b: }, of main containers. */
    static String containers(List<String> names) {
        boolean many = names.size() > NAMED_CONTAINERS;
        String some = names.stream()
                .limit(many ? NAMED_CONTAINERS - 1 : NAMED_CONTAINERS)
                .map(Wording::short40)
                .collect(Collectors.joining(", "));
        return (names.size() == 1 ? "container " : "containers ")
                + some
                + (many ? " and " + (names.size() - NAMED_CONTAINERS + 1) + " more" : "")
                + ": ";
    }

    static String short40(String name) {
        return shortened(name, LONGEST_CONTAINER);
    }

    /** One line without control characters, which the API server would drop with the whole warning. */
    public static String sentence(String text) {
        return shortened(printable(text), LONGEST);
    }

    /** The asked resource stands in the refusal, which is therefore never cut: names can take 308 characters. */
    static String denial(String refusal, String whatWouldWork) {
        return shortened(printable(refusal + whatWouldWork), Math.max(LONGEST, refusal.length()));
    }

    private static String printable(String text) {
        if (isPrintable(text)) {
            return text;
        }
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE ? ' ' : c)
                .forEach(line::appendCodePoint);
        return line.toString();
    }

    private static boolean isPrintable(String text) {
        for (int i = 0; i < text.length(); i++) {
            // One comparison for both ends: below the blank the difference wraps and is large.
            if ((char) (text.charAt(i) - ' ') > '~' - ' ') {
                return false;
            }
        }
        return true;
    }

    private static String shortened(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int cut = longest - 3;
        return text.substring(0, Character.isHighSurrogate(text.charAt(cut - 1)) ? cut - 1 : cut) + "...";
    }
}
