package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.sluice.admission.patch.PatchOperation;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.VerdictTexts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/** Encodes the answer to an AdmissionReview. Only this class writes the uid, apiVersion and kind of an answer. */
public final class ReviewEncoder {

    /**
     * All characters other than ASCII are escaped, so that every uid is returned unchanged, even one that contains half
     * of a surrogate pair.
     */
    private static final JsonFactory JSON =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private static final int FORBIDDEN = 403;
    private static final String DENIED = "denied";
    private static final byte[] NOTHING = {};

    private ReviewEncoder() {}

    /** Writes the fields of the response object. */
    private interface Response {
        void write(JsonGenerator json) throws IOException;
    }

    /**
     * A byte stream whose array is returned without a copy if the answer fills it. An answer of up to 8,000 bytes
     * always fills it: the array is empty at first, and Jackson writes such an answer at once.
     */
    private static final class GeneratedBytes extends ByteArrayOutputStream {

        GeneratedBytes() {
            super(0);
        }

        byte[] whole() {
            return count == buf.length ? buf : toByteArray();
        }
    }

    /** Returns the answer to a review of a pod, with the verdict and the texts for the user. */
    public static byte[] encode(String uid, Verdict verdict, VerdictTexts words) {
        return switch (verdict) {
            case Verdict.NoGpu _ -> allowedUndecided(uid);
            case Verdict.Allowed allowed -> {
                // The patch is encoded before the review, because Jackson's pool has buffers for only one generator at
                // a time.
                byte[] patch = patch(allowed.patch());
                yield review(uid, json -> {
                    json.writeBooleanField("allowed", true);
                    if (patch.length > 0) {
                        json.writeStringField("patchType", "JSONPatch");
                        json.writeBinaryField("patch", patch);
                    }
                    warnings(words.warnings(), json);
                    audit(allowed.outcome().word(), allowed.reason(), json);
                });
            }
            case Verdict.Denied denied ->
                review(uid, json -> {
                    json.writeBooleanField("allowed", false);
                    json.writeObjectFieldStart("status");
                    json.writeNumberField("code", FORBIDDEN);
                    json.writeStringField("reason", "Forbidden");
                    json.writeStringField("message", words.message());
                    json.writeEndObject();
                    warnings(words.warnings(), json);
                    audit(DENIED, denied.reason(), json);
                });
        };
    }

    /**
     * Returns the answer to a review whose verdict is not carried out: the pod is allowed unchanged, and the audit
     * annotations contain the verdict.
     *
     * @param warnings the sentences for the user about what would have been done
     */
    public static byte[] encodeObserved(String uid, Verdict verdict, List<String> warnings) {
        return switch (verdict) {
            case Verdict.NoGpu _ -> allowedUndecided(uid);
            case Verdict.Allowed allowed -> observed(uid, allowed.outcome().word(), allowed.reason(), warnings);
            case Verdict.Denied denied -> observed(uid, DENIED, denied.reason(), warnings);
        };
    }

    private static byte[] observed(String uid, String decision, Reason reason, List<String> warnings) {
        return review(uid, json -> {
            json.writeBooleanField("allowed", true);
            warnings(warnings, json);
            json.writeObjectFieldStart("auditAnnotations");
            json.writeStringField("decision", decision);
            json.writeStringField("enforcement", Policy.Enforcement.OBSERVE.word());
            json.writeStringField("reason", reason.word());
            json.writeEndObject();
        });
    }

    /** Returns the answer to a request about which Sluice does not decide. The request is allowed without any text. */
    public static byte[] allowedUndecided(String uid) {
        return review(uid, json -> json.writeBooleanField("allowed", true));
    }

    private static byte[] review(String uid, Response response) {
        GeneratedBytes bytes = new GeneratedBytes();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("apiVersion", "admission.k8s.io/v1");
            json.writeStringField("kind", "AdmissionReview");
            json.writeObjectFieldStart("response");
            json.writeStringField("uid", uid);
            response.write(json);
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return bytes.whole();
    }

    /** Returns the patch as JSON. Returns an empty array if there are no operations. */
    private static byte[] patch(List<PatchOperation> patch) {
        if (patch.isEmpty()) {
            return NOTHING;
        }
        GeneratedBytes bytes = new GeneratedBytes();
        try (JsonGenerator operations = JSON.createGenerator(bytes)) {
            ReviewPatchEncoder.write(patch, operations);
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return bytes.whole();
    }

    private static void warnings(List<String> warnings, JsonGenerator json) throws IOException {
        if (!warnings.isEmpty()) {
            json.writeArrayFieldStart("warnings");
            for (String warning : warnings) {
                json.writeString(warning);
            }
            json.writeEndArray();
        }
    }

    /** Writes the audit annotations. The API server adds the name of the webhook as a prefix to their keys. */
    private static void audit(String decision, Reason reason, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("auditAnnotations");
        json.writeStringField("decision", decision);
        json.writeStringField("reason", reason.word());
        json.writeEndObject();
    }
}
