package dev.sluice.admission.verdict;

import static dev.sluice.admission.verdict.WarningText.sentence;

import dev.sluice.admission.injection.InjectionPodResources;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.verdict.DecisionCause.Fallbacks;
import dev.sluice.admission.verdict.DecisionCause.Offer;
import dev.sluice.admission.verdict.DecisionCause.PlacedBy;
import dev.sluice.admission.verdict.Exhaustion.FreeCount;
import dev.sluice.cluster.ClusterGpuEvidence;
import dev.sluice.cluster.MisspeltGpuResource;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.PodNodeMismatch;
import dev.sluice.cluster.quantity.AmountText;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.text.CountText;
import dev.sluice.text.ShortText;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns the causes of a decision into the sentences that users read. */
public final class Wording {

    /**
     * The maximum length, in characters, of the message in an annotation. Everybody who lists pods also downloads their
     * annotations, so they must be short.
     */
    private static final int LONGEST_MESSAGE = 1024;

    /**
     * The maximum lengths of the names of containers. If a sentence is too long, the next length is tried. The names of
     * containers are shortened first, so that the names of resources remain readable.
     */
    private static final int[] LONGEST_CONTAINERS = {40, 20, 12};

    /** The maximum length of the name of a container in a denial. The API server refuses longer names. */
    private static final int LONGEST_IN_DENIAL = 63;

    /** The maximum length of a quoted annotation value. The author of a pod may write a value of any length. */
    private static final int LONGEST_VALUE = 60;

    private static final int MOST_NAMED = 5;

    private static final String NO_GPU_RESOURCE = "no node of this cluster has any GPU resource that Sluice knows";

    private static final String NOR_FALLBACKS = ", nor any of its fallbacks";

    /** The end of a sentence about a pod with {@code nodeName}. No scheduler sees such a pod. */
    private static final String REFUSED_BY_KUBELET = "; the pod names its node, so the kubelet refuses it";

    private Wording() {}

    public static VerdictTexts of(Verdict verdict) {
        return switch (verdict) {
            case Verdict.NoGpu _ -> new VerdictTexts(List.of(), "");
            case Verdict.Allowed allowed -> new VerdictTexts(warnings(allowed.causes()), "");
            case Verdict.Denied denied -> new VerdictTexts(warnings(denied.causes()), denial(denied));
        };
    }

    /**
     * Returns the sentences about a verdict that is not carried out, for example {@code would be changed: container a:
     * ...}. Only sentences about a denial or a change contain "would be". The other sentences are also true of a pod
     * that is created as it was written. The list is empty if the verdict has no texts.
     */
    public static List<String> observed(Verdict verdict) {
        return switch (verdict) {
            case Verdict.NoGpu _ -> List.of();
            case Verdict.Allowed allowed ->
                allowed.causes().stream().map(Wording::observed).toList();
            case Verdict.Denied denied ->
                Stream.concat(
                                Stream.of(sentence("would be denied: " + denial(denied))),
                                denied.causes().stream().map(Wording::observed))
                        .toList();
        };
    }

    private static String observed(DecisionCause cause) {
        return switch (cause) {
            case DecisionCause.Substituted _,
                    DecisionCause.SubstitutedAsExhausted _,
                    DecisionCause.SubstitutedAndWaits _,
                    DecisionCause.TakenBack _,
                    DecisionCause.LimitAdded _ -> sentence("would be changed: " + line(cause));
            case DecisionCause.Waits _,
                    DecisionCause.Preempts _,
                    DecisionCause.KeptAsWritten _,
                    DecisionCause.NotOffered _,
                    DecisionCause.Exhausted _,
                    DecisionCause.WrittenBack _,
                    DecisionCause.KeptWhileGated _,
                    DecisionCause.KeptForTrace _,
                    DecisionCause.KeptForClaims _,
                    DecisionCause.KeptWithoutGpus _,
                    DecisionCause.NoGpuInCluster _,
                    DecisionCause.TooManyCombinations _,
                    DecisionCause.UnknownFallbackMode _,
                    DecisionCause.NoInjectionRules _,
                    DecisionCause.IllegalPod _,
                    DecisionCause.Unreadable _,
                    DecisionCause.InjectionRefused _,
                    DecisionCause.KnownFault _,
                    DecisionCause.NothingReserved _,
                    DecisionCause.NotDecided _,
                    DecisionCause.InternalFault _ -> line(cause);
        };
    }

