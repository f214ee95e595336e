package dev.sluice.scheduling;

import dev.sluice.node.Taint;

/** Why a pod cannot use a node, whatever that node offers; the text completes "node n1: …". */
public sealed interface NodeRefusal {

    String text();

    /** The pod names another node. */
    record OtherNode(String wanted) implements NodeRefusal {
        @Override
        public String text() {
            return "the pod's nodeName is " + wanted;
        }
    }

    record SelectorMismatch(String key, String wanted) implements NodeRefusal {
        @Override
        public String text() {
            return "nodeSelector wants " + key + "=" + wanted;
        }
    }

    record AffinityMismatch() implements NodeRefusal {
        @Override
        public String text() {
            return "no term of the required node affinity matches";
        }
    }

    record Untolerated(Taint taint) implements NodeRefusal {
        @Override
        public String text() {
            return "taint " + taint + " is not tolerated";
        }
    }

    /** Only the scheduler's answer of the moment: it says nothing about what the node offers. */
    record Cordoned() implements NodeRefusal {
        @Override
        public String text() {
            return "it is cordoned";
        }
    }
}
