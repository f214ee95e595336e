package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;

/** Facts the gateway is built on: how the API server applies a webhook's patch. */
@AgainstControlPlane
class PatchesIT {

    private static final String MIG = "nvidia.com/mig-2g.20gb";
    private static final String LIMITS = "/spec/containers/0/resources/limits/";
    private static final String REQUESTS = "/spec/containers/0/resources/requests/";

    @Test
    void replacingAMissingKeyAddsIt(Cluster cluster) throws Exception {
        String patch = "[{'op':'replace','path':'" + LIMITS + "nvidia.com~1gpu','value':'1'},"
                + "{'op':'remove','path':'" + LIMITS + "nvidia.com~1mig-2g.20gb'},"
                + "{'op':'remove','path':'" + REQUESTS + "nvidia.com~1mig-2g.20gb'}]";
        Pod pod = patched(cluster, patch).pod();
        assertThat(Pods.limits(pod)).isEqualTo("{nvidia.com/gpu=1}").isEqualTo(Pods.requests(pod));
    }

    @Test
    void addingBelowAMissingParentIsAnErrorOfTheUsersThoughFailuresAreIgnored(Cluster cluster) throws Exception {
        Api.Answer answer = patched(cluster, "[{'op':'add','path':'/metadata/annotations/a','value':'b'}]");
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.message()).contains("add operation does not apply: doc is missing path");
    }

    @Test
    void removingAMissingKeyIsAnErrorOfTheUsersToo(Cluster cluster) throws Exception {
        Api.Answer answer = patched(cluster, "[{'op':'remove','path':'" + LIMITS + "nvidia.com~1gpu'}]");
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.message()).contains("Unable to remove nonexistent key");
    }

    @Test
    void addingAParentThatIsThereWipesIt(Cluster cluster) throws Exception {
        Pod pod = patched(
                        cluster,
                        "[{'op':'add','path':'/spec/containers/0/resources/limits','value':{'cpu':'1'}},"
                                + "{'op':'remove','path':'/spec/containers/0/resources/requests'}]")
                .pod();
        assertThat(Pods.limits(pod)).isEqualTo("{cpu=1}");
    }

    @Test
    void aPatchThatIsNoJsonIsIgnoredAsAFailedCallIs(Cluster cluster) throws Exception {
        Pod pod = patched(cluster, "no json").pod();
        assertThat(Pods.limits(pod)).isEqualTo("{" + MIG + "=1}");
    }

    @Test
    void anEmptyPatchChangesNothing(Cluster cluster) throws Exception {
        assertThat(Pods.limits(patched(cluster, "[]").pod())).isEqualTo("{" + MIG + "=1}");
    }

    @Test
    void fieldsThatKubernetesDoesNotKnowVanish(Cluster cluster) throws Exception {
        Api.Answer answer = patched(cluster, "[{'op':'add','path':'/spec/nonsense','value':'b'}]");
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.body()).doesNotContain("nonsense");
    }

    /** With apostrophes for quotation marks. */
    private static Api.Answer patched(Cluster cluster, String patch) throws Exception {
        try (Witness witness = new Witness(cluster, _ -> Reply.allow().patch(patch.replace('\'', '"'))).registered()) {
            return witness.create(Pods.asking("pod", MIG));
        }
    }
}