    /**
     * Returns all warnings about a change as one text, for example {@code container a: ...; using ... container b:
     * ...}.
     */
    public static String message(List<DecisionCause> causes) {
        return ShortText.of(String.join(". ", warnings(causes)), LONGEST_MESSAGE);
    }

    private static String denial(Verdict.Denied denied) {
        String line = line(denied.cause());
        return denied.helpText().isEmpty() ? line : line + ". " + denied.helpText();
    }

    private static List<String> warnings(List<DecisionCause> causes) {
        return causes.isEmpty() ? List.of() : causes.stream().map(Wording::line).toList();
    }

    private static String line(DecisionCause cause) {
        return switch (cause) {
            case DecisionCause.OfContainers some -> ofContainers(some);
            case DecisionCause.TooManyCombinations(int most) ->
                sentence("the pod's GPU resources can be combined in more than " + most
                        + " ways; the pod is left as written");
            case DecisionCause.UnknownFallbackMode(String mode) ->
                sentence("annotation " + PodRequestAnnotations.FALLBACK_MODE + ": \""
                        + ShortText.of(mode, LONGEST_VALUE) + "\" is ignored; the only value is keep");
            case DecisionCause.NoInjectionRules(String type) ->
                sentence("annotation " + InjectionPodResources.TYPE + ": \"" + ShortText.of(type, LONGEST_VALUE)
                        + "\" has no effect: this gateway has no rules of injection; tell its administrator");
            case DecisionCause.IllegalPod(String problem, boolean asWritten) ->
                sentence(
                        asWritten
                                ? "this pod is not legal (" + problem + ") and is left as written"
                                : "the change would not be legal (" + problem + "); the pod is left as written");
            case DecisionCause.Unreadable unreadable -> unreadable(unreadable);
            case DecisionCause.InjectionRefused(var refusal, var moves) ->
                new VerdictInjectionWording(moves).denied(refusal);
            case DecisionCause.KnownFault(ResourceName asked, String text) ->
                sentence("what is known of " + asked + ": " + text);
            case DecisionCause.NothingReserved(String why) ->
                sentence(why + "; nothing is reserved for this pod until it exists");
            case DecisionCause.NotDecided(String why) -> sentence("no decision was possible: " + why);
            case DecisionCause.InternalFault _ ->
                "Sluice failed on this pod and left it as written; the gateway's log says why, look for this"
                        + " request's uid";
        };
    }

    private static String ofContainers(DecisionCause.OfContainers cause) {
        if (cause instanceof DecisionCause.NotOffered
                || cause instanceof DecisionCause.Exhausted
                || cause instanceof DecisionCause.NoGpuInCluster) {
            return about(subject(cause.containers(), LONGEST_IN_DENIAL), cause);
        }
        String line = "";
        for (int longest : LONGEST_CONTAINERS) {
            line = about(subject(cause.containers(), longest), cause);
            if (!WarningText.isCut(line)) {
                break;
            }
        }
        return line;
    }

