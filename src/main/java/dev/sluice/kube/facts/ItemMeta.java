package dev.sluice.kube.facts;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.sluice.doctor.facts.PodFacts.OwnerReference;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an object or of a pod template.
 *
 * @param annotations the few annotations that {@link FactAnnotationsReader} keeps
 */
record ItemMeta(
        String name,
        String namespace,
        String uid,
        String resourceVersion,
        @Nullable FactTimeText creationTimestamp,
        @JsonSetter(nulls = Nulls.SET) @Nullable String deletionTimestamp,
        @JsonDeserialize(using = FactLabelsReader.class) Map<String, String> labels,

        @JsonDeserialize(using = FactAnnotationsReader.class)
        Map<String, String> annotations,

        List<String> finalizers,
        List<OwnerItem> ownerReferences,
        List<ManagedItem> managedFields) {

    static final ItemMeta NONE =
            new ItemMeta("", "", "", "", null, null, Map.of(), Map.of(), List.of(), List.of(), List.of());

    record OwnerItem(String kind, String name, String uid, boolean controller) {}

    /**
     * An entry of {@code managedFields}. It contains the time of the manager's last write, and the labels that the
     * manager owns. Only the labels that a change of the MIG configuration writes are kept.
     */
    record ManagedItem(
            @Nullable FactTimeText time, @Nullable OwnedFields fieldsV1) {}

    record OwnedFields(@JsonProperty("f:metadata") @Nullable OwnedMetadata metadata) {}

    record OwnedMetadata(
            @JsonProperty("f:labels") @JsonDeserialize(using = FactMigLabelReader.class)
            Map<String, Map<String, String>> labels) {}

    String fullName() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    boolean isBeingDeleted() {
        return deletionTimestamp != null;
    }

    /** Returns the time when the grace period of the deletion ends; null if the object is not being deleted. */
    @Nullable
    Instant endsBy() {
        return deletionTimestamp == null ? null : new FactTimeText(deletionTimestamp).instant();
    }

    /**
     * Returns the time of the newest change that the object shows; null if it shows none. A change is the creation, the
     * deletion, or a write of a field manager.
     */
    @Nullable
    Instant changed() {
        return Stream.concat(
                        Stream.of(
                                creationTimestamp,
                                deletionTimestamp == null ? null : new FactTimeText(deletionTimestamp)),
                        managedFields.stream().map(ManagedItem::time))
                .filter(Objects::nonNull)
                .map(FactTimeText::instant)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Returns the owner that is the controller; if there is none, the first owner. */
    Optional<OwnerReference> owner() {
        return ownerReferences.stream()
                .filter(OwnerItem::controller)
                .findFirst()
                .or(() -> ownerReferences.stream().findFirst())
                .map(owner -> new OwnerReference(owner.kind(), owner.name(), owner.uid()));
    }

    /** Returns the time of the last write by the field manager that owns the MIG labels; null if it is not known. */
    @Nullable
    FactTimeText migLabelled() {
        return managedFields.stream()
                .filter(ItemMeta::ownsMigLabels)
                .map(ManagedItem::time)
                .filter(Objects::nonNull)
                .max(Comparator.comparing(FactTimeText::text))
                .orElse(null);
    }

    private static boolean ownsMigLabels(ManagedItem managed) {
        return managed.fieldsV1() != null
                && managed.fieldsV1().metadata() != null
                && !managed.fieldsV1().metadata().labels().isEmpty();
    }
}
