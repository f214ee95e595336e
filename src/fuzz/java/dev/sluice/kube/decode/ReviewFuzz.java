package dev.sluice.kube.decode;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.fuzz.Frugal;
import dev.sluice.fuzz.Trees;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;

/** A review is read as a plain tree reads it, or is refused where the tree is no review either. */
public final class ReviewFuzz {

    private static final byte[] GOOD = """
            {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"good","operation":"CREATE",
             "kind":{"group":"","version":"v1","kind":"Pod"},"namespace":"team-a","object":{"spec":{"containers":[]}}}}
            """.getBytes(StandardCharsets.UTF_8);

    private static final ReviewDecoder DECODER = new ReviewDecoder();

    private ReviewFuzz() {}

    public static void fuzzerTestOneInput(byte[] body) {
        Frugal.run(body.length, () -> {
            try {
                same(DECODER.decode(body), body);
            } catch (NotAReviewException refused) {
                justly(refused, body);
            }
            if (!good().uid().equals("good")) {
                throw new AssertionError("a good review is not read after this");
            }
        });
    }

    private static AdmissionReview good() {
        try {
            return DECODER.decode(GOOD);
        } catch (NotAReviewException spoilt) {
            throw new AssertionError("a good review is refused after this", spoilt);
        }
    }

    private static void same(AdmissionReview review, byte[] body) {
        JsonNode tree = Trees.read(body).orElseThrow(() -> new AssertionError("a tree refuses what was read"));
        JsonNode request = tree.path("request");
        JsonNode kind = request.path("kind");
        String what = text(kind.path("group")) + "/" + text(kind.path("version")) + "/" + text(kind.path("kind"));
        equal(review.uid(), text(request.path("uid")));
        equal(review.kind(), what);
        equal(review.operation(), text(request.path("operation")));
        equal(review.subResource(), text(request.path("subResource")));
        equal(review.namespace(), text(request.path("namespace")));
        equal(
                review.dryRun() == AdmissionReview.DryRun.YES,
                request.path("dryRun").asBoolean());
    }

    private static String text(JsonNode value) {
        return value.isTextual() ? value.textValue() : "";
    }

    private static void equal(Object read, Object inTree) {
        if (!read.equals(inTree)) {
            throw new AssertionError("read as '" + read + "' what a tree reads as '" + inTree + "'");
        }
    }

    private static void justly(NotAReviewException refused, byte[] body) {
        if (!refused.sentence().matches("[^\\p{Cntrl}]+")) {
            throw new AssertionError("no plain sentence: " + refused.sentence());
        }
        Optional<JsonNode> tree = Trees.readStrictly(body);
        if (tree.isPresent() && isReview(tree.get())) {
            throw new AssertionError("a good review was refused: " + refused.sentence());
        }
    }

    private static boolean isReview(JsonNode tree) {
        JsonNode request = tree.path("request");
        JsonNode kind = request.path("kind");
        return text(tree.path("kind")).equals("AdmissionReview")
                && text(tree.path("apiVersion")).equals("admission.k8s.io/v1")
                && !text(request.path("uid")).isEmpty()
                && (kind.isObject() || isAbsent(kind))
                && Stream.of("group", "version", "kind").map(kind::path).allMatch(ReviewFuzz::isTextOrAbsent)
                && Stream.of("operation", "subResource", "namespace")
                        .map(request::path)
                        .allMatch(ReviewFuzz::isTextOrAbsent)
                && (request.path("dryRun").isBoolean() || isAbsent(request.path("dryRun")));
    }

    private static boolean isTextOrAbsent(JsonNode value) {
        return value.isTextual() || isAbsent(value);
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isNull() || value.isMissingNode();
    }
}
