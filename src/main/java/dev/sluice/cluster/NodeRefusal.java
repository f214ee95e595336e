package dev.sluice.cluster;

/** Why a pod cannot use a node, whatever that node offers. */
public sealed interface NodeRefusal {

    /** The pod names another node. */
    record OtherNode(String wanted) implements NodeRefusal {}

    record SelectorMismatch(String key, String wanted) implements NodeRefusal {}

    record AffinityMismatch() implements NodeRefusal {}

    record Untolerated(Taint taint) implements NodeRefusal {}

    /** A cordon is temporary: it says nothing about what the node offers. */
    record Cordoned() implements NodeRefusal {}

    /** Completes the sentence "node n1: …". */
    default String text() {
        return switch (this) {
            case OtherNode(var wanted) -> "the pod's nodeName is " + wanted;
            case SelectorMismatch(var key, var wanted) -> "nodeSelector wants " + key + "=" + wanted;
            case AffinityMismatch() -> "no term of the required node affinity matches";
            case Untolerated(var taint) -> "taint " + taint + " is not tolerated";
            case Cordoned() -> "it is cordoned";
        };
    }
}
