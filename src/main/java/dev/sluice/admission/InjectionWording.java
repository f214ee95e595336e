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

    String denied(Refusal refusal) {
        return switch (refusal) {
            case Refusal.DifferentResources different ->
                Wording.denial(
                        "the pod has different GPU resources, and a rule of gpu-type "
                                + Wording.short40(different.type())
                                + " can serve one only: "
                                + different.wanted().stream().map(this::wanted).collect(Collectors.joining(", ")),
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
                        overflow.gpus() + " " + resource(overflow.use().resource()) + " would bring more "
                                + overflow.resource() + " than a quantity can say",
                        "; ask for fewer" + WITHOUT);
        };
    }

    private String tooLarge(Refusal.TooLarge refusal) {
        List<String> names = refusal.taken().stream().map(Taken::container).toList();
        Quantity asked = refusal.asked();
        Quantity missing = refusal.total()
                .withAmount(asked.amount().subtract(refusal.total().amount()));
        String total = refusal.total().canonical();
        return Wording.denial(
                Wording.containers(names) + "requests of " + asked.canonical() + " " + refusal.resource()
                        + " outside the GPU containers are too large: " + refusal.gpus() + " "
                        + resource(refusal.use().resource()) + " of gpu-type "
                        + Wording.short40(refusal.use().type()) + " bring " + total + " in all, "
                        + missing.canonical() + " less",
                "; request at most " + total + " there" + WITHOUT);
    }

    private String wanted(Wanted wanted) {
        return resource(wanted.resource()) + " in "
                + Wording.containers(wanted.containers()).replaceFirst(": $", "");
    }

    /** In full, and with what was asked where it is given instead. */
    private String resource(ResourceName given) {
        String asked = moves.stream()
                .filter(move -> move.given().equals(given))
                .map(move -> move.asked().value())
                .collect(Collectors.joining(", "));
        return asked.isEmpty() ? given.value() : given + " (given for " + asked + ")";
    }
}
