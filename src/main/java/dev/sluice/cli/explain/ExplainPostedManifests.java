package dev.sluice.cli.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.admission.ExplanationOccupancy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.api.CapacityReport.LeftOut;
import dev.sluice.api.ClusterContents;
import dev.sluice.api.DocumentResponse;
import dev.sluice.api.ExplainDocument;
import dev.sluice.api.ExplainDocument.AnsweringGateway;
import dev.sluice.api.ExplainDocument.ReservationsBasis;
import dev.sluice.bus.LedgerCopyReply;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.cli.console.AnsiStyle;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.status.Registration;
import dev.sluice.management.ManagementManifestExplainer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Explains manifests for the management port of a running gateway. It gives the same explanations as the command
 * {@code explain}.
 */
public final class ExplainPostedManifests implements ManagementManifestExplainer {

    /**
     * The name of the source of the manifests in messages. The command {@code explain} uses the name of the file
     * instead.
     */
    private static final String SOURCE = "the body";

    /**
     * The registration of the webhook is unknown, because a gateway has no right to read it. The command
     * {@code explain} reads it with the rights of its user.
     */
    private static final Registration NOT_READ =
            Registration.unread("a gateway does not read which webhooks are registered, but the command sluice explain"
                    + " does, if its user may");

    /** The maximum number of pods in a request. */
    static final int MOST_PODS = 100;

    /** The time after which no further pod of a request is explained. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    /**
     * The maximum number of node names in an answer. In a large cluster, node names would otherwise be most of the
     * answer.
     */
    private static final long MOST_NAMES = 100_000;

    /** The maximum length of an answer, in characters. */
    private static final int LONGEST_ANSWER = 4 * 1_024 * 1_024;

    /** Thrown if the request cannot be answered. */
    private static final class Unanswerable extends Exception {

        private static final long serialVersionUID = 1;

        private final transient DocumentResponse answer;

        Unanswerable(int status, String title, String detail) {
            super(detail, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
            this.answer = DocumentResponse.problem(status, title, detail);
        }

        static Unanswerable tooLarge(String detail) {
            return new Unanswerable(413, "Content Too Large", detail + "; ask about fewer pods");
        }
    }

