package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateUse;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The three ways to bring certificates: all end in the Secret and the CA in the webhook. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManifestCertificatesTest {

    private static final String ANNOTATION = "cert-manager.io/inject-ca-from";

    private final Manifests base = Manifests.rendered("k8s/base");
    private final Manifests script = Manifests.rendered("k8s/overlays/script-certs");
    private final Manifests certManager = Manifests.rendered("k8s/overlays/cert-manager");
    private final Manifests selfManaged = Manifests.rendered("k8s/overlays/self-managed");

    @Test
    void theScriptsOverlayIsTheBase() {
        assertThat(script.objects()).containsExactlyInAnyOrderElementsOf(base.objects());
    }

    @Test
    void theScriptFillsWhatTheManifestsName() throws Exception {
        assertThat(Files.readString(Path.of("tls/make-certs.sh")))
                .contains("\nnamespace=gpu-webhook\n")
                .contains("\nservice=" + base.only(Service.class).getMetadata().getName() + "\n")
                .contains("\nsecret=gpu-webhook-certs\n")
                .contains("\nconfiguration=${WEBHOOK_CONFIGURATION:-"
                        + base.only(MutatingWebhookConfiguration.class)
                                .getMetadata()
                                .getName()
                        + "}\n")
                .contains("\nwebhook="
                        + base.only(MutatingWebhookConfiguration.class)
                                .getWebhooks()
                                .getFirst()
                                .getName()
                        + "\n");
        assertThat(Path.of("tls/make-certs.sh")).isExecutable();
    }

    /**
     * What writes keys with the right mode, overwrites nobody's and replaces all files or none is `sluice certs make`.
     */
    @Test
    void theScriptMakesNoKeysAndWritesNoFilesOfItsOwn() throws Exception {
        assertThat(Files.readString(Path.of("tls/make-certs.sh")))
                .contains("\"$sluice\" certs make --dir")
                .doesNotContain("openssl req", "openssl ecparam", "openssl genpkey", "openssl x509 -req", "chmod");
    }

    @Test
    void certManagerChangesNothingButTheAnnotationOfTheWebhookAndTheMount() {
        List<HasMetadata> own = certManager.objects().stream()
                .filter(each -> !(each instanceof GenericKubernetesResource))
                .toList();
        Volume mounted = certificates(certManager);
        mounted.setSecret(certificates(base).getSecret());
        mounted.setProjected(null);
        assertThat(certManager
                        .only(MutatingWebhookConfiguration.class)
                        .getMetadata()
                        .getAnnotations()
                        .remove(ANNOTATION))
                .isEqualTo("gpu-webhook/gpu-webhook");
        assertThat(own)
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyInAnyOrderElementsOf(base.objects());
    }

    @Test
    void certManagerIssuesThePairThatThePodMounts() {
        GenericKubernetesResource leaf = certificate("gpu-webhook");
        assertThat(leaf.<String>get("spec", "secretName")).isEqualTo("gpu-webhook-certs");
        assertThat(leaf.<List<String>>get("spec", "dnsNames")).contains("gpu-webhook.gpu-webhook.svc");
        assertThat(leaf.<Map<String, Object>>get("spec", "privateKey"))
                .containsEntry("algorithm", "ECDSA")
                .containsEntry("size", 256);
        assertThat(leaf.<List<String>>get("spec", "usages")).contains("server auth");
    }

    /** The names of the files are those of the script, so that one configuration suits both. */
    @Test
    void certManagerIssuesWhatReplicasShowEachOtherByAnAuthorityOfTheirOwn() {
        GenericKubernetesResource leaf = certificate("gpu-webhook-peers");
        assertThat(leaf.<List<String>>get("spec", "dnsNames")).containsExactly(CertificateUse.PEER_NAME);
        assertThat(leaf.<List<String>>get("spec", "usages")).contains("server auth", "client auth");
        assertThat(leaf.<String>get("spec", "issuerRef", "name")).isEqualTo("gpu-webhook-peers-ca");
        var sources = certificates(Manifests.rendered("k8s/overlays/cert-manager"))
                .getProjected()
                .getSources();
        assertThat(sources)
                .extracting(source -> source.getSecret().getName())
                .containsExactly("gpu-webhook-certs", leaf.get("spec", "secretName"));
        assertThat(sources.getLast().getSecret().getItems())
                .extracting(KeyToPath::getPath)
                .containsExactlyInAnyOrder("peers-ca.crt", "peers-tls.crt", "peers-tls.key");
    }

    private static Volume certificates(Manifests manifests) {
        return manifests.only(Deployment.class).getSpec().getTemplate().getSpec().getVolumes().stream()
                .filter(volume -> volume.getName().equals("certs"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyCertificateHasAnIssuerThatIsThere() {
        assertThat(certManager.all(GenericKubernetesResource.class))
                .filteredOn(each -> each.getKind().equals("Certificate"))
                .hasSize(4)
                .allSatisfy(each -> assertThat(certManager.names())
                        .contains("Issuer/" + each.<String>get("spec", "issuerRef", "name")));
    }

    /** caBundle holds one authority only: with a new key every leaf of the old one would be refused at once. */
    @Test
    void theAuthorityKeepsItsKeyWhenItIsRenewed() {
        for (String authority : List.of("gpu-webhook-ca", "gpu-webhook-peers-ca")) {
            assertThat(certificate(authority).<String>get("spec", "privateKey", "rotationPolicy"))
                    .isEqualTo("Never");
        }
    }

    @Test
    void everythingIsInTheNamespaceOfTheGateway() {
        assertThat(certManager.all(GenericKubernetesResource.class))
                .hasSize(7)
                .extracting(each -> each.getMetadata().getNamespace())
                .containsOnly("gpu-webhook");
    }

    @Test
    void selfManagedAddsRightsByNameAndMountsNothing() {
        List<HasMetadata> added = selfManaged.objects().stream()
                .filter(each -> each.getMetadata().getName().equals("gpu-webhook-certificates"))
                .toList();
        assertThat(added)
                .extracting(HasMetadata::getKind)
                .containsExactlyInAnyOrder("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding");
        assertThat(selfManaged
                        .only(Deployment.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getVolumes())
                .extracting(Volume::getName)
                .containsExactlyInAnyOrder("config", "tmp");
        assertThat(selfManaged.configuration().getData().get("self-managed.yaml"))
                .contains("mode: self-managed");
    }

    @Test
    void selfManagedLeavesTheWebhookWithoutABundleAndEverythingElseAsItIs() {
        assertThat(selfManaged.only(MutatingWebhookConfiguration.class))
                .isEqualTo(base.only(MutatingWebhookConfiguration.class));
        List<HasMetadata> others = base.objects().stream()
                .filter(each -> !(each instanceof Deployment) && !(each instanceof ConfigMap))
                .toList();
        assertThat(selfManaged.objects()).containsAll(others);
    }

    private GenericKubernetesResource certificate(String name) {
        return certManager.all(GenericKubernetesResource.class).stream()
                .filter(each -> each.getKind().equals("Certificate"))
                .filter(each -> each.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
