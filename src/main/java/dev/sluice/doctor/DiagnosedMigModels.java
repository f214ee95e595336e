package dev.sluice.doctor;

import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.MigTables;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Determines which MIG profiles the GPUs of the cluster can have.
 *
 * @param products the models of NVIDIA's GPUs
 * @param registered the MIG resources that at least one node has in its capacity; they count as possible for any GPU
 *     model
 */
record DiagnosedMigModels(List<DiagnosedGpuProduct> products, Set<ResourceName> registered) {

    DiagnosedMigModels {
        products = List.copyOf(products);
        registered = Set.copyOf(registered);
    }

    static DiagnosedMigModels of(List<DiagnosedNode> nodes) {
        Set<ResourceName> registered = new HashSet<>();
        nodes.forEach(node -> node.facts().node().capacity().forEach((name, _) -> {
            if (name.isMig()) {
                registered.add(name);
            }
        }));
        return new DiagnosedMigModels(DiagnosedGpuProduct.ofAll(nodes), registered);
    }

    /** Returns a sentence if no model can have the profile of the resource; empty if some model can. */
    Optional<String> impossible(ResourceName resource) {
        if (!resource.isMig() || registered.contains(resource)) {
            return Optional.empty();
        }
        Optional<MigProfile> profile = MigProfile.ofResource(resource).filter(MigProfile::isWholeInstance);
        boolean isPossible = products.isEmpty()
                ? profile.filter(MigTables::isKnown).isPresent()
                : products.stream()
                        .anyMatch(product -> profile.filter(product::canHave).isPresent());
        if (isPossible) {
            return Optional.empty();
        }
        return Optional.of(
                products.isEmpty()
                        ? "no GPU model that is known can have such a MIG profile"
                        : DiagnosedNearestMigProfile.impossible(resource, products));
    }
}
