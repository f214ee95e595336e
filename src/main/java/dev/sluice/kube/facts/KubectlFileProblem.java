package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JacksonException;
import dev.sluice.files.FileReadFailure;
import dev.sluice.files.MeteredFileStream;
import dev.sluice.json.JsonOrYamlText;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;
import java.util.zip.ZipException;

/** The reasons why a file with Kubernetes objects cannot be used. */
public final class KubectlFileProblem {

    private KubectlFileProblem() {}

    /**
     * Describes the failure. The text continues a sentence that begins with the name of the file.
     *
     * @param mostFrequent the most frequent kind of object in the file, and the number of its objects
     * @param howToWriteOne the command that writes such a file
     */
    public static String sentence(
            IOException failed, KubectlFileLimits limits, String mostFrequent, String howToWriteOne) {
        if (MeteredFileStream.isTooLong(failed)) {
            return ": the text is longer than " + (limits.textBytes() >> 20) + " MiB, most of it " + mostFrequent
                    + "; raise the limit with --read-limit, or leave out this kind";
        }
        Optional<MeteredFileStream.Barren> barren = MeteredFileStream.barren(failed);
        if (barren.isPresent()) {
            return ": " + barren.get().getMessage() + "; " + howToWriteOne;
        }
        return switch (failed) {
            case KubectlObjectBudget.TooManyObjects tooMany -> ": " + tooMany.of(mostFrequent);
            case JacksonException broken -> JsonOrYamlText.brokenAt(broken, howToWriteOne);
            case EOFException _, ZipException _ -> ": the file is cut short or no good gzip; " + howToWriteOne;
            default -> " " + FileReadFailure.sentence(failed, howToWriteOne);
        };
    }
}
