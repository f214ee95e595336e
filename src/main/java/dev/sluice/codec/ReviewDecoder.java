package dev.sluice.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.sluice.codec.AdmissionReview.DryRun;
import dev.sluice.codec.AdmissionReview.PodObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads AdmissionReviews. Keeps a buffer between calls: one decoder for each thread. */
public final class ReviewDecoder {

    /** A pod nests about 12 levels deep, managedFields included. */
    private static final int DEEPEST = 256;
    /** The numbers of a pod are 64-bit integers. */
    private static final int MOST_DIGITS = 1000;
    /** Reviews are 5 KB; what much larger ones need is given back at once. */
    private static final int KEPT_CHARS = 64 * 1024;

    /**
     * Names of fields are not pooled: managedFields has keys that never come again ({@code k:{"uid":"…"}}), which would
     * fill the pool of every parser.
     */
    private static final JsonFactory JSON = new SkippingParser.Factory(new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNumberLength(MOST_DIGITS)
                    // The body as a whole is limited; managedFields has names as long as those of environment
                    // variables.
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build()));

    private final CharsetDecoder utf8 = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private final CharBuffer chars = CharBuffer.allocate(KEPT_CHARS);

    /** The review in {@code body}, which must hold just that, as JSON in UTF-8. */
    public AdmissionReview decode(byte[] body) throws NotAReviewException {
        if (body.length == 0) {
            throw new NotAReviewException("the body is empty");
        }
        CharBuffer text = decodeUtf8(body);
        try (JsonParser parser = JSON.createParser(text.array(), 0, text.limit())) {
            parser.nextToken();
            AdmissionReview review = new Reading(parser).review();
            if (parser.nextToken() != null) {
                throw new NotAReviewException("the body goes on after the end of the JSON document");
            }
            return review;
        } catch (JsonProcessingException broken) {
            throw new NotAReviewException(problem(broken));
        } catch (IOException impossible) {
            throw new IllegalStateException("reading from memory failed", impossible);
        }
    }

    /** Jackson names no place for what goes beyond one of its limits. */
    private static String problem(JsonProcessingException broken) {
        JsonLocation place = broken.getLocation();
        return place == null
                ? "the body nests deeper than " + DEEPEST + " levels or has a number of more than " + MOST_DIGITS
                        + " digits"
                : "the body is not one JSON document: it breaks at line " + place.getLineNr() + ", column "
                        + place.getColumnNr();
    }

    private CharBuffer decodeUtf8(byte[] body) throws NotAReviewException {
        CharBuffer target = body.length > KEPT_CHARS ? CharBuffer.allocate(body.length) : chars.clear();
        utf8.reset();
        boolean legal = utf8.decode(ByteBuffer.wrap(body), target, true).isUnderflow();
        if (!legal) {
            throw new NotAReviewException("the body is not UTF-8");
        }
        return target.flip();
    }

    /** One review on its way in; fields may come in any order. */
    private static final class Reading {

        private static final Set<String> REQUEST_FIELDS =
                Set.of("uid", "kind", "operation", "subResource", "namespace", "dryRun", "object");

        private final JsonCursor cursor;
        private final PodDecoder pod;
        private final Set<String> seen = new HashSet<>();
        private @Nullable String apiVersion;
        private @Nullable String kind;
        private @Nullable String uid;
        private boolean requested;
        private boolean podRead;
        private String group = "";
        private String version = "";
        private String requestKind = "";
        private String operation = "";
        private String subResource = "";
        private String namespace = "";
        private DryRun dryRun = DryRun.NO;

        Reading(JsonParser parser) {
            this.cursor = new JsonCursor(parser);
            // With problems of its own: what is wrong in the pod does not make the review unanswerable.
            this.pod = new PodDecoder(new JsonCursor(parser));
        }

        AdmissionReview review() throws IOException, NotAReviewException {
            cursor.object("the document", this::documentField);
            String problem = problem();
            if (problem != null) {
                throw new NotAReviewException(problem);
            }
            PodObject object = podRead ? pod.object() : new PodObject.Absent();
            String what = group + "/" + version + "/" + requestKind;
            return new AdmissionReview(
                    uid == null ? "" : uid, what, operation, subResource, namespace, pod.name(), dryRun, object);
        }

        private @Nullable String problem() {
            if (!Objects.equals(kind, "AdmissionReview")) {
                return "the document is not an AdmissionReview";
            }
            if (!Objects.equals(apiVersion, "admission.k8s.io/v1")) {
                return "the AdmissionReview is not of apiVersion admission.k8s.io/v1";
            }
            if (!requested) {
                return "the AdmissionReview has no request";
            }
            if (uid != null && !uid.isEmpty()) {
                return cursor.problem().orElse(null);
            }
            return seen.contains("request.uid") && uid == null
                    ? "the request's uid is not a string"
                    : "the request has no uid";
        }

        private void documentField(String field) throws IOException {
            once(field);
            switch (field) {
                case "apiVersion" -> apiVersion = cursor.text(field);
                case "kind" -> kind = cursor.text(field);
                case "request" -> {
                    requested = !cursor.isNull();
                    cursor.object(field, this::requestField);
                }
                default -> cursor.skip();
            }
        }

        /** Of two values readers believe different ones; an answer for the wrong one would be worse than none. */
        private void once(String place) {
            if (!seen.add(place)) {
                cursor.report("the key " + place + " stands twice");
            }
        }

        private void requestField(String field) throws IOException {
            if (!REQUEST_FIELDS.contains(field)) {
                cursor.skip();
                return;
            }
            once("request." + field);
            switch (field) {
                case "uid" -> uid = cursor.text(field);
                case "kind" -> cursor.object("request.kind", this::kindField);
                case "operation" -> operation = cursor.textOrEmpty(field);
                case "subResource" -> subResource = cursor.textOrEmpty(field);
                case "namespace" -> namespace = cursor.textOrEmpty(field);
                case "dryRun" -> dryRun = cursor.truth(field) ? DryRun.YES : DryRun.NO;
                case "object" -> {
                    podRead = !cursor.isNull();
                    pod.read();
                }
                default -> cursor.skip();
            }
        }

        private void kindField(String field) throws IOException {
            once("request.kind." + field);
            switch (field) {
                case "group" -> group = cursor.textOrEmpty(field);
                case "version" -> version = cursor.textOrEmpty(field);
                case "kind" -> requestKind = cursor.textOrEmpty(field);
                default -> cursor.skip();
            }
        }
    }
}
