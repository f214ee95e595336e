package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directory of somebody who follows {@code src/docs/operate.md}: a copy of {@code k8s/}, and on top of it the
 * overlay that is shown there. It differs in what this machine needs: the address of the webhook, and who runs its
 * pods.
 */
record OwnOverlay(ControlPlane plane, Path directory) {

    private static final List<Path> DOCUMENTS =
            List.of(Path.of("src", "docs", "operate.md"), Path.of("src", "docs", "availability-mode.md"));
    private static final Pattern SHOWN =
            Pattern.compile("```yaml\n# gpu-webhook/kustomization.yaml: [^\n]*\n(.*?)```", Pattern.DOTALL);
    private static final String PARTS = """
        resources:
          - ../k8s/overlays/self-managed
        components:
          - ../k8s/components/availability
        """;

    /**
     * Writes the overlay of the documents, as it is shown or without the component that switches availability mode on.
     * The version that is upgraded from demanded that an installation has a directory of its own, and that its
     * configuration repeats what the component sets.
     *
     * @param components further components of {@code k8s/components}
     */
    static OwnOverlay of(ControlPlane plane, String name, String mode, List<String> components, String url)
            throws IOException {
        OwnOverlay overlay = new OwnOverlay(plane, plane.scratch(name));
        String shown = shown();
        assertThat(shown).contains(PARTS);
        Files.createDirectories(overlay.own("parts"));
        List<String> all = new ArrayList<>(components);
        if (mode.equals("availability")) {
            all.add(mode);
        }
        Files.writeString(
                overlay.own("parts/kustomization.yaml"),
                "resources: [../../k8s/overlays/self-managed]\ncomponents: "
                        + all.stream()
                                .map(component -> "../../k8s/components/" + component)
                                .toList()
                        + "\n");
        Files.writeString(overlay.own("kustomization.yaml"), shown.replace(PARTS, "resources: [parts]\n"));
        Files.writeString(overlay.own("kustomization.yaml"), """
            patches:
              - target: {kind: MutatingWebhookConfiguration}
                patch: |-
                  - {op: replace, path: /webhooks/0/clientConfig, value: {url: "%s"}}
              - target: {kind: Deployment}
                patch: |-
                  - {op: add, path: /spec/template/metadata/annotations, value: {it.sluice.dev/fate: creating}}
            """.formatted(url), StandardOpenOption.APPEND);
        Files.writeString(overlay.own("gateway.yaml"), """
            tls: {mode: self-managed, selfManaged: {names: [127.0.0.1]}}
            policy: {mode: %s}
            """.formatted(mode));
        return overlay;
    }

    private static String shown() throws IOException {
        Matcher matcher = SHOWN.matcher(Files.readString(DOCUMENTS.getFirst()));
        assertThat(matcher.find()).as("the overlay in operate.md").isTrue();
        return matcher.group(1);
    }

    Path own(String file) {
        return directory.resolve("gpu-webhook").resolve(file);
    }

    /** Takes the manifests of a version in place of the former ones, and names its image. */
    void take(Path manifests, String tag) throws IOException {
        Path here = directory.resolve("k8s");
        if (Files.exists(here)) {
            Directories.delete(here);
        }
        var _ = Command.in(directory, "cp", "-r", manifests.toAbsolutePath().toString(), "k8s")
                .output();
        Path file = own("kustomization.yaml");
        Files.writeString(file, Files.readString(file).replaceFirst("newTag: .*", "newTag: " + tag));
    }

    /** A command for kubectl as a document has it, run here. */
    Command.Ended run(String documented) throws IOException {
        StringBuilder documents = new StringBuilder();
        for (Path document : DOCUMENTS) {
            documents.append(Files.readString(document));
        }
        assertThat(documents).contains(documented);
        String[] words = documented.replace("'", "").split(" ", -1);
        assertThat(words[0]).isEqualTo("kubectl");
        return plane.kubectl(Arrays.copyOfRange(words, 1, words.length))
                .within(directory)
                .run();
    }

    /** The same, where it has to end well. */
    void follow(String documented) throws IOException {
        Command.Ended ended = run(documented);
        assertThat(ended.code()).as(documented + ": " + ended.complaint()).isZero();
    }
}