    private static String about(String subject, DecisionCause.OfContainers cause) {
        return switch (cause) {
            case DecisionCause.Substituted(var _, Shortfall why, Offer given) ->
                sentence(subject + missing(why) + "; using " + offered(given));
            case DecisionCause.SubstitutedAsExhausted(var _, Exhaustion why, FreeCount given) ->
                sentence(subject + exhausted(why) + "; using " + given.resource() + free(given));
            case DecisionCause.SubstitutedAndWaits(var _, Shortfall why, Exhaustion given, PlacedBy placedBy) ->
                sentence(subject + missing(why) + "; using " + given.count().resource()
                        + (placedBy == PlacedBy.NODE_NAME
                                ? ", but the pod names its node, so the kubelet refuses it: "
                                : ", and the pod waits: ")
                        + exhausted(given));
            case DecisionCause.Waits(var _, Exhaustion why, Fallbacks fallbacks, PlacedBy placedBy) ->
                sentence(subject
                        + exhausted(why)
                        + (placedBy == PlacedBy.NODE_NAME
                                ? REFUSED_BY_KUBELET
                                : "; the pod waits for " + (isOfSeveral(why) ? "them" : "it"))
                        + off(fallbacks));
            case DecisionCause.Preempts(var _, Exhaustion why) ->
                sentence(subject + exhausted(why) + "; the pod preempts pods of lower priority");
            case DecisionCause.KeptAsWritten(
                    var _,
                    Shortfall why,
                    Fallbacks fallbacks,
                    PlacedBy placedBy,
                    var refusals) ->
                withExcluded(
                        subject + missing(why) + nor(fallbacks, why) + "; kept as written"
                                + (placedBy == PlacedBy.NODE_NAME && why instanceof Shortfall.TooFewOnEachNode
                                        ? REFUSED_BY_KUBELET
                                        : whatFollows(placedBy))
                                + off(fallbacks),
                        why,
                        fallbacks,
                        refusals);
            case DecisionCause.NotOffered(
                    var _,
                    Shortfall why,
                    Fallbacks fallbacks,
                    var offers,
                    var refusals,
                    var others) ->
                WarningText.denial(
                        subject + missing(why) + nor(fallbacks, why),
                        offered(offers) + excluded(why, fallbacks, refusals) + off(fallbacks) + also(others));
            case DecisionCause.Exhausted exhausted ->
                WarningText.denial(
                        subject + exhausted(exhausted),
                        excluded(exhausted.why(), exhausted.fallbacks(), exhausted.refusals())
                                + usable(exhausted)
                                + off(exhausted.fallbacks()));
            case DecisionCause.TakenBack(var _, ResourceName asked, ResourceName given) ->
                sentence(subject + "with what was added to the pod since, " + asked
                        + " can be had after all; it is given" + " instead of " + given);
            case DecisionCause.WrittenBack(var _, ResourceName asked, PlacedBy placedBy) ->
                sentence(subject + asked
                        + " was exchanged, and a LimitRange or a webhook wrote it back; kept as written"
                        + whatFollows(placedBy));
            case DecisionCause.KeptWhileGated(var _, ResourceName asked, long nodes) ->
                sentence(subject + asked + (nodes == 0 ? meant(asked) : "")
                        + " cannot be had now; kept as written, as the pod has scheduling gates and may be sent to other"
                        + " nodes later");
            case DecisionCause.KeptForTrace(var _, ResourceName asked, ClusterGpuEvidence trace, PlacedBy placedBy) ->
                sentence(subject + noNodeOffers(asked) + " yet; it is kept as written" + waits(placedBy) + ": "
                        + trace.sentenceWithKind());
            case DecisionCause.KeptForClaims kept -> sentence(subject + keptForClaims(kept));
            case DecisionCause.KeptWithoutGpus(var _, ResourceName asked, PlacedBy placedBy) ->
                sentence(subject + NO_GPU_RESOURCE + "; " + asked + meant(asked) + " is kept as written"
                        + waits(placedBy));
            // A gateway that cannot read pods, for example in allocatable mode, does not know whether a device plugin
            // runs. The advice must be correct with and without a plugin, because a plugin may have registered no GPU.
            case DecisionCause.NoGpuInCluster(var _, ResourceName asked) ->
                WarningText.denial(
                        subject + asked + meant(asked) + " was asked, but " + NO_GPU_RESOURCE,
                        "; if a node has GPUs, look whether a device plugin runs there, and what its log says");
            case DecisionCause.LimitAdded(var _, ResourceName asked) ->
                sentence(subject + asked
                        + " is set in requests only; the same limit was added, as the API server wants both");
        };
    }

