package dev.sluice.injection;

import dev.sluice.injection.rule.ResourceRule;
import dev.sluice.injection.rule.RuleInUse;
import dev.sluice.quantity.Quantity;
import dev.sluice.quantity.ResourceName;
import java.util.List;
import java.util.Optional;

/** What injection does to a pod, and how that was reckoned. */
public sealed interface Injection {

    Injection NOTHING = new NothingInjected();

    /** No rule holds for the pod. */
    record NothingInjected() implements Injection {}

    /** A rule holds, and the pod cannot be what it says. */
    record Refused(Refusal refusal) implements Injection {}

    /**
     * A rule holds.
     *
     * @param gpus of all main containers
     * @param lines one for each resource of the rule, in its order
     */
    record Injected(RuleInUse use, long gpus, List<Line> lines) implements Injection {
        public Injected {
            lines = List.copyOf(lines);
        }
    }

    /** One resource: where its amount comes from, and what each GPU container gets. */
    record Line(ResourceRule rule, Basis basis, List<Portion> portions) {
        public Line {
            portions = List.copyOf(portions);
        }
    }

    /** Where the amounts come from. */
    sealed interface Basis {

        /** One total for the pod, of which the other containers took some first. */
        record Shared(Quantity total, List<KeptRequest> taken, Quantity left, Quantity perGpu) implements Basis {
            public Shared {
                taken = List.copyOf(taken);
            }
        }

        /** Reckoned for each container by itself. */
        record Each() implements Basis {}

        /** The pod asks for this resource as a whole, so its containers are left alone. */
        record LeftToPod() implements Basis {}
    }

    /** What a container without GPU requests of a shared resource. */
    record KeptRequest(String container, Quantity request) {}

    /**
     * What one GPU container gets.
     *
     * @param container its place in the pod's containers
     * @param share by the rule; {@code request} and {@code limit} differ from it where the user's values are kept
     */
    record Portion(int container, String name, long gpus, Quantity share, Quantity request, Quantity limit) {

        public boolean isKept() {
            return !request.equals(share) || !limit.equals(share);
        }
    }

    /** Why a pod is refused. */
    sealed interface Refusal {

        /** What the pod's annotation says. */
        String type();

        /** The GPU resources for which the rules were looked up. */
        List<ResourceName> resources();

        /** The rule that asks too much; empty where none could be chosen. */
        default Optional<RuleInUse> rule() {
            return Optional.empty();
        }

        /** Its containers have GPUs of several resources that rules of its type speak of. */
        record DifferentResources(String type, List<Wanted> wanted) implements Refusal {
            public DifferentResources {
                wanted = List.copyOf(wanted);
            }

            @Override
            public List<ResourceName> resources() {
                return wanted.stream().map(Wanted::resource).toList();
            }
        }

        /** Its containers name a resource of a rule, and ask for none of it. */
        record ZeroGpus(String type, Wanted wanted) implements Refusal {
            @Override
            public List<ResourceName> resources() {
                return List.of(wanted.resource());
            }
        }

        /** A rule was chosen, and asks too much. */
        sealed interface ByRule extends Refusal {

            RuleInUse use();

            @Override
            default String type() {
                return use().type();
            }

            @Override
            default List<ResourceName> resources() {
                return List.of(use().resource());
            }

            @Override
            default Optional<RuleInUse> rule() {
                return Optional.of(use());
            }
        }

        /** Its other containers request more than belongs to its GPUs. */
        record TooLarge(RuleInUse use, long gpus, ResourceName resource, Quantity total, List<KeptRequest> taken)
                implements ByRule {

            /** Of a whole number; more is no amount that a machine could have. */
            private static final int MOST_DIGITS = 20;

            public TooLarge {
                taken = List.copyOf(taken);
            }

            /** All that the other containers request. */
            public Quantity asked() {
                return taken.stream().map(KeptRequest::request).reduce(Quantity.ZERO, Quantity::plus);
            }

            /**
             * How much more that is than the total; empty for absurd amounts, of which nobody needs to know and whose
             * difference would fill the heap.
             */
            public Optional<Quantity> excess() {
                Quantity asked = asked();
                return isAbsurd(total) || isAbsurd(asked)
                        ? Optional.empty()
                        : Optional.of(total.withAmount(asked.amount().subtract(total.amount())));
            }

            /** It has more digits than anybody reads, or could be written out. */
            public static boolean isAbsurd(Quantity quantity) {
                return (long) quantity.amount().precision() - quantity.amount().scale() > MOST_DIGITS;
            }
        }

        /** What belongs to so many GPUs is more than a quantity can say. */
        record Overflow(RuleInUse use, String gpus, ResourceName resource) implements ByRule {}
    }

    /** Which containers name a GPU resource. */
    record Wanted(ResourceName resource, List<String> containers) {
        public Wanted {
            containers = List.copyOf(containers);
        }
    }
}