    @Override
    public DocumentResponse explain(ExplainQuestion question, ExplainBasis basis) {
        try {
            List<Manifest> manifests = manifests(question);
            List<Explained> explained = explained(manifests, question, basis);
            AnsweringGateway gateway = gateway(basis);
            String text = question.text() ? text(explained, gateway) : null;
            ExplainDocument document =
                    ExplainJson.document(explained, NOT_READ, "gateway").by(gateway, text);
            DocumentResponse answer = DocumentResponse.explanation(document);
            if (answer.json().length() > LONGEST_ANSWER) {
                throw Unanswerable.tooLarge("the answer would be longer than 4 MiB");
            }
            return answer;
        } catch (Unanswerable refused) {
            return refused.answer;
        } catch (UserProblem problem) {
            return DocumentResponse.problem(400, "Bad Request", String.valueOf(problem.getMessage()));
        } catch (StackOverflowError _) {
            return DocumentResponse.problem(400, "Bad Request", SOURCE + " is nested too deeply");
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
    }

    private static List<Manifest> manifests(ExplainQuestion question) throws UserProblem, Unanswerable {
        List<Manifest> manifests = new ArrayList<>();
        List<Manifest> all = ManifestReader.readJson(SOURCE, question.json().getBytes(UTF_8));
        for (Manifest manifest : ExplainFiles.withPods(ManifestClasses.fill(all))) {
            if (question.isOfTenant()
                    && manifest instanceof Manifest.Review review
                    && !question.namespace().equals(Optional.of(review.review().namespace()))) {
                throw new Unanswerable(
                        403, "Forbidden", "the review in the body is for another namespace than the one in the query");
            }
            manifests.add(manifest);
        }
        if (manifests.isEmpty()) {
            throw new Unanswerable(
                    400,
                    "Bad Request",
                    "there is no pod to explain; send a Pod, something that makes pods, or an AdmissionReview");
        }
        if (manifests.size() > MOST_PODS) {
            throw Unanswerable.tooLarge("the body has more than " + MOST_PODS + " pods and pod templates");
        }
        return manifests;
    }

    private static List<Explained> explained(List<Manifest> manifests, ExplainQuestion question, ExplainBasis basis)
            throws UserProblem, Unanswerable {
        ManifestExplanations explanations = new ManifestExplanations(
                basis.policy(), question.namespace(), basis.cluster(), occupancy(question, basis));
        long begin = System.nanoTime();
        long names = 0;
        List<Explained> all = new ArrayList<>();
        for (Manifest manifest : manifests) {
            Explained explained = explanations.explain(manifest);
            if (explained instanceof Explained.Decided decided) {
                names += decided.explanation().nodes().values().stream()
                        .flatMap(List::stream)
                        .mapToLong(alike -> alike.names().size())
                        .sum();
                explained = question.isOfTenant() ? decided : withFaults(decided, basis);
            }
            all.add(explained);
            if (names > MOST_NAMES) {
                throw Unanswerable.tooLarge("the answer would name more than " + MOST_NAMES + " nodes");
            }
            if (System.nanoTime() - begin > LONGEST.toNanos()) {
                throw Unanswerable.tooLarge("the explanation takes more than " + LONGEST.toSeconds() + " s");
            }
        }
        return all;
    }

    private static Explained withFaults(Explained.Decided decided, ExplainBasis basis) throws UserProblem {
        Optional<PodRequest> pod =
                decided.lacksAnything() ? ManifestExplanations.pod(decided.manifest()) : Optional.empty();
        return pod.isPresent() ? decided.with(basis.faults(), pod.get()) : decided;
    }

    private static ExplanationOccupancy occupancy(ExplainQuestion question, ExplainBasis basis) throws Unanswerable {
        if (basis.ledger().isEmpty()) {
            // In allocatable mode, decisions do not depend on what is free, so no copy of the ledger is needed.
            return new ExplainOccupancy(new ClusterContents(List.of(), List.of(), LeftOut.NOTHING));
        }
        LedgerCopyReply copy = basis.ledger().get();
        if (!copy.podsKnown()) {
            throw new Unanswerable(503, "Service Unavailable", "the pods of the cluster have not been listed yet");
        }
        ExplainOccupancy all = new ExplainOccupancy(
                new ClusterContents(
                        List.copyOf(copy.cluster().nodesByName()), copy.pods(), LeftOut.NOTHING, copy.dra()),
                copy.cluster());
        return question.isOfTenant()
                ? new ExplainTenantOccupancy(all, question.namespace().orElseThrow())
                : all;
    }

    private static AnsweringGateway gateway(ExplainBasis basis) {
        return new AnsweringGateway(
                basis.policy().generation(),
                basis.cluster().generation(),
                basis.ledger().isEmpty() ? null : reservations(basis.replication()));
    }

    private static ReservationsBasis reservations(Optional<ReplicationStatusMessage> replication) {
        return replication
                .filter(status -> !status.isLeading())
                .map(status -> status.inSync().contains(status.self())
                        ? ReservationsBasis.COPY_IN_SYNC
                        : ReservationsBasis.COPY_NOT_IN_SYNC)
                .orElse(ReservationsBasis.OWN);
    }

    private static String text(List<Explained> explained, AnsweringGateway gateway) throws IOException {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        ExplainText page = new ExplainText(new TerminalPage(out, AnsiStyle.PLAIN), Registration.UNKNOWN);
        for (int i = 0; i < explained.size(); i++) {
            if (i > 0) {
                out.println();
            }
            page.print(explained.get(i));
        }
        page.endOfGateway(explained, gateway);
        out.flush();
        return text.toString();
    }
}