    /** Returns the clause about what happens to a pod if no node that it may use offers its resource. */
    private static String whatFollows(PlacedBy placedBy) {
        return switch (placedBy) {
            case SCHEDULER -> ", so the pod waits until a node offers it";
            case NODE_NAME -> REFUSED_BY_KUBELET + ", or starts it without the device";
        };
    }

    private static String waits(PlacedBy placedBy) {
        return switch (placedBy) {
            case SCHEDULER -> ", so the pod waits";
            case NODE_NAME -> ", and as the pod names its node, it does not wait";
        };
    }

    private static String unreadable(DecisionCause.Unreadable cause) {
        String what = switch (cause.part()) {
            case OBJECT -> "this review holds no pod";
            case POD -> "this pod cannot be read: " + cause.problem();
            case NODE_CONSTRAINTS -> "where this pod may run cannot be evaluated: " + cause.problem();
        };
        return sentence(what
                + (cause.denied() ? "; the policy of this namespace refuses such pods" : "; it is allowed unchanged"));
    }

    private static String missing(Shortfall why) {
        return switch (why) {
            case Shortfall.NoNode(ResourceName resource, long _, var other) ->
                noNodeOffers(resource) + (other == null ? "" : ", only " + other);
            case Shortfall.NoUsableNode(ResourceName resource, long _) -> "no node this pod may use offers " + resource;
            case Shortfall.TooFewOnEachNode(ResourceName resource, long need, long largest, boolean elsewhere) ->
                (elsewhere ? "no single node this pod may use" : "no single node") + " offers " + need + " " + resource
                        + " (largest " + largest + ")";
            case Shortfall.NotTogether(ResourceName resource, long _) ->
                "no single node offers " + resource + " together with the pod's other GPU resources";
        };
    }

    private static String noNodeOffers(ResourceName resource) {
        return "no node offers " + resource + meant(resource);
    }

    private static String keptForClaims(DecisionCause.KeptForClaims kept) {
        if (kept.deviceClass().isEmpty()) {
            return "the gateway cannot read whether DRA hands out " + kept.candidate() + "; it is kept as written";
        }
        String unknown = " is handed out by DRA (class " + kept.deviceClass()
                + "), and it is not known whether a node has enough";
        return kept.candidate().equals(kept.asked())
                ? kept.asked() + unknown + "; it is kept as written"
                : kept.asked() + " is kept as written: its fallback " + kept.candidate() + unknown;
    }

    /** Returns a hint with the correct name if the name is misspelt. Returns an empty text otherwise. */
    private static String meant(ResourceName resource) {
        Optional<ResourceName> meant = MisspeltGpuResource.of(resource);
        return meant.isEmpty() ? "" : " (did you mean " + meant.get() + "?)";
    }

    private static String exhausted(Exhaustion why) {
        FreeCount count = why.count();
        return switch (why) {
            case Exhaustion.TooFewFree(var _, long need)
            when count.uncertain() ->
                "no node this pod may use now has " + wanted(need, count) + " free" + outOf(count);
            case Exhaustion.TooFewFree(var _, long need) ->
                (count.free() == 0
                                ? "no " + count.resource() + " is free"
                                : "fewer than " + need + " " + count.resource() + " are free")
                        + outOf(count);
            case Exhaustion.NoNodeHasEnough(var _, long need, boolean elsewhere) ->
                "no node this pod may use now has " + wanted(need, count) + " free"
                        + (elsewhere ? freeElsewhere(count) : outOf(count));
            case Exhaustion.ShortBeside(var _, long need, ResourceName other, long amount) ->
                "no node has " + amount(other, amount) + " free beside " + wanted(need, count) + free(count);
            case Exhaustion.NoNodeHasAll _ ->
                "no node has room for this pod now, though " + count.resource() + " is free" + outOf(count);
        };
    }

