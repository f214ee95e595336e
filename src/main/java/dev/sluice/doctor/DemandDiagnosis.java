package dev.sluice.doctor;

import dev.sluice.cluster.OtherGpuName;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.DiagnosedNodeUse.Asker;
import dev.sluice.doctor.DiagnosedRepairSearch.ChosenPath;
import dev.sluice.doctor.DiagnosedRepairSearch.PeerIdentity;
import dev.sluice.doctor.DiagnosedRepairSearch.Question;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.PodDemandFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds out why the requests of pods and pod templates are not satisfied. Pods of one owner usually have equal
 * requests, so each answer is computed once and cached.
 */
final class DemandDiagnosis {

    /**
     * Limits the number of cached answers. Pods of one owner have equal requests, so most clusters need a few hundred
     * answers.
     */
    private static final int MOST_ANSWERS = 4_096;

    /**
     * Limits the number of cached answers with the same hash. Without this limit, a user could create many pods whose
     * requests have the same hash, and so make the lookups slow.
     */
    private static final int MOST_OF_A_HASH = 8;

    private final ClusterFacts cluster;
    private final ClaimRules claims;
    private final DiagnosedImpossibleDemand impossible;
    private final NeverFitsRule neverFits;
    private final DiagnosedRepairSearch search;
    private final DiagnosedRepairCauses pathCauses;
    private final PinnedNodeRule pins;
    private final DiagnosedSchedulers schedulers;
    /**
     * The resources for shares of GPUs, or for other accelerators, that at least one node has registered. An example is
     * {@code volcano.sh/vgpu-number}.
     */
    private final Set<ResourceName> registeredShares;

    private final Map<Key, Answer> answers = new HashMap<>();
    private final Map<Integer, Integer> sameHash = new HashMap<>();

    DemandDiagnosis(ClusterFacts cluster, List<DiagnosedNode> nodes, LostClaimUsers lost) {
        this.cluster = cluster;
        claims = new ClaimRules(cluster, lost);
        impossible = new DiagnosedImpossibleDemand(cluster, nodes, claims);
        neverFits = new NeverFitsRule(nodes);
        search = new DiagnosedRepairSearch(nodes);
        pathCauses = new DiagnosedRepairCauses(cluster, lost);
        pins = new PinnedNodeRule(nodes);
        schedulers = new DiagnosedSchedulers(cluster);
        registeredShares = shares(cluster);
    }

    /** Returns true if no node has the resource, and its name is similar to the name of a GPU resource. */
    boolean isMisspelt(ResourceName resource) {
        return impossible.isMisspelt(resource);
    }

    /**
     * Says what is known about a pod for which no cause was found: it fits a node, or too little is known to say so.
     */
    enum Rest {
        FITS,
        NOTHING_KNOWN
    }

    /**
     * Holds the scheduler's newest message about a pod.
     *
     * @param fresh the text of the newest message; empty if there is no message or it is older than ten minutes
     * @param newest the text of the newest message, whatever its age; empty if there is no message
     */
    record Said(String fresh, String newest) {
        static final Said NOTHING = new Said("", "");
    }

    /**
     * Holds the causes for one request in the order of {@link DiagnosisCode}. If the pod's scheduler does not run, that
     * is the first cause.
     */
    record Answer(List<DiagnosisCause> causes, List<String> reasons, Rest rest) {}

    /**
     * Identifies an answer in the cache. It contains everything that the answer depends on.
     *
     * @param ask the request; namespace and labels are left out if the answer does not depend on claims
     * @param pod the name of the pod, which is a part of the names of its generated claims; empty if the answer does
     *     not depend on claims
     * @param said the scheduler's messages, which the answer may quote; empty if the answer depends neither on claims
     *     nor on a scheduler other than the default
     */
    private record Key(
            PodDemandFacts ask,
            PeerIdentity identity,
            Asker asker,
            String pod,
            Said said,
            List<PodObstacle> unseen,
            String nominated) {}

    DiagnosedSchedulers schedulers() {
        return schedulers;
    }

    /**
     * Returns the causes why the request of a pod is not met.
     *
     * @param pod the name of the pod; empty for a pod template
     * @param nominated the name of the nominated node; empty if the pod has none
     */
    Answer judge(PodDemandFacts ask, Asker asker, String pod, Said said, String nominated) {
        List<PodObstacle> unseen = search.unseen(said.fresh(), ask);
        boolean withClaims = !ask.claims().isEmpty() || claims.isReservedFor(ask, pod);
        Key key = new Key(
                withClaims ? ask : ask.anonymous(),
                search.identity(ask),
                asker,
                withClaims ? pod : "",
                withClaims || !ask.isForDefaultScheduler() ? said : Said.NOTHING,
                unseen,
                nominated);
        Answer known = answers.get(key);
        if (known == null) {
            known = found(counted(ask), asker, pod, said, unseen, nominated);
            keep(key, known);
        }
        return known;
    }

