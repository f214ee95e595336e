package dev.sluice.admission.verdict;

import dev.sluice.admission.injection.Injection.KeptRequest;
import dev.sluice.admission.injection.Injection.Refusal;
import dev.sluice.admission.injection.Injection.Wanted;
import dev.sluice.admission.injection.InjectionPodResources;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.text.NameList;
import dev.sluice.text.ShortText;
import java.util.List;

/**
 * Creates the sentence that says why the injection rules refuse a pod. If the sentence is too long, names and numbers
 * are shortened in their middle, and then details are left out. The advice at the end is never cut. A GPU resource that
 * the pod itself requests is always written in full. The wording is that of the predecessor of Sluice, with numbers
 * added.
 */
record VerdictInjectionWording(List<PodRequestReplacement> moves) {

    private static final int[] LONGEST_NAMES = {320, 60, 40, 24, 16, 10};

    public String denied(Refusal refusal) {
        String sentence = "";
        for (int longest : LONGEST_NAMES) {
            sentence = new RefusalSentence(moves, longest).of(refusal);
            if (sentence.length() <= WarningText.LONGEST) {
                break;
            }
        }
        return WarningText.denial(sentence, "");
    }

    /** Creates the sentence with names of at most {@code longest} characters. */
    private record RefusalSentence(List<PodRequestReplacement> moves, int longest) {

        private static final String WITHOUT = ", or drop the annotation " + InjectionPodResources.TYPE;

        /**
         * The maximum length of an amount, of a type, or of the name of a container. It also applies if there is space
         * for more.
         */
        private static final int LONGEST_NAME = 40;

        private static final int USUAL_NAME = 28;

        /** If names may have only this number of characters or fewer, details are left out. */
        private static final int BRIEF = 16;

        String of(Refusal refusal) {
            return switch (refusal) {
                case Refusal.DifferentResources different ->
                    "the pod has different GPU resources, and a rule of gpu-type " + name(different.type())
                            + " can serve one only: "
                            + some(different.wanted().stream().map(this::wanted).toList())
                            + "; split the pod" + WITHOUT;
                case Refusal.ZeroGpus none ->
                    containers(none.wanted().containers()) + ": "
                            + resource(none.wanted().resource()) + " is 0, so the pod has no gpu of gpu-type "
                            + name(none.type()) + "; ask for 1 or more" + WITHOUT;
                case Refusal.TooLarge tooLarge -> tooLarge(tooLarge);
                case Refusal.Overflow overflow ->
                    name(overflow.gpus()) + " " + resource(overflow.use().resource()) + " would bring more "
                            + resourceName(overflow.resource()) + " than a quantity can say; ask for fewer"
                            + WITHOUT;
            };
        }

        private boolean isBrief() {
            return longest <= BRIEF;
        }

        private String tooLarge(Refusal.TooLarge refusal) {
            String total = amount(refusal.total());
            return containers(
                            refusal.taken().stream().map(KeptRequest::container).toList())
                    + ": requests of " + amount(refusal.asked()) + " "
                    + resourceName(refusal.resource())
                    + (isBrief() ? "" : " outside the GPU containers") + " are too large: "
                    + name(Long.toString(refusal.gpus())) + " "
                    + resource(refusal.use().resource())
                    + (isBrief() ? "" : " of gpu-type " + name(refusal.type())) + " allow " + total
                    + (isBrief() ? "" : tooMuch(refusal)) + "; request at most " + total + " there" + WITHOUT;
        }

        private String tooMuch(Refusal.TooLarge refusal) {
            return refusal.excess()
                    .map(excess -> " (" + amount(excess) + " too much)")
                    .orElse("");
        }

        /**
         * Returns the canonical text of a quantity. An extremely large quantity such as {@code 1e99999999} stays as
         * written, because its canonical text would consist of millions of zeros.
         */
        private String amount(Quantity quantity) {
            return name(Refusal.TooLarge.isAbsurd(quantity) ? quantity.text() : quantity.canonical());
        }

        private String wanted(Wanted wanted) {
            String name = resource(wanted.resource());
            return isBrief() ? name : name + " in " + containers(wanted.containers());
        }

        /** Returns the name of a resource. If this resource replaced other resources, their names follow. */
        private String resource(ResourceName given) {
            List<String> asked = moves.stream()
                    .filter(move -> move.given().equals(given))
                    .map(move -> move.asked().value())
                    .toList();
            return asked.isEmpty() ? given.value() : resourceName(given) + " (given for " + some(asked) + ")";
        }

        /**
         * Returns the name of a resource, shortened if it is long. Names of ordinary length are not shortened, because
         * users would not recognise {@code nvidia....g.10gb}.
         */
        private String resourceName(ResourceName resource) {
            return ShortText.ofMiddle(resource.value(), Math.max(longest, USUAL_NAME));
        }

        private String containers(List<String> names) {
            return NameList.withNoun("container", names.stream().map(this::name).toList(), most());
        }

        private String some(List<String> names) {
            return NameList.of(names, most());
        }

        /**
         * Returns the maximum number of names in a list. A pod can contain any number of names, so the others are left
         * out.
         */
        private int most() {
            return isBrief() ? 1 : 3;
        }

        private String name(String text) {
            return ShortText.ofMiddle(text, Math.min(longest, LONGEST_NAME));
        }
    }
}
