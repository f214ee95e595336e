package dev.sluice.cluster;

/** The reason why a pod cannot use a node. A lack of free resources is not among these reasons. */
public sealed interface PodNodeMismatch {

    /** The pod selects another node by name. */
    record OtherNode(String wanted) implements PodNodeMismatch {}

    record SelectorMismatch(String key, String wanted) implements PodNodeMismatch {}

    record AffinityMismatch() implements PodNodeMismatch {}

    record Untolerated(Taint taint) implements PodNodeMismatch {}

    /** DRA provides the devices on the node, and the pod asks for more devices than one claim can contain. */
    record TooManyForOneClaim() implements PodNodeMismatch {}

    /** The node is cordoned. It may accept pods again later. */
    record Cordoned() implements PodNodeMismatch {}

    /** Returns the text that completes the sentence "node n1: …". */
    default String text() {
        return switch (this) {
            case OtherNode(var wanted) -> "the pod's nodeName is " + wanted;
            case SelectorMismatch(var key, var wanted) -> "nodeSelector wants " + key + "=" + wanted;
            case AffinityMismatch() -> "no term of the required node affinity matches";
            case Untolerated(var taint) -> "taint " + taint + " is not tolerated";
            case TooManyForOneClaim() ->
                "its devices come by a resource claim, and a claim has at most " + NodeExtendedResources.MOST_OF_ONE_POD
                        + " devices";
            case Cordoned() -> "it is cordoned";
        };
    }
}
