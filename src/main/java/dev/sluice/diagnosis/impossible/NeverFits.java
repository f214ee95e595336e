package dev.sluice.diagnosis.impossible;

import dev.sluice.diagnosis.cause.Cause;
import dev.sluice.diagnosis.cause.Cause.Evidence;
import dev.sluice.diagnosis.facts.FirstFive;
import dev.sluice.diagnosis.node.GpuVendor;
import dev.sluice.diagnosis.node.NodeStudy;
import dev.sluice.diagnosis.path.VerdictCode;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** No node has, or would have after a repair, that many of a resource at once. */
public final class NeverFits {

    private final List<NodeStudy> nodes;

    public NeverFits(List<NodeStudy> nodes) {
        this.nodes = nodes;
    }

    public Cause cause(Amounts gpus) {
        List<String> sentences = new ArrayList<>();
        List<Evidence> evidence = new ArrayList<>();
        gpus.forEach((resource, asked) -> {
            String sentence = sentence(resource, asked);
            sentences.add(sentence);
            evidence.add(new Evidence("Resource", resource.value(), sentence));
        });
        return new Cause(
                VerdictCode.NEVER_FITS_ONE_NODE,
                "No node can ever give the pod what it requests: " + String.join("; ", sentences) + ".",
                evidence);
    }

    private String sentence(ResourceName resource, long asked) {
        NodeStudy largest = null;
        for (NodeStudy node : nodes) {
            if (largest == null || node.allocatable(resource) > largest.allocatable(resource)) {
                largest = node;
            }
        }
        String lead = resource + ": " + asked + " requested, ";
        return largest == null || largest.allocatable(resource) == 0
                ? lead + "0 offered on any node" + offered()
                : lead + "the largest allocatable on one node is " + largest.allocatable(resource) + " on node "
                        + largest.name();
    }

    private String offered() {
        TreeSet<String> others = new TreeSet<>();
        for (NodeStudy node : nodes) {
            GpuVendor.gpus(node.facts().node().allocatable()).forEach((resource, amount) -> {
                if (amount > 0) {
                    others.add(resource.value());
                }
            });
        }
        return others.isEmpty() ? "" : "; the nodes offer " + FirstFive.of(others);
    }
}
