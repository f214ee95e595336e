package dev.sluice.admission;

import dev.sluice.cluster.Quantity;
import dev.sluice.cluster.ResourceName;
import dev.sluice.injection.Injection.Refusal;
import dev.sluice.injection.Injection.Taken;
import dev.sluice.injection.Injection.Wanted;
import dev.sluice.injection.PodResources;
import java.util.List;
import java.util.stream.Collectors;

/** Why a pod is refused for what its GPUs bring, in the predecessor's words and with numbers. */
record InjectionWording(List<Move> moves) {

    private static final String WITHOUT = ", or drop the annotation " + PodResources.TYPE;

    /** Of a whole number; more is no amount that a machine could have. */
    private static final int MOST_DIGITS = 20;

    private static final int MOST_NAMES = 3;

    String denied(Refusal refusal) {
        return switch (refusal) {
            case Refusal.DifferentResources different ->
                Wording.denial(
                        "the pod has different GPU resources, and a rule of gpu-type "
                                + Wording.short40(different.type())
                                + " can serve one only: "
                                + some(different.wanted().stream()
                                        .map(this::wanted)
                                        .toList()),
                        "; split the pod" + WITHOUT);
            case Refusal.NoGpu none ->
                Wording.denial(
                        Wording.containers(none.wanted().containers())
                                + resource(none.wanted().resource()) + " is 0, so the pod has no gpu of gpu-type "
                                + Wording.short40(none.type()),
                        "; ask for 1 or more" + WITHOUT);
            case Refusal.TooLarge tooLarge -> tooLarge(tooLarge);
            case Refusal.Overflow overflow ->
                Wording.denial(
                        Wording.short40(overflow.gpus()) + " "
                                + resource(overflow.use().resource()) + " would bring more " + overflow.resource()
                                + " than a quantity can say",
                        "; ask for fewer" + WITHOUT);
        };
    }

    private String tooLarge(Refusal.TooLarge refusal) {
        List<String> names = refusal.taken().stream().map(Taken::container).toList();
        Quantity asked = refusal.asked();
        String total = shown(refusal.total());
        return Wording.denial(
                Wording.containers(names) + "requests of " + shown(asked) + " " + refusal.resource()
                        + " outside the GPU containers are too large: " + refusal.gpus() + " "
                        + resource(refusal.use().resource()) + " of gpu-type "
                        + Wording.short40(refusal.use().type()) + " bring " + total + " in all"
                        + less(refusal.total(), asked),
                "; request at most " + total + " there" + WITHOUT);
    }

    /**
     * By how much the total is less; of absurd amounts nobody needs to know, and the difference would fill the heap.
     */
    private static String less(Quantity total, Quantity asked) {
        if (isAbsurd(total) || isAbsurd(asked)) {
            return "";
        }
        Quantity missing = total.withAmount(asked.amount().subtract(total.amount()));
        return ", " + shown(missing) + " less";
    }

    /** Canonical, and an absurd one as it was written: neither writes the zeros of {@code 1e99999999} out. */
    private static String shown(Quantity quantity) {
        return Wording.short40(isAbsurd(quantity) ? quantity.text() : quantity.canonical());
    }

    private static boolean isAbsurd(Quantity quantity) {
        return (long) quantity.amount().precision() - quantity.amount().scale() > MOST_DIGITS;
    }

    private String wanted(Wanted wanted) {
        return resource(wanted.resource()) + " in "
                + Wording.containers(wanted.containers()).replaceFirst(": $", "");
    }

    /** In full, and with what was asked where it is given instead. */
    private String resource(ResourceName given) {
        String asked = some(moves.stream()
                .filter(move -> move.given().equals(given))
                .map(move -> move.asked().value())
                .toList());
        return asked.isEmpty() ? given.value() : given + " (given for " + asked + ")";
    }

    /** A pod can bring any number of them. */
    private static String some(List<String> names) {
        String first = names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        return names.size() <= MOST_NAMES ? first : first + " and " + (names.size() - MOST_NAMES) + " more";
    }
}
