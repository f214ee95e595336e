package dev.sluice.management;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.api.DocumentResponse;
import dev.sluice.bus.LedgerCopyReply;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.doctor.ResourceFaults;
import java.util.Optional;

/**
 * Explains what the gateway would decide about the pods of a manifest. It changes nothing. The application passes an
 * implementation to the management port, which calls it on a thread that may block.
 */
public interface ManagementManifestExplainer {

    /**
     * A request to explain a manifest.
     *
     * @param json the manifest as JSON: a pod, an object that creates pods, a review or a list
     * @param namespace the namespace in which the pods would be created; empty for the namespace in each object
     * @param isOfTenant true if the answer must contain nothing of other namespaces; {@code namespace} is then present
     * @param text true if the answer also contains the text that {@code sluice explain} prints
     */
    record ExplainQuestion(String json, Optional<String> namespace, boolean isOfTenant, boolean text) {}

    /**
     * The data from which an explanation is made.
     *
     * @param ledger a copy of the ledger, which counts the devices in use; empty if the policy uses availability mode
     *     in no namespace
     * @param replication the other replicas that share reservations; empty if there can be none
     * @param faults the faults in the newest diagnosis that prevent nodes from offering resources
     */
    record ExplainBasis(
            ActivePolicy policy,
            ClusterSnapshot cluster,
            Optional<LedgerCopyReply> ledger,
            Optional<ReplicationStatusMessage> replication,
            ResourceFaults faults) {}

    DocumentResponse explain(ExplainQuestion question, ExplainBasis basis);
}