    /**
     * Returns the sentence about a resource that is not free. If only its fallbacks are offered, the sentence says that
     * no node offers the resource.
     */
    private static String exhausted(DecisionCause.Exhausted cause) {
        String asked = switch (cause.why()) {
            case Exhaustion why -> exhausted(why);
            case Shortfall why -> missing(why);
        };
        if (cause.fallbacks() != Fallbacks.ALSO_MISSING) {
            return asked;
        }
        if (cause.anyFree()) {
            // Some GPU is free. It may be a fallback that this pod cannot use, so the sentence must not say that no
            // fallback is free.
            return asked + ", and no fallback can be had now either";
        }
        return asked + (cause.why() instanceof Exhaustion ? NOR_FALLBACKS : ", and none of its fallbacks is free");
    }

    /** Returns true if the clause names several devices. The pronoun for them must then be "them" and not "it". */
    private static boolean isOfSeveral(Exhaustion why) {
        return why instanceof Exhaustion.TooFewFree(FreeCount count, long need)
                && need > 1
                && count.free() > 0
                && !count.uncertain();
    }

    private static String wanted(long need, FreeCount count) {
        return (need == 1 ? "" : need + " ") + count.resource();
    }

    private static String amount(ResourceName name, long amount) {
        return name.equals(ResourceName.PODS) ? "a place for a pod" : AmountText.of(name, amount) + " " + name;
    }

    private static String nor(Fallbacks fallbacks, Shortfall why) {
        return switch (fallbacks) {
            case NONE, SWITCHED_OFF -> "";
            case ALSO_MISSING -> NOR_FALLBACKS;
            case NOT_USABLE -> isAlsoSaidOfFallbacks(why) ? NOR_FALLBACKS : noneUsable(why.need());
            case NOT_TOGETHER -> ", and no combination with its fallbacks fits one node";
            case LIMITED -> ", and a LimitRange of the namespace rules out its fallbacks";
        };
    }

    /**
     * Returns true if the sentence about the requested resource is also true of its fallbacks. The caller must know
     * that nodes have a fallback, but that no node that the pod may use has enough of it.
     */
    private static boolean isAlsoSaidOfFallbacks(Shortfall why) {
        return switch (why) {
            case Shortfall.NoNode _ -> false;
            case Shortfall.NoUsableNode _ -> why.need() == 1;
            case Shortfall.TooFewOnEachNode tooFew -> tooFew.elsewhere();
            case Shortfall.NotTogether _ -> true;
        };
    }

    private static String noneUsable(long need) {
        return ", and none this pod may use offers " + (need == 1 ? "" : need + " of ") + "a fallback";
    }

    /**
     * Returns the reminder that an annotation of the pod turns its fallbacks off. Returns an empty text if there is no
     * such annotation.
     */
    private static String off(Fallbacks fallbacks) {
        return fallbacks == Fallbacks.SWITCHED_OFF ? " (fallback-mode: keep rules out its fallbacks)" : "";
    }

    /**
     * Returns the sentence, followed by the reasons why nodes are excluded. Reasons that do not fit into a warning are
     * left out.
     */
    private static String withExcluded(
            String text, Shortfall why, Fallbacks fallbacks, List<PodNodeMismatch> refusals) {
        String line = sentence(text);
        for (int named = refusals.size(); named > 0; named--) {
            String longer = sentence(text + excluded(why, fallbacks, refusals.subList(0, named)));
            if (!WarningText.isCut(longer)) {
                return longer;
            }
        }
        return line;
    }

    private static String excluded(ShortfallOrExhaustion why, Fallbacks fallbacks, List<PodNodeMismatch> refusals) {
        if (refusals.isEmpty()) {
            return "";
        }
        String nodes = switch (why) {
            case Shortfall.NoNode _ ->
                fallbacks == Fallbacks.NOT_USABLE ? "nodes that have a fallback" : "nodes that have GPUs";
            case Shortfall.NoUsableNode _ -> "nodes that have it";
            // The pod may use some nodes that have the resource, so the reasons are about the other nodes.
            case Shortfall.TooFewOnEachNode _, Shortfall.NotTogether _, Exhaustion _ -> "other nodes that have it";
        };
        return refusals.stream()
                .map(PodNodeMismatch::text)
                .collect(Collectors.joining(", ", "; " + nodes + " are excluded: ", ""));
    }

