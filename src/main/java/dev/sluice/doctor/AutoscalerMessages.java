package dev.sluice.doctor;

import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.FirstFiveNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the newest recent event of an autoscaler about each pod, and says what it means. The cluster autoscaler and
 * Karpenter write such an event when they create a node for the pod, or when they cannot create one. In EKS Auto Mode,
 * Karpenter has another name.
 */
final class AutoscalerMessages {

    private static final String KARPENTER = "karpenter";
    private static final String AUTO_MODE = "eks-auto-mode/compute";

    private static final String SAYS = " says (";

    /** Matches the cluster autoscaler's message that one resource is insufficient in every group. */
    private static final Pattern NO_GROUP = Pattern.compile(": \\d+ Insufficient ([^ ,]+)$");

    /** Matches the cluster autoscaler's message that no group has the labels that the pod selects. */
    private static final Pattern NO_LABELS =
            Pattern.compile(": \\d+ node\\(s\\) didn't match (?:Pod's )?node (?:affinity/selector|affinity|selector)$");

    /** Matches a taint of GPU nodes in messages of the cluster autoscaler, and of Karpenter in old and new versions. */
    private static final Pattern TAINT = Pattern.compile(
            "(?:taint \\{|did not tolerate (?:taint \\(taint=)?)([^{}();, ]*gpu[^{}();,]*)", Pattern.CASE_INSENSITIVE);

    /**
     * The explanations for known parts of messages. An explanation does not assume that the group in the message has
     * GPUs. The cluster autoscaler names every full or failed group, even if the pod would not fit there.
     */
    private static final List<Meaning> MEANINGS = List.of(
            new Meaning(
                    "max node group size reached",
                    " The autoscaler adds no node to a group of maximum size: if that is a group with GPUs, raise its"
                            + " maximum."),
            new Meaning(
                    "in backoff after failed scale-up",
                    " The autoscaler adds no node to a group for a while after a new node did not come: if that is a group"
                            + " with GPUs, look at the quota and the stock of the cloud."),
            new Meaning(
                    "max cluster [^:]{1,200} limit reached",
                    " The autoscaler has a limit for the whole cluster, which a new node would exceed: if no group with GPUs"
                            + " grows because of it, raise that limit."),
            new Meaning(
                    "(?i)quota ?exceeded|(?:vcpu|instance|spotinstancecount)limitexceeded",
                    " A quota of the cloud does not allow the new node: besides that of the model it may be one of all GPUs,"
                            + " of CPUs, disks or addresses."),
            new Meaning(
                    "(?i)out of resources|insufficient ?(instance ?)?capacity|sufficient [^ ]{1,100} capacity"
                            + "|unfulfillablecapacity|zonalallocationfailed|skunotavailable",
                    " The cloud has no such machine left there at present: allow other zones or models, or wait."),
            new Meaning(
                    "no instance type (has enough|satisfied|which)",
                    " No instance type that the requirements of that NodePool allow has all that the pod asks for, or none"
                            + " of them is on offer: if it is the one with GPUs, allow more types and zones, or request"
                            + " less."),
            new Meaning(
                    "incompatible requirements",
                    " What the pod selects contradicts the requirements of that NodePool: if it is the one with GPUs, change"
                            + " one of both."),
            new Meaning(
                    "no nodepools found|nodepool [^ ]{1,100} is not ready",
                    " Karpenter creates nodes only for NodePools that are ready: their conditions, and those of their"
                            + " NodeClass, say what is missing."),
            new Meaning(
                    "failed to register within",
                    " The machine was ordered and has not become a node in time: the console of the cloud says whether it was"
                            + " started, and its log why it does not join."),
            new Meaning(
                    "exceed limits for (nodepool|provisioner)",
                    " A new node would exceed the limits in the spec of that NodePool: if it is the one with GPUs, raise"
                            + " them."));

    /** A sentence that explains the messages in which the pattern {@code said} is found. */
    private record Meaning(Pattern said, String sentence) {

