package dev.sluice.admission.injection;

import dev.sluice.admission.injection.Injection.Portion;
import dev.sluice.admission.injection.InjectionLimitRangerDefaults.LimitKind;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides whether the values that a user wrote into a GPU container are kept. */
sealed interface InjectionUserValues {

    InjectionUserValues OVERWRITE = new OverwriteUserValues();

    /** The amount of a resource that a rule gives to a container. */
    record Share(InjectionResourceRule rule, Quantity amount) {}

    Portion portion(int place, long gpus, InjectionPodResources.Container container, Share share);

    /** The amount from the rule replaces the values of the user. */
    record OverwriteUserValues() implements InjectionUserValues {
        @Override
        public Portion portion(int place, long gpus, InjectionPodResources.Container container, Share share) {
            return new Portion(place, container.name(), gpus, share.amount(), share.amount(), share.amount());
        }
    }

    /**
     * The values of the user are kept. Missing values, and values that LimitRanger filled in, are set to the amount
     * from the rule. A limit never becomes less than its request.
     */
    record KeepUserValues(InjectionLimitRangerDefaults defaults) implements InjectionUserValues {

        @Override
        public Portion portion(int place, long gpus, InjectionPodResources.Container container, Share share) {
            ResourceName name = share.rule().name();
            Quantity request = written(container, LimitKind.REQUEST, name);
            Quantity limit = written(container, LimitKind.LIMIT, name);
            if (!share.rule().isShared()) {
                Quantity both = limit != null ? limit : request != null ? request : share.amount();
                return new Portion(place, container.name(), gpus, share.amount(), both, both);
            }
            return new Portion(
                    place,
                    container.name(),
                    gpus,
                    share.amount(),
                    request != null ? request : smaller(share.amount(), limit),
                    limit != null ? limit : larger(share.amount(), request));
        }

        private @Nullable Quantity written(
                InjectionPodResources.Container container, LimitKind bound, ResourceName name) {
            Map<ResourceName, Quantity> quantities = switch (bound) {
                case REQUEST -> container.requests();
                case LIMIT -> container.limits();
            };
            return defaults.filled(container.name(), bound, name) ? null : quantities.get(name);
        }

        private static Quantity smaller(Quantity share, @Nullable Quantity limit) {
            return limit != null && limit.compareTo(share) < 0 ? limit : share;
        }

        private static Quantity larger(Quantity share, @Nullable Quantity request) {
            return request != null && request.compareTo(share) > 0 ? request : share;
        }
    }
}
