package dev.sluice.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.explain.Manifest;
import dev.sluice.cli.explain.ManifestClasses;
import dev.sluice.cli.explain.ManifestReader;
import java.util.List;

/**
 * The pod of a case, read from a manifest. It may be the template of a Deployment or of another object that creates
 * pods.
 *
 * @param pod the pod; a missing node if the manifest does not contain exactly one
 * @param title what the manifest contains, for messages, such as {@code Deployment web} or {@code 2 objects, of which
 *     none creates pods}
 */
record CasePod(JsonNode pod, String title) {

    static final String EXPECTED = "expected one pod, or one object that creates pods";

    /** Reads a manifest. Objects that create no pods, such as the Service of a Deployment, are ignored. */
    static CasePod of(String source, byte[] manifest) throws UserProblem {
        List<Manifest> all = ManifestClasses.fill(ManifestReader.read(source, manifest));
        List<Manifest.ManifestPods> pods = Manifest.pods(all);
        if (pods.size() == 1) {
            return new CasePod(pod(pods.getFirst()), pods.getFirst().title());
        }
        String title = all.size() == 1
                ? all.getFirst().title()
                : all.size() + " objects, of which " + (pods.isEmpty() ? "none creates" : pods.size() + " create")
                        + " pods";
        return new CasePod(MissingNode.getInstance(), title);
    }

    private static ObjectNode pod(Manifest.ManifestPods manifest) {
        ObjectNode pod = manifest.pod().deepCopy();
        if (manifest.namespace() != null) {
            pod.withObject("/metadata").put("namespace", manifest.namespace());
        }
        return pod;
    }
}
