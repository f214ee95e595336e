package dev.sluice.record;

/**
 * What a review says of itself. Names are cut at 253 characters, the longest that the API server allows.
 *
 * @param uid of the review
 * @param namespace of the request
 * @param podName the pod's name, or its generateName followed by {@code *}; empty if it has neither
 * @param dryRun the pod is not going to be stored
 */
public record ReviewHead(String uid, String namespace, String podName, boolean dryRun) {

    private static final int LONGEST_NAME = 253;

    public ReviewHead {
        uid = kept(uid);
        namespace = kept(namespace);
        podName = kept(podName);
    }

    /** A name as far as it is kept. */
    static String kept(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
    }
}
