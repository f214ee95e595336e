package dev.sluice.admission.injection;

import dev.sluice.admission.injection.Injection.Basis;
import dev.sluice.admission.injection.Injection.KeptRequest;
import dev.sluice.admission.injection.Injection.Line;
import dev.sluice.admission.injection.Injection.Portion;
import dev.sluice.admission.injection.Injection.Refusal;
import dev.sluice.admission.injection.Injector.UserValues;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/** Calculates the resources that one rule gives to a pod. */
final class InjectionCalculator {

    private static final BigDecimal MOST_GPUS = BigDecimal.valueOf(Long.MAX_VALUE);

    private final InjectionPodResources pod;
    private final InjectionRules.RuleInUse use;
    private final InjectionUserValues userValues;

    InjectionCalculator(InjectionPodResources pod, InjectionRules.RuleInUse use, UserValues userValues) {
        this.pod = pod;
        this.use = use;
        this.userValues = switch (userValues) {
            case OVERWRITTEN -> InjectionUserValues.OVERWRITE;
            case KEPT -> new InjectionUserValues.KeepUserValues(InjectionLimitRangerDefaults.parse(pod.limitRanger()));
        };
    }

    static Stream<InjectionPodResources.Container> mainContainers(InjectionPodResources pod) {
        return pod.containers().stream().filter(container -> container.kind() == PodContainerKind.MAIN);
    }

    Injection injection() {
        Quantity all = mainContainers(pod)
                .map(container -> container.requested(use.resource()))
                .reduce(Quantity.ZERO, Quantity::plus);
        if (all.amount().compareTo(MOST_GPUS) >= 0) {
            return new Injection.Refused(new Refusal.Overflow(use, all.canonical(), use.resource()));
        }
        long gpus = all.value();
        List<Line> lines = new ArrayList<>();
        for (InjectionResourceRule rule : use.rule().resources()) {
            switch (calculate(rule, gpus)) {
                case ResourceResult.ResourceRefused refused -> {
                    return new Injection.Refused(refused.refusal());
                }
                case ResourceResult.ResourceInjected done -> lines.add(done.line());
            }
        }
        return new Injection.Injected(use, gpus, lines);
    }

    /** The result for one resource: its amounts, or the reason why the pod is refused. */
    private sealed interface ResourceResult {
        record ResourceInjected(Line line) implements ResourceResult {}

        record ResourceRefused(Refusal refusal) implements ResourceResult {}
    }

    private ResourceResult calculate(InjectionResourceRule rule, long gpus) {
        if (pod.podLevel().contains(rule.name())) {
            return new ResourceResult.ResourceInjected(new Line(rule, new Basis.LeftToPod(), List.of()));
        }
        Optional<Quantity> total = rule.amountFor(gpus);
        if (total.isEmpty()) {
            return new ResourceResult.ResourceRefused(new Refusal.Overflow(use, Long.toString(gpus), rule.name()));
        }
        return rule.isShared() ? shared(rule, gpus, total.get()) : new ResourceResult.ResourceInjected(each(rule));
    }

    private ResourceResult shared(InjectionResourceRule rule, long gpus, Quantity total) {
        List<KeptRequest> taken = taken(rule);
        Refusal.TooLarge refusal = new Refusal.TooLarge(use, gpus, rule.name(), total, taken);
        // The amounts are compared before they are subtracted, because a subtraction would write out all digits of a
        // request such as 1e99999999.
        if (refusal.asked().compareTo(total) > 0) {
            return new ResourceResult.ResourceRefused(refusal);
        }
        Quantity left = total.withAmount(total.amount().subtract(refusal.asked().amount()));
        BigInteger milli = left.amount()
                .movePointRight(3)
                .setScale(0, RoundingMode.FLOOR)
                .toBigInteger()
                .divide(BigInteger.valueOf(gpus));
        Quantity perGpu = total.withAmount(new BigDecimal(milli, 3));
        List<Portion> portions =
                portions(rule, own -> perGpu.withAmount(perGpu.amount().multiply(BigDecimal.valueOf(own))));
        return new ResourceResult.ResourceInjected(
                new Line(rule, new Basis.Shared(total, taken, left, perGpu), portions));
    }

    private List<KeptRequest> taken(InjectionResourceRule rule) {
        return pod.containers().stream()
                .filter(container -> container.kind() != PodContainerKind.INIT && !container.has(use.resource()))
                .filter(container -> container.has(rule.name()))
                .map(container -> new KeptRequest(container.name(), container.requested(rule.name())))
                .toList();
    }

    private Line each(InjectionResourceRule rule) {
        // The amount for all GPUs of the pod fits into a quantity. A container has at most as many GPUs, so its amount
        // fits, too.
        return new Line(
                rule,
                new Basis.Each(),
                portions(rule, own -> rule.amountFor(own).orElseThrow()));
    }

    private List<Portion> portions(InjectionResourceRule rule, LongFunction<Quantity> share) {
        List<Portion> portions = new ArrayList<>();
        for (int i = 0; i < pod.containers().size(); i++) {
            InjectionPodResources.Container container = pod.containers().get(i);
            if (container.kind() == PodContainerKind.MAIN && container.has(use.resource())) {
                long own = container.requested(use.resource()).value();
                portions.add(
                        userValues.portion(i, own, container, new InjectionUserValues.Share(rule, share.apply(own))));
            }
        }
        return portions;
    }
}