        Meaning(String said, String sentence) {
            this(Pattern.compile(said), sentence);
        }
    }

    /**
     * Matches the object that a message about a pod names: a group that the cluster autoscaler enlarges, or a NodeClaim
     * or NodePool of Karpenter. The random end of a NodeClaim's name is left out, because each attempt has a new
     * NodeClaim.
     */
    private static final Pattern NAMED = Pattern.compile(
            "\\{(?<group>\\S+) \\d+->\\d+|(?:nodeclaim|machine)/(?<claim>[a-z0-9.-]+)-[a-z0-9]+|nodepool"
                    + " \"(?<pool>[^\"]+)\"");

    /** Matches the cluster autoscaler's messages about a group that has not grown. */
    private static final Pattern FAILED_GROUP = Pattern.compile("\\bgroup (\\S+)(?:: | failed to register)");

    /** Limits the number of names that are looked up for one message. */
    private static final int MOST_NAMES = 8;

    /** Maps what has failed, for example {@code nodeclaim/gpu}, to the newest recent event about its failure. */
    private final Map<String, EventFacts> failures = new HashMap<>();

    /** Maps the namespace, name and UID of a pod to the newest recent event of an autoscaler about the pod. */
    private final Map<List<String>, EventFacts> newest = new HashMap<>();

    AutoscalerMessages(ClusterFacts cluster) {
        for (EventFacts event : cluster.events()) {
            if (event.kind().equals("Pod") && isOfAutoscaler(event) && cluster.isFresh(event.time())) {
                newest.merge(List.of(event.namespace(), event.name(), event.uid()), event, EventFacts::later);
            } else if (!event.kind().equals("Pod") && cluster.isFresh(event.time())) {
                failed(event).ifPresent(what -> failures.merge(what, event, EventFacts::later));
            }
        }
    }

    /**
     * Returns the group, NodeClaim or NodePool that has failed according to the event; empty if the event reports no
     * such failure.
     */
    private static Optional<String> failed(EventFacts event) {
        if (event.reason().equals("FailedToScaleUpGroup") || event.reason().equals("ScaleUpTimedOut")) {
            Matcher group = FAILED_GROUP.matcher(event.text());
            return group.find() ? Optional.of("group/" + group.group(1)) : Optional.empty();
        }
        boolean told = isOfKarpenter(event.component())
                && (event.reason().endsWith("Error")
                        || event.reason().startsWith("Failed")
                        || event.reason().endsWith("NotReady"));
        return !told
                ? Optional.empty()
                : switch (event.kind()) {
                    case "NodeClaim", "Machine" ->
                        Optional.of("nodeclaim/"
                                + event.name()
                                        .substring(0, Math.max(0, event.name().lastIndexOf('-'))));
                    case "NodePool" -> Optional.of("nodepool/" + event.name());
                    default -> Optional.empty();
                };
    }

    /**
     * Returns the newest failure of the groups, NodeClaims and NodePools that the event names; empty if none is known.
     */
    private Optional<EventFacts> failure(EventFacts event) {
        return NAMED.matcher(event.text())
                .results()
                .limit(MOST_NAMES)
                .map(AutoscalerMessages::key)
                .flatMap(what -> Stream.ofNullable(failures.get(what)))
                .reduce(EventFacts::later);
    }

    private static String key(MatchResult named) {
        return named.group("group") != null
                ? "group/" + named.group("group")
                : named.group("claim") != null
                        ? "nodeclaim/" + named.group("claim")
                        : "nodepool/" + named.group("pool");
    }

    private static boolean isOfAutoscaler(EventFacts event) {
        return switch (event.reason()) {
            case "NotTriggerScaleUp", "TriggeredScaleUp", "FailedScaleUp" -> true;
            case "Nominated", "FailedScheduling" -> isOfKarpenter(event.component());
            default -> false;
        };
    }

    private static boolean isOfKarpenter(String component) {
        return component.startsWith(KARPENTER) || component.equals(AUTO_MODE);
    }

