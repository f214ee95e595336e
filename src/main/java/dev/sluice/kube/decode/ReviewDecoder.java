package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.sluice.json.JsonCursor;
import dev.sluice.json.JsonFieldSet;
import dev.sluice.json.JsonParsers;
import dev.sluice.json.ShortenedJson;
import dev.sluice.json.SkippingParser;
import dev.sluice.kube.decode.AdmissionReview.DryRun;
import dev.sluice.kube.decode.AdmissionReview.Maker;
import dev.sluice.kube.decode.AdmissionReview.PodObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decodes AdmissionReviews. A decoder keeps a buffer between calls, so each thread needs its own decoder. */
public final class ReviewDecoder {

    /**
     * The maximum memory for decoding a large body, as a multiple of its size. Measurements with bodies of 8 MB showed
     * at most 1.5, for a list of resource names with the quantity zero. The constant is twice as much, because such
     * lists are copied when they grow. Every body can take 3 MiB more, for a limited number of containers, amounts,
     * annotations and constraints, and for the longest string.
     */
    public static final int WORST_EXPANSION = 3;

    /**
     * The size in bytes of the largest review that is converted to characters as a whole before it is decoded. A larger
     * review is converted while it is decoded. An ordinary review has 5 KB.
     */
    public static final int MOST_AT_ONCE = 64 * 1024;

    private static final JsonFactory JSON = new SkippingParser.Factory(JsonParsers.withoutLimitOfLength());

    private final CharsetDecoder utf8 = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private final CharBuffer chars = CharBuffer.allocate(MOST_AT_ONCE);

    /** Decodes the review in {@code body}, which must be one JSON document in UTF-8. */
    public AdmissionReview decode(byte[] body) throws NotAReviewException {
        if (body.length == 0) {
            throw new NotAReviewException("the body is empty");
        }
        return body.length > MOST_AT_ONCE ? decode(new ByteArrayInputStream(body)) : reviewOf(() -> atOnce(body));
    }

    /** Decodes a review that is too large to be converted to characters as a whole. */
    public AdmissionReview decode(InputStream body) throws NotAReviewException {
        return reviewOf(() -> piecewise(body));
    }

    private interface Opening {
        JsonParser open() throws IOException;
    }

    private static AdmissionReview reviewOf(Opening text) throws NotAReviewException {
        try (JsonParser parser = text.open()) {
            parser.nextToken();
            AdmissionReview review = new ReviewReading(parser).review();
            if (parser.nextToken() != null) {
                throw new NotAReviewException("the body goes on after the end of the JSON document");
            }
            return review;
        } catch (JsonProcessingException broken) {
            throw new NotAReviewException(problem(broken));
        } catch (CharacterCodingException _) {
            throw new NotAReviewException("the body is not UTF-8");
        } catch (IOException impossible) {
            throw new IllegalStateException("reading from memory failed", impossible);
        }
    }

    /**
     * Creates a parser for a review whose characters fit into {@link #chars}. Such a parser can skip unneeded fields,
     * so it is faster than a parser of a stream.
     */
    private JsonParser atOnce(byte[] body) throws IOException {
        CharBuffer text = chars.clear();
        utf8.reset();
        boolean legal = utf8.decode(ByteBuffer.wrap(body), text, true).isUnderflow();
        if (!legal) {
            throw new MalformedInputException(1);
        }
        text.flip();
        return JSON.createParser(text.array(), 0, text.limit());
    }

    private JsonParser piecewise(InputStream body) throws IOException {
        utf8.reset();
        return JsonParsers.json(new InputStreamReader(body, utf8));
    }

    /**
     * Returns the sentence for a syntax error. If Jackson's exception has no position, the document is too deep or
     * contains a number with too many digits.
     */
    private static String problem(JsonProcessingException broken) {
        JsonLocation place = broken.getLocation();
        return place == null
                ? "the body nests deeper than " + JsonParsers.DEEPEST + " levels or has a number of more than "
                        + JsonParsers.MOST_DIGITS + " digits"
                : "the body is not one JSON document: it breaks at line " + place.getLineNr() + ", column "
                        + place.getColumnNr();
    }

    /** Holds the fields of one review while it is decoded. The fields may be in any order in the document. */
    private static final class ReviewReading {

        private static final List<String> DOCUMENT_FIELDS = List.of("apiVersion", "kind", "request");
        private static final List<String> REQUEST_FIELDS =
                List.of("uid", "kind", "operation", "subResource", "namespace", "userInfo", "dryRun", "object");
        private static final List<String> KIND_FIELDS = List.of("group", "version", "kind");

        private final JsonCursor cursor;
        private final ReviewPodDecoder pod;
        private final ReviewUserDecoder user;
        private final JsonFieldSet ofDocument;
        private final JsonFieldSet ofRequest;
        private final JsonFieldSet ofKind;
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

        ReviewReading(JsonParser parser) {
            this.cursor = new JsonCursor(parser);
            // Problems of the pod are collected separately, because a review with an invalid pod can still be answered.
            this.pod = new ReviewPodDecoder(new JsonCursor(parser));
            this.user = new ReviewUserDecoder(cursor.withOwnProblems());
            this.ofDocument = new JsonFieldSet(cursor, "the key ", DOCUMENT_FIELDS);
            this.ofRequest = new JsonFieldSet(cursor, "the key request.", REQUEST_FIELDS);
            this.ofKind = new JsonFieldSet(cursor, "the key request.kind.", KIND_FIELDS);
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
                    uid == null ? "" : uid,
                    what,
                    operation,
                    subResource,
                    namespace,
                    pod.name(),
                    pod.owner(),
                    user.isNode() && pod.isMarkedAsMirror() ? Maker.KUBELET_FOR_STATIC_POD : Maker.OTHER,
                    dryRun,
                    object);
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
            return ofRequest.has("uid") && uid == null ? "the request's uid is not a string" : "the request has no uid";
        }

        private void documentField(String field) throws IOException {
            if (ofDocument.isToBeRead(field)) {
                switch (field) {
                    case "apiVersion" -> apiVersion = name(field);
                    case "kind" -> kind = name(field);
                    default -> {
                        requested = !cursor.isNull();
                        cursor.object(field, this::requestField);
                    }
                }
            }
        }

        private void requestField(String field) throws IOException {
            if (!ofRequest.isToBeRead(field)) {
                return;
            }
            switch (field) {
                case "uid" -> uid = uid();
                case "kind" -> cursor.object("request.kind", this::kindField);
                case "operation" -> operation = cursor.name(field);
                case "subResource" -> subResource = cursor.name(field);
                case "namespace" -> namespace = cursor.name(field);
                case "userInfo" -> user.read();
                case "dryRun" -> dryRun = cursor.truth(field) ? DryRun.YES : DryRun.NO;
                default -> {
                    podRead = !cursor.isNull();
                    pod.read();
                }
            }
        }

        private @Nullable String name(String field) throws IOException {
            return cursor.isText() ? cursor.name(field) : cursor.text(field);
        }

        /** Reads the uid in full length, because the answer must repeat it unchanged. */
        private @Nullable String uid() throws IOException {
            if (cursor.letters() >= ShortenedJson.LONGEST_STRING) {
                cursor.report("the request's uid is longer than " + ShortenedJson.LONGEST_STRING + " characters");
            }
            return cursor.text("uid");
        }

        private void kindField(String field) throws IOException {
            if (ofKind.isToBeRead(field)) {
                switch (field) {
                    case "group" -> group = cursor.name(field);
                    case "version" -> version = cursor.name(field);
                    default -> requestKind = cursor.name(field);
                }
            }
        }
    }
}