    /**
     * Caches the answer. If many cached answers have the same hash already, the answer is not cached, so that lookups
     * stay fast.
     */
    private void keep(Key key, Answer answer) {
        if (answers.size() == MOST_ANSWERS) {
            answers.clear();
            sameHash.clear();
        }
        if (sameHash.merge(key.hashCode(), 1, Integer::sum) <= MOST_OF_A_HASH) {
            answers.put(key, answer);
        }
    }

    /**
     * Returns a copy of the request without the GPU shares that no node has registered. The pod's own scheduler counts
     * such shares, for example {@code volcano.sh/vgpu-memory} of Volcano. Returns the request unchanged if no share
     * would remain, or if the pod uses the default scheduler.
     */
    private PodDemandFacts counted(PodDemandFacts ask) {
        if (ask.isForDefaultScheduler()) {
            return ask;
        }
        Amounts fewer = ask.requests().only(name -> !OtherGpuName.is(name) || registeredShares.contains(name));
        return fewer.anyMatch((name, _) -> OtherGpuName.is(name)) ? ask.requesting(fewer) : ask;
    }

    private static Set<ResourceName> shares(ClusterFacts cluster) {
        Set<ResourceName> shares = new HashSet<>();
        cluster.nodes()
                .forEach(node -> node.node().capacity().forEach((name, _) -> {
                    if (OtherGpuName.is(name)) {
                        shares.add(name);
                    }
                }));
        return shares;
    }

    private Answer found(
            PodDemandFacts ask, Asker asker, String pod, Said said, List<PodObstacle> unseen, String nominated) {
        List<DiagnosisCause> causes = new ArrayList<>();
        if (!cluster.has(ClusterFactKind.NODES)) {
            claims.unsatisfied(ask, pod, said.fresh()).ifPresent(causes::add);
            return new Answer(causes, List.of(), Rest.NOTHING_KNOWN);
        }
        schedulers.missing(ask, said.newest()).ifPresent(causes::add);
        Optional<DiagnosisCause> never = impossible.find(ask, pod, said.fresh());
        Question question = new Question(ask, asker, claims.place(ask, pod), unseen, nominated);
        if (never.isPresent()) {
            return Optional.of(never.get().code())
                    .filter(DiagnosisCode.DRA_CLAIM_UNSATISFIED::equals)
                    .flatMap(_ -> offTheFreeDevices(question, pod, causes))
                    .orElseGet(() -> new Answer(joined(causes, List.of(never.get())), List.of(), Rest.FITS));
        }
        return bySearch(question, causes);
    }

    /**
     * Explains why the claims of a pod are not allocated although some nodes have free devices for them. Returns the
     * given causes, followed by the causes that keep the pod off these nodes. Returns empty if there are no such nodes,
     * or if nothing keeps the pod off them.
     */
    private Optional<Answer> offTheFreeDevices(Question question, String pod, List<DiagnosisCause> causes) {
        Set<String> free = claims.nodesWithFreeDevices(question.ask(), pod);
        return free.isEmpty()
                ? Optional.empty()
                : search.choose(question.on(node -> free.contains(node.name())))
                        .filter(chosen -> !chosen.codes().isEmpty())
                        .map(chosen -> new Answer(
                                joined(causes, pathCauses.of(chosen, question)), chosen.reasons(), Rest.FITS));
    }

    private static List<DiagnosisCause> joined(List<DiagnosisCause> causes, List<DiagnosisCause> more) {
        return Stream.concat(causes.stream(), more.stream()).toList();
    }

    private Answer bySearch(Question question, List<DiagnosisCause> causes) {
        PodDemandFacts ask = question.ask();
        Optional<ChosenPath> chosen = search.choose(question);
        if (chosen.isEmpty()) {
            causes.addAll(pins.explain(List.of(neverFits.cause(question.gpus(), ask.ofOneContainer())), question));
            return new Answer(causes, List.of(), Rest.FITS);
        }
        causes.addAll(pins.explain(pathCauses.of(chosen.get(), question), question));
        return new Answer(causes, chosen.get().reasons(), claims.canJudge(ask) ? Rest.FITS : Rest.NOTHING_KNOWN);
    }
}
