package dev.sluice.admission.injection;

import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Optional;

/**
 * The result of injecting resources, such as CPU and memory, for the GPUs of a pod. It shows how the amounts were
 * calculated.
 */
public sealed interface Injection {

    Injection NOTHING = new NothingInjected();

    /** No injection rule applies to the pod. */
    record NothingInjected() implements Injection {}

    /** The injection file has rules for the pod, but no resources can be injected by them, so the pod is refused. */
    record Refused(Refusal refusal) implements Injection {}

    /**
     * A rule applies, and resources are injected.
     *
     * @param gpus the number of GPUs of all main containers
     * @param lines one line for each resource of the rule, in the order of the rule
     */
    record Injected(InjectionRules.RuleInUse use, long gpus, List<Line> lines) implements Injection {
        public Injected {
            lines = List.copyOf(lines);
        }
    }

    /**
     * The amounts of one resource that the GPU containers get.
     *
     * @param rule the rule for the resource
     * @param basis how the amounts are calculated
     */
    record Line(InjectionResourceRule rule, Basis basis, List<Portion> portions) {
        public Line {
            portions = List.copyOf(portions);
        }
    }

    sealed interface Basis {

        /**
         * The GPU containers share one amount: the total for all GPUs of the pod, less the requests of the pod's other
         * containers.
         *
         * @param total the total for all GPUs
         * @param taken the requests of the other containers
         * @param left the total less these requests
         */
        record Shared(Quantity total, List<KeptRequest> taken, Quantity left, Quantity perGpu) implements Basis {
            public Shared {
                taken = List.copyOf(taken);
            }
        }

        /** The amount of each container is calculated from its own GPUs only. */
        record Each() implements Basis {}

        /** The pod has a pod-level request for this resource, so its containers are not changed. */
        record LeftToPod() implements Basis {}
    }

    /** The request for a shared resource by a container without a GPU. Injection does not change this request. */
    record KeptRequest(String container, Quantity request) {}

    /**
     * The amounts that one GPU container gets.
     *
     * @param container the index of the container in the pod
     * @param share the amount that the rule gives; {@code request} and {@code limit} are different if the user's own
     *     values are kept
     */
    record Portion(int container, String name, long gpus, Quantity share, Quantity request, Quantity limit) {

        public boolean isKept() {
            return !request.equals(share) || !limit.equals(share);
        }
    }

    sealed interface Refusal {

        /** Returns the GPU type that the annotation of the pod names. */
        String type();

        /** Returns the GPU resources of the pod for which an injection rule was looked up. */
        List<ResourceName> resources();

        /** Returns the rule that was chosen but cannot be carried out. Returns empty if no rule could be chosen. */
        default Optional<InjectionRules.RuleInUse> rule() {
            return Optional.empty();
        }

        /** The containers request several GPU resources for which the GPU type has rules, so no single rule applies. */
        record DifferentResources(String type, List<Wanted> wanted) implements Refusal {
            public DifferentResources {
                wanted = List.copyOf(wanted);
            }

            @Override
            public List<ResourceName> resources() {
                return wanted.stream().map(Wanted::resource).toList();
            }
        }

        /** The containers request a GPU resource that an injection rule covers, but with the amount 0. */
        record ZeroGpus(String type, Wanted wanted) implements Refusal {
            @Override
            public List<ResourceName> resources() {
                return List.of(wanted.resource());
            }
        }

        /** A rule was chosen, but the resources cannot be injected. */
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

        /** The containers without GPUs request more than the total that the rule allows for the pod's GPUs. */
        record TooLarge(
                InjectionRules.RuleInUse use, long gpus, ResourceName resource, Quantity total, List<KeptRequest> taken)
                implements ByRule {

            /**
             * The maximum number of digits before the decimal point. An amount with more digits is not subtracted: no
             * machine has such an amount, and the result could fill the memory.
             */
            private static final int MOST_DIGITS = 20;

            public TooLarge {
                taken = List.copyOf(taken);
            }

            public Quantity asked() {
                return taken.stream().map(KeptRequest::request).reduce(Quantity.ZERO, Quantity::plus);
            }

            /**
             * Returns the amount by which the requests exceed the total. Returns empty if one of the amounts is
             * extremely large, because the digits of the difference would fill the heap.
             */
            public Optional<Quantity> excess() {
                Quantity asked = asked();
                return isAbsurd(total) || isAbsurd(asked)
                        ? Optional.empty()
                        : Optional.of(total.withAmount(asked.amount().subtract(total.amount())));
            }

            /** Returns true if the amount has too many digits for a calculation. */
            public static boolean isAbsurd(Quantity quantity) {
                return (long) quantity.amount().precision() - quantity.amount().scale() > MOST_DIGITS;
            }
        }

        /** The amount for this number of GPUs is too large for a quantity. */
        record Overflow(InjectionRules.RuleInUse use, String gpus, ResourceName resource) implements ByRule {}
    }

    /** A GPU resource, and the containers whose limits or requests contain it. */
    record Wanted(ResourceName resource, List<String> containers) {
        public Wanted {
            containers = List.copyOf(containers);
        }
    }
}
