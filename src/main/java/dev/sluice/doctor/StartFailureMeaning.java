package dev.sluice.doctor;

import java.util.List;
import java.util.regex.Pattern;

/** Explains messages of the kubelet about failed pulls of images, and about volumes and networks that fail. */
final class StartFailureMeaning {

    /** A placeholder for the name of the pod's node in the sentences. */
    private static final String NODE = "NODE";

    private static final Pattern PULL = Pattern.compile("(?i)failed to (?:pull|resolve reference)|pull(?:ing)? image");

    /** Explains messages about images. The first entry that matches is used, so the most specific come first. */
    private static final List<KubeletMessage> PULLS = List.of(
            new KubeletMessage(
                    "toomanyrequests|429 too many requests|rate limit",
                    "The registry limits how often NODE, or its address, may pull: pull with an account (imagePullSecrets), or"
                            + " from a mirror."),
            new KubeletMessage(
                    "unauthorized|denied|forbidden|authorization failed|no basic auth",
                    "The registry does not give the image to these credentials, or does not have it: look at the pod's"
                            + " imagePullSecrets, at the Secrets that they name, and at the rights of NODE."),
            new KubeletMessage(
                    "manifest unknown|: not found| not found: manifest",
                    "The registry has no such image: correct its name or tag."),
            new KubeletMessage("x509", "The container runtime of NODE does not trust the certificate of the registry."),
            new KubeletMessage(
                    "no such host|i/o timeout|connection refused|connection reset|deadline exceeded|handshake timeout",
                    "The registry does not answer NODE in time: look at the network of the node, its proxy and its DNS."));

    /**
     * Explains messages about volumes and networks. The first entry that matches is used, so the most specific come
     * first.
     */
    private static final List<KubeletMessage> OTHERS = List.of(
            new KubeletMessage(
                    "multi-attach error|already exclusively attached",
                    "Only one node at a time can use the volume: a pod on another node has to end first. If that node is"
                            + " gone, its VolumeAttachment has to go."),
            new KubeletMessage(
                    "not found in the list of registered csi drivers",
                    "The pod of that CSI driver does not run on NODE, or has not registered it: look at its DaemonSet, and"
                            + " whether it tolerates the taints of NODE."),
            new KubeletMessage(
                    "failed to assign an ip address|no available ip|no ips? (?:addresses )?(?:available|left)",
                    "The network of NODE has no address left for another pod."),
            new KubeletMessage(
                    "failed to (?:setup|set up) network for sandbox|networkplugin|cni plugin|network is not ready",
                    "The network plugin fails on NODE: look at its pod there."));

    private record KubeletMessage(Pattern said, String sentence) {

        KubeletMessage(String said, String sentence) {
            this(Pattern.compile(said, Pattern.CASE_INSENSITIVE), sentence);
        }
    }

    private StartFailureMeaning() {}

    /** Returns a sentence that explains a message of the kubelet; empty if the message is not known. */
    static String of(String said, String node) {
        return (PULL.matcher(said).find() ? PULLS : OTHERS)
                .stream()
                        .filter(it -> it.said().matcher(said).find())
                        .findFirst()
                        .map(it -> " " + it.sentence().replace(NODE, "node " + node))
                        .orElse("");
    }
}
