package dev.sluice.admission.injection;

import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Optional;

/** The result of injection for a pod, with its calculation. */
public sealed interface Injection {

    Injection NOTHING = new NothingInjected();

    /** No rule applies to the pod. */
    record NothingInjected() implements Injection {}

    /** A rule applies, but the pod cannot satisfy it. */
    record Refused(Refusal refusal) implements Injection {}

    /**
     * A rule applies.
     *
     * @param gpus the GPUs of all main containers
     * @param lines one for each resource of the rule, in its order
     */
    record Injected(InjectionRules.RuleInUse use, long gpus, List<Line> lines) implements Injection {
        public Injected {
            lines = List.copyOf(lines);
        }
    }

    /** A resource of the rule, with what each GPU container gets of it. */
    record Line(ResourceRule rule, Basis basis, List<Portion> portions) {
        public Line {
            portions = List.copyOf(portions);
        }
    }

    sealed interface Basis {

        /** The total for the pod, less what its other containers request, is shared by the GPU containers. */
        record Shared(Quantity total, List<KeptRequest> taken, Quantity left, Quantity perGpu) implements Basis {
            public Shared {
                taken = List.copyOf(taken);
            }
        }

        /** The amount of each container follows from its own GPUs. */
        record Each() implements Basis {}

        /** The pod has a pod-level request for this resource, so that its containers are not changed. */
        record LeftToPod() implements Basis {}
    }

    /** The request of a container without GPU for a shared resource. */
    record KeptRequest(String container, Quantity request) {}

    /**
     * What one GPU container gets.
     *
     * @param container the index of the container in the pod
     * @param share the amount by the rule; {@code request} and {@code limit} differ from it if the user's values are
     *     kept
     */
    record Portion(int container, String name, long gpus, Quantity share, Quantity request, Quantity limit) {

        public boolean isKept() {
            return !request.equals(share) || !limit.equals(share);
        }
    }

    sealed interface Refusal {

        /** The GPU type in the annotation of the pod. */
        String type();

        /** The GPU resources for which the rules were looked up. */
        List<ResourceName> resources();

        /** The rule that the pod cannot satisfy; empty if none could be chosen. */
        default Optional<InjectionRules.RuleInUse> rule() {
            return Optional.empty();
        }

        /** Its containers request several GPU resources for which its type has rules. */
        record DifferentResources(String type, List<Wanted> wanted) implements Refusal {
            public DifferentResources {
                wanted = List.copyOf(wanted);
            }

            @Override
            public List<ResourceName> resources() {
                return wanted.stream().map(Wanted::resource).toList();
            }
        }

        /** Its containers name a GPU resource of a rule with the amount 0. */
        record ZeroGpus(String type, Wanted wanted) implements Refusal {
            @Override
            public List<ResourceName> resources() {
                return List.of(wanted.resource());
            }
        }

        /** A rule was chosen that the pod cannot satisfy. */
        sealed interface ByRule extends Refusal {

            InjectionRules.RuleInUse use();

            @Override
            default String type() {
                return use().type();
            }

            @Override
            default List<ResourceName> resources() {
                return List.of(use().resource());
            }

            @Override
            default Optional<InjectionRules.RuleInUse> rule() {
                return Optional.of(use());
            }
        }

        /** Its other containers request more than the total for its GPUs. */
        record TooLarge(
                InjectionRules.RuleInUse use, long gpus, ResourceName resource, Quantity total, List<KeptRequest> taken)
                implements ByRule {

            /** No machine has an amount with more digits before the point. */
            private static final int MOST_DIGITS = 20;

            public TooLarge {
                taken = List.copyOf(taken);
            }

            public Quantity asked() {
                return taken.stream().map(KeptRequest::request).reduce(Quantity.ZERO, Quantity::plus);
            }

            /** How far that exceeds the total; empty for absurd amounts, whose difference would fill the heap. */
            public Optional<Quantity> excess() {
                Quantity asked = asked();
                return isAbsurd(total) || isAbsurd(asked)
                        ? Optional.empty()
                        : Optional.of(total.withAmount(asked.amount().subtract(total.amount())));
            }

            /** True if the amount has too many digits to be written out. */
            public static boolean isAbsurd(Quantity quantity) {
                return (long) quantity.amount().precision() - quantity.amount().scale() > MOST_DIGITS;
            }
        }

        /** The amount for so many GPUs exceeds what a quantity can hold. */
        record Overflow(InjectionRules.RuleInUse use, String gpus, ResourceName resource) implements ByRule {}
    }

    /** A GPU resource, with the containers that name it. */
    record Wanted(ResourceName resource, List<String> containers) {
        public Wanted {
            containers = List.copyOf(containers);
        }
    }
}
