package dev.sluice.config;

import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.MigTables;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.config.ConfigProblem.SourcePosition;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads names of extended resources. It warns about MIG profiles that no GPU model has. */
record ConfigDeviceNames(ProblemCollector problems) {

    /**
     * Reads the name in {@code text}. Returns empty if it is not the name of an extended resource.
     *
     * @param subject the beginning of the messages about the name
     */
    public Optional<ResourceName> read(SourcePosition position, KeyPath key, String subject, String text) {
        Optional<ResourceName> name = ResourceName.qualified(text);
        if (name.isEmpty()) {
            String fault = subject + "not a qualified resource name";
            problems.problem(position, key, fault, "expected domain/name such as nvidia.com/gpu");
        } else if (!name.get().isExtended()) {
            String fault = subject + "a name that Kubernetes keeps for itself";
            problems.problem(position, key, fault, "expected a name outside kubernetes.io and without requests.");
            return Optional.empty();
        } else if (name.get().isMig()) {
            warnAboutMig(position, key, subject, name.get());
        }
        return name;
    }

    private void warnAboutMig(SourcePosition position, KeyPath key, String subject, ResourceName name) {
        Optional<MigProfile> profile = MigProfile.ofResource(name);
        if (profile.isEmpty()) {
            String fault = subject + "not the name of a MIG profile";
            problems.warning(position, key, fault, "expected one such as nvidia.com/mig-1g.10gb");
        } else if (!profile.get().isWholeInstance()) {
            String fault = subject + "a MIG compute instance, which is never a resource";
            problems.warning(
                    position,
                    key,
                    fault,
                    "expected a name without its " + profile.get().computePart() + "c.");
        } else if (!MigTables.isKnown(profile.get())) {
            String fault = subject + "a MIG profile that no GPU model has";
            problems.warning(position, key, fault, nearest(profile.get()));
        }
    }

    private static String nearest(MigProfile profile) {
        List<MigProfile> nearest = MigTables.nearest(profile);
        return nearest.isEmpty()
                ? "none is near it"
                : "nearest: "
                        + nearest.stream().map(near -> near.resource().value()).collect(Collectors.joining(", "));
    }
}
