package dev.sluice.kube.facts;

import dev.sluice.doctor.GpuComponent;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.doctor.facts.PodFacts.OwnerReference;
import dev.sluice.doctor.facts.PodFacts.PodState;
import dev.sluice.doctor.facts.PodGpuDemand;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads pods. */
final class PodReader {

    static final String FLAG = "--scheduler-name";

    private final DemandReader asks;

    public PodReader(DemandReader asks) {
        this.asks = asks;
    }

    public PodFacts read(Fields item) throws MalformedItem {
        Fields metadata = item.object("metadata");
        Fields spec = item.object("spec");
        Fields status = item.object("status");
        PodGpuDemand ask = asks.read(metadata.text("namespace"), metadata, spec, status);
        return new PodFacts(
                metadata.text("name"),
                metadata.text("uid"),
                ask,
                owner(metadata),
                spec.text("nodeName"),
                status.text("nominatedNodeName"),
                state(metadata, status),
                schedulers(spec),
                unscheduled(metadata, status),
                image(metadata, spec));
    }

    /** The image of GPU software; empty for the pods of users, whose images are not collected. */
    private static String image(Fields metadata, Fields spec) throws MalformedItem {
        return GpuComponent.of(metadata.text("name")).isEmpty()
                ? ""
                : GpuComponent.shortImage(spec.json()
                        .path("containers")
                        .path(0)
                        .path(SharedItem.IMAGE)
                        .asText());
    }

    private static Optional<OwnerReference> owner(Fields metadata) throws MalformedItem {
        OwnerReference first = null;
        for (Fields owner : metadata.list("ownerReferences")) {
            OwnerReference reference = new OwnerReference(owner.text("kind"), owner.text("name"), owner.text("uid"));
            if (owner.truth("controller")) {
                return Optional.of(reference);
            }
            first = first == null ? reference : first;
        }
        return Optional.ofNullable(first);
    }

    private static PodState state(Fields metadata, Fields status) throws MalformedItem {
        List<Fields> containers = status.list("containerStatuses");
        return new PodState(
                status.text("phase"),
                status.text("reason"),
                status.text("message"),
                isReady(status),
                trouble(status),
                endedWell(containers),
                metadata.has("deletionTimestamp"),
                metadata.strings("finalizers"));
    }

    private static boolean isReady(Fields status) throws MalformedItem {
        return condition(status, "Ready").text("status").equals("True");
    }

    static Fields condition(Fields status, String type) throws MalformedItem {
        for (Fields condition : status.list("conditions")) {
            if (condition.text("type").equals(type)) {
                return condition;
            }
        }
        return Fields.NONE;
    }

    private static String trouble(Fields status) throws MalformedItem {
        for (String kind : List.of("initContainerStatuses", "containerStatuses")) {
            for (Fields container : status.list(kind)) {
                String waiting = container.object("state").object("waiting").text("reason");
                if (!waiting.isEmpty() && !waiting.equals("PodInitializing")) {
                    return waiting;
                }
            }
        }
        return status.text("reason");
    }

    private static boolean endedWell(List<Fields> containers) throws MalformedItem {
        for (Fields container : containers) {
            Fields ended = container.object("state").object("terminated");
            if (!ended.has("exitCode") || ended.number("exitCode", 1) != 0) {
                return false;
            }
        }
        return !containers.isEmpty();
    }

    private static Set<String> schedulers(Fields spec) throws MalformedItem {
        Set<String> names = new HashSet<>();
        for (Fields container : spec.list("containers")) {
            for (String part : List.of("command", "args")) {
                List<String> words = container.strings(part);
                for (int i = 0; i < words.size(); i++) {
                    String word = words.get(i);
                    if (word.startsWith(FLAG + "=")) {
                        names.add(word.substring(FLAG.length() + 1));
                    } else if (word.equals(FLAG) && i + 1 < words.size()) {
                        names.add(words.get(i + 1));
                    }
                }
            }
        }
        return Set.copyOf(names);
    }

    /** A condition without a time is as old as the pod. */
    @Nullable
    private static Message unscheduled(Fields metadata, Fields status) throws MalformedItem {
        Fields condition = condition(status, "PodScheduled");
        boolean told = condition.text("status").equals("False")
                && !condition.text("reason").equals("SchedulingGated")
                && !condition.text("message").isEmpty();
        Instant probed = condition.time("lastProbeTime");
        Instant changed = condition.time("lastTransitionTime");
        Instant time = changed == null || (probed != null && probed.isAfter(changed)) ? probed : changed;
        return told
                ? new Message(
                        condition.text("reason"),
                        condition.text("message"),
                        time == null ? metadata.time("creationTimestamp") : time)
                : null;
    }
}