    /** Returns the clause about other containers whose GPUs are not offered either. */
    private static String also(DecisionCauseContainers others) {
        if (others.count() == 0) {
            return "";
        }
        String subject = "; " + containers(others, DecisionCauseContainers.NAMED - 1, LONGEST_IN_DENIAL);
        return subject
                + (others.count() == 1
                        ? " asks for another GPU that it cannot have either"
                        : " ask for other GPUs that they cannot have either");
    }

    private static String offered(List<Offer> offers) {
        return offers.isEmpty()
                ? "; nothing is offered on nodes this pod may use"
                : "; offered here: "
                        + some(offers.stream().map(Wording::offered).toList());
    }

    private static String offered(Offer offer) {
        return offer.resource() + " (" + offer.total() + " on " + nodes(offer.nodes()) + ")";
    }

    /**
     * Returns the first texts of a list, and the number of the other texts. The first texts are the most important ones
     * for the pod.
     */
    private static String some(List<String> texts) {
        String first = texts.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        return texts.size() <= MOST_NAMED ? first : first + " and " + (texts.size() - MOST_NAMED) + " more";
    }

    private static String usable(DecisionCause.Exhausted cause) {
        if (!cause.usable().isEmpty()) {
            return "; free for this pod now: "
                    + some(cause.usable().stream()
                            .map(count -> count.resource() + free(count))
                            .toList());
        }
        return switch (cause.why()) {
            case Exhaustion.ShortBeside _, Exhaustion.NoNodeHasAll _ -> "; ask for less, or try again later";
            case Exhaustion.TooFewFree _, Exhaustion.NoNodeHasEnough _, Shortfall _ ->
                cause.anyFree()
                        ? "; no node has room for this pod with a GPU that is free, ask for less or try again later"
                        : "; no GPU is free, try again later";
        };
    }

    private static String free(FreeCount count) {
        return count.uncertain()
                ? unknownOf(count)
                : " (" + count.free() + " of " + count.total() + " free on " + nodes(count.nodes()) + ")";
    }

    /**
     * Returns the clause that says that the number of free devices is unknown. DRA provides these devices. Either the
     * claims that use them are unknown, or a device selector cannot be evaluated.
     */
    private static String unknownOf(FreeCount count) {
        return " (it is not known how many of " + count.total() + " on " + nodes(count.nodes()) + " are free)";
    }

    private static String freeElsewhere(FreeCount count) {
        return count.uncertain()
                ? unknownOf(count)
                : " (" + count.free() + " of " + count.total() + " free on " + count.nodes() + " other "
                        + CountText.noun(count.nodes(), "node") + ")";
    }

    private static String outOf(FreeCount count) {
        return count.uncertain()
                ? unknownOf(count)
                : " (" + count.free() + " of " + count.total() + " on " + nodes(count.nodes()) + ")";
    }

    private static String nodes(long count) {
        return count + " " + CountText.noun(count, "node");
    }

    /** Returns the beginning of a sentence, for example {@code init containers a, b and 7 more: }. */
    private static String subject(DecisionCauseContainers containers, int longest) {
        return containers(containers, DecisionCauseContainers.NAMED, longest) + ": ";
    }

    /**
     * Returns the names of the containers. If there are more than {@code most} containers, only the first {@code most -
     * 1} are named, and the others are counted.
     */
    private static String containers(DecisionCauseContainers containers, int most, int longest) {
        boolean many = containers.count() > most;
        List<String> named = many ? containers.first().subList(0, most - 1) : containers.first();
        StringJoiner names = new StringJoiner(", ");
        for (String name : named) {
            names.add(ShortText.of(name, longest));
        }
        return (containers.kind() == PodContainerKind.MAIN ? "" : "init ")
                + CountText.noun(containers.count(), "container") + " " + names
                + (many ? " and " + (containers.count() - named.size()) + " more" : "");
    }
}
