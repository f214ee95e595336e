package dev.sluice.cli.offline;

import dev.sluice.config.ConfigProblem.SourcePosition;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A test case: the creation of a pod, the policy and the cluster for the decision, and the expected decision.
 *
 * @param name the name, which is unique in a run
 * @param place the file of the case, and its line if several cases are in the file
 * @param why the reason for which the case exists; empty if it has none
 * @param review the AdmissionReview that the API server would send for the pod
 * @param cluster the file with the nodes, and in availability mode the pods; empty if the case names none
 * @param config the configuration file; empty if the case names none
 */
@SuppressWarnings("ArrayRecordComponent") // Cases are not compared, and nobody writes to the bytes.
record PolicyCase(
        String name,
        SourcePosition place,
        String why,
        byte[] review,
        Optional<Path> cluster,
        Optional<Path> config,
        ExpectedDecision expected) {}
