package dev.sluice.cli.explain;

import dev.sluice.cli.console.UserProblem;
import dev.sluice.text.CountText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files of the user that contain the manifests to explain. */
final class ExplainFiles {

    static final class ReadFile {

        /** The name of the file in messages. */
        private final String source;

        private final byte[] content;

        private ReadFile(String source, byte[] content) {
            this.source = source;
            this.content = content;
        }

        String source() {
            return source;
        }

        byte[] content() {
            return content;
        }
    }

    private final List<ReadFile> files;

    private ExplainFiles(List<ReadFile> files) {
        this.files = List.copyOf(files);
    }

    /**
     * Reads all files. They are read before a gateway is asked, because standard input cannot be read again if no
     * gateway answers.
     */
    static ExplainFiles read(ManifestFile reader, List<String> names) throws UserProblem {
        List<ReadFile> files = new ArrayList<>();
        for (String name : names) {
            files.add(new ReadFile(ManifestFile.source(name), reader.read(name)));
        }
        return new ExplainFiles(files);
    }

    List<ReadFile> all() {
        return files;
    }

    /** Returns the manifests that create pods. */
    static List<Manifest> withPods(List<Manifest> manifests) {
        return manifests.stream()
                .filter(manifest -> manifest instanceof Manifest.ManifestPods || manifest instanceof Manifest.Review)
                .toList();
    }

    /**
     * Returns one note about all objects of a file that create no pods. It names only the first one, because a file can
     * contain any number of them. Returns empty if there are none.
     */
    static Optional<String> skipped(List<Manifest> manifests) {
        List<Manifest.Other> others = manifests.stream()
                .filter(Manifest.Other.class::isInstance)
                .map(Manifest.Other.class::cast)
                .toList();
        int more = others.size() - 1;
        return others.stream()
                .findFirst()
                .map(first -> first.source() + ": explain finds no pod template in " + first.title()
                        + (more == 0
                                ? ", and leaves it out"
                                : " and " + CountText.of(more, "other object") + ", and leaves them out"));
    }

    /** Returns the problem to report if no file contains a pod or an object that creates pods. */
    UserProblem withoutPods() {
        return new UserProblem(
                String.join(", ", files.stream().map(ReadFile::source).toList())
                        + ": there is no pod to explain; give a Pod, something with a pod template, or an AdmissionReview. If"
                        + " its controller writes the pods itself, give one of them: kubectl get pod NAME -o yaml");
    }
}
