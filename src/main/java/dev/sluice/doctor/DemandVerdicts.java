package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.doctor.NodeUse.Asker;
import dev.sluice.doctor.PathSearch.ChosenPath;
import dev.sluice.doctor.PathSearch.PeerIdentity;
import dev.sluice.doctor.PathSearch.Question;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.FactKind;
import dev.sluice.doctor.facts.PodGpuDemand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Judges what pods and templates ask for. Pods of one owner ask alike, so each answer is found once. */
final class DemandVerdicts {

    private final ClusterFacts cluster;
    private final ClaimRules claims;
    private final ImpossibleDemand impossible;
    private final NeverFits neverFits;
    private final PathSearch search;
    private final PathCauses pathCauses;
    private final RunningSchedulers schedulers;
    private final Map<Key, Answer> answers = new HashMap<>();

    DemandVerdicts(ClusterFacts cluster, List<NodeStudy> nodes) {
        this.cluster = cluster;
        claims = new ClaimRules(cluster);
        impossible = new ImpossibleDemand(cluster, nodes, claims);
        neverFits = new NeverFits(nodes);
        search = new PathSearch(nodes);
        pathCauses = new PathCauses(cluster);
        schedulers = new RunningSchedulers(cluster);
    }

    /** What is known where there is no cause. */
    enum Rest {
        FITS,
        NOTHING_KNOWN
    }

    /**
     * The scheduler's newest message about a pod.
     *
     * @param fresh empty where it is stale
     * @param newest however old it is; empty where there is none
     */
    record Said(String fresh, String newest) {
        static final Said NOTHING = new Said("", "");
    }

    /** In upstream order, from the scheduler on. */
    record Answer(List<Cause> causes, List<String> reasons, Rest rest) {}

    /**
     * All that an answer depends on.
     *
     * @param ask without namespace and labels, unless the pod has claims, or one is reserved for it
     * @param pod a claim's name in the file may begin with it; empty without claims
     * @param said the messages that the answer may quote: about claims or another scheduler; empty otherwise
     */
    private record Key(
            PodGpuDemand ask,
            PeerIdentity identity,
            Asker asker,
            String pod,
            Said said,
            List<Obstacle> unseen,
            String nominated) {}

    RunningSchedulers schedulers() {
        return schedulers;
    }

    /** @param pod empty for a template */
    Answer judge(PodGpuDemand ask, Asker asker, String pod, Said said, String nominated) {
        List<Obstacle> unseen = search.unseen(said.fresh(), ask);
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
            known = found(ask, asker, pod, said, unseen, nominated);
            answers.put(key, known);
        }
        return known;
    }

    private Answer found(
            PodGpuDemand ask, Asker asker, String pod, Said said, List<Obstacle> unseen, String nominated) {
        List<Cause> causes = new ArrayList<>();
        if (!cluster.has(FactKind.NODES)) {
            claims.unsatisfied(ask, pod, said.fresh()).ifPresent(causes::add);
            return new Answer(causes, List.of(), Rest.NOTHING_KNOWN);
        }
        schedulers.missing(ask, said.newest()).ifPresent(causes::add);
        Optional<Cause> never = impossible.find(ask, pod, said.fresh());
        if (never.isPresent()) {
            causes.add(never.get());
            return new Answer(causes, List.of(), Rest.FITS);
        }
        Question question = new Question(ask, asker, claims.place(ask, pod), unseen, nominated);
        return bySearch(question, causes);
    }

    private Answer bySearch(Question question, List<Cause> causes) {
        PodGpuDemand ask = question.ask();
        Optional<ChosenPath> chosen = search.choose(question);
        if (chosen.isEmpty()) {
            causes.add(neverFits.cause(GpuVendor.gpus(ask.requests())));
            return new Answer(causes, List.of(), Rest.FITS);
        }
        causes.addAll(pathCauses.of(chosen.get(), question));
        return new Answer(causes, chosen.get().reasons(), claims.canJudge(ask) ? Rest.FITS : Rest.NOTHING_KNOWN);
    }
}