    /** Returns true if the explanation of a pod contains a message of Karpenter. */
    static boolean quotesKarpenter(String explanation) {
        return explanation.contains(KARPENTER + SAYS) || explanation.contains(AUTO_MODE + SAYS);
    }

    private Optional<EventFacts> newest(PodFacts pod) {
        return Stream.of(pod.uid(), "")
                .map(uid -> newest.get(List.of(pod.namespace(), pod.name(), uid)))
                .filter(Objects::nonNull)
                .findFirst();
    }

    /**
     * Returns true if the newest recent message about the pod announces a new node, and no recent event reports that
     * this failed.
     */
    boolean isNodeComing(PodFacts pod) {
        return newest(pod)
                .filter(event -> orders(event) && failure(event).isEmpty())
                .isPresent();
    }

    /** Returns true if the event says that an autoscaler creates a node. */
    private static boolean orders(EventFacts event) {
        return event.reason().equals("TriggeredScaleUp") || event.reason().equals("Nominated");
    }

    /**
     * Returns sentences that quote and explain the newest recent message of an autoscaler about the pod; empty if there
     * is none.
     */
    Optional<String> about(PodFacts pod) {
        return newest(pod)
                .map(event -> said(event, "")
                        + withoutGpus(event, pod)
                        + withoutLabels(event, pod)
                        + meaning(event)
                        + failure(event)
                                .map(failed -> (orders(event) ? " That has failed: " : " Besides, ")
                                        + said(failed, "of " + failed.kind() + " " + failed.name() + " ")
                                        + meaning(failed))
                                .orElse(""));
    }

    /**
     * Returns a sentence that quotes an event. The text {@code about}, which may be empty, names the object of the
     * event.
     */
    private static String said(EventFacts event, String about) {
        return (event.component().isEmpty() ? "The autoscaler" : event.component()) + " says " + about + "("
                + event.reason() + "): \"" + event.text() + "\".";
    }

    /** Returns a sentence if the autoscaler says that no group has the labels that the pod selects; empty otherwise. */
    private static String withoutLabels(EventFacts event, PodFacts pod) {
        if (!event.reason().equals("NotTriggerScaleUp")
                || !NO_LABELS.matcher(event.text()).find()) {
            return "";
        }
        String selected = FirstFiveNames.of(pod.ask().constraints().nodeSelector().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .sorted()
                .toList());
        return " By that, no new node of its groups would have the labels that the pod selects"
                + (selected.isEmpty() ? "" : " (" + selected + ")")
                + ". If a group without nodes has them, its configuration has to say so; on AWS that is a tag"
                + " k8s.io/cluster-autoscaler/node-template/label/NAME for each.";
    }

    private static String meaning(EventFacts event) {
        Matcher taint = TAINT.matcher(event.text());
        return MEANINGS.stream()
                        .filter(it -> it.said().matcher(event.text()).find())
                        .map(Meaning::sentence)
                        .collect(Collectors.joining())
                + (taint.find()
                        ? " New nodes with the taint " + taint.group(1)
                                + " need a toleration, which the pod does not have."
                        : "");
    }

    /**
     * Returns a sentence if the autoscaler says that no group has enough GPUs for the pod; empty otherwise. If a group
     * has no nodes, the autoscaler knows its GPUs only from the configuration of the group.
     */
    private static String withoutGpus(EventFacts event, PodFacts pod) {
        Matcher lacking = NO_GROUP.matcher(event.text());
        return event.reason().equals("NotTriggerScaleUp") && lacking.find()
                ? DiagnosedMessageGpus.firstIn(lacking.group(1))
                        .map(resource -> {
                            long asked = pod.ask().requests().get(resource);
                            return " By that, no new node of its groups would have " + resource
                                    + (asked > 1 ? ": " + asked : "") + ". If a group without nodes has them, its"
                                    + " configuration has to say so; on AWS that is the tag"
                                    + " k8s.io/cluster-autoscaler/node-template/resources/" + resource + ".";
                        })
                        .orElse("")
                : "";
    }
}
