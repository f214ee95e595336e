package dev.sluice.cluster.dra;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The DeviceClasses of the cluster, by the names under which pods can request their devices as extended resources.
 *
 * <p>If several classes have the same extended resource name, the newest class is used. Among equally new classes, the
 * first class in alphabetical order is used ({@code extendedresourcecache.go} of the scheduler).
 */
public final class DeviceClasses {

    public static final DeviceClasses NONE = new DeviceClasses(Map.of());

    private static final Comparator<DeviceClass> LATER_FIRST =
            Comparator.comparing(DeviceClass::created).reversed().thenComparing(DeviceClass::name);

    private final Map<ResourceName, DeviceClass> byResource;

    private DeviceClasses(Map<ResourceName, DeviceClass> byResource) {
        this.byResource = Map.copyOf(byResource);
    }

    public static DeviceClasses of(Collection<DeviceClass> classes) {
        Map<ResourceName, DeviceClass> byResource = HashMap.newHashMap(2 * classes.size());
        for (DeviceClass each : classes) {
            byResource.put(each.implicitName(), each);
            each.mappedName()
                    .filter(name -> !name.isOfDeviceClass())
                    .ifPresent(name -> byResource.merge(name, each, DeviceClasses::preferred));
        }
        return new DeviceClasses(byResource);
    }

    private static DeviceClass preferred(DeviceClass one, DeviceClass other) {
        return LATER_FIRST.compare(one, other) <= 0 ? one : other;
    }

    public boolean isEmpty() {
        return byResource.isEmpty();
    }

    /** Returns the class whose devices are allocated for requests of this resource. */
    public Optional<DeviceClass> classOf(ResourceName resource) {
        return Optional.ofNullable(byResource.get(resource));
    }

    /** Returns the class with this name. */
    public Optional<DeviceClass> named(String name) {
        return byResource.values().stream()
                .filter(each -> each.name().equals(name))
                .findFirst();
    }

    /** Returns the resource names of all classes. */
    public Set<ResourceName> resources() {
        return byResource.keySet();
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof DeviceClasses that && byResource.equals(that.byResource));
    }

    @Override
    public int hashCode() {
        return byResource.hashCode();
    }
}
