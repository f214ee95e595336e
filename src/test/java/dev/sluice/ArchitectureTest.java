package dev.sluice;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.ledger.Findings;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The rooms of the house, and which doors there are between them. */
class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.sluice");

    private static final String[] CORE = {
        "dev.sluice.cluster", "dev.sluice.ledger", "dev.sluice.injection", "dev.sluice.admission", "dev.sluice.mig"
    };

    /** Beside the core: what each room may know of the others. */
    private static final Map<String, Set<String>> DOORS = Map.ofEntries(
            Map.entry("cluster", Set.of()),
            Map.entry("injection", Set.of("cluster")),
            Map.entry("admission", Set.of("cluster", "injection")),
            Map.entry("ledger", Set.of("cluster")),
            Map.entry("mig", Set.of("cluster")),
            Map.entry("codec", Set.of("cluster", "ledger", "injection", "admission", "mig")),
            Map.entry("bus", Set.of("cluster", "ledger", "injection", "admission")),
            Map.entry("tls", Set.of()),
            Map.entry("log", Set.of()),
            Map.entry("config", Set.of("cluster", "injection", "admission", "mig", "tls")),
            Map.entry("decision", Set.of("cluster", "ledger", "injection", "admission", "bus", "log")),
            Map.entry("intake", Set.of()),
            Map.entry("webhook", Set.of("cluster", "injection", "admission", "bus", "codec", "tls", "intake", "log")),
            Map.entry("watch", Set.of("cluster", "injection", "admission", "bus", "codec")),
            Map.entry("election", Set.of("bus")),
            Map.entry("metrics", Set.of("cluster", "ledger", "admission", "bus", "codec", "webhook", "intake")),
            Map.entry("management", Set.of("cluster", "ledger", "admission", "bus", "codec", "metrics", "intake")),
            Map.entry(
                    "cli",
                    Set.of("cluster", "ledger", "injection", "admission", "mig", "codec", "config", "watch", "tls")));

    @Test
    void everyRoomKnowsOnlyTheRoomsItHasADoorTo() {
        Set<String> forbidden = CLASSES.stream()
                .filter(type -> DOORS.containsKey(room(type)))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(dependency ->
                        dependency.getTargetClass().getPackageName().startsWith("dev.sluice"))
                .filter(dependency -> !mayKnow(room(dependency.getOriginClass()), room(dependency.getTargetClass())))
                .map(dependency -> room(dependency.getOriginClass()) + " -> " + room(dependency.getTargetClass()) + ": "
                        + dependency.getDescription())
                .collect(Collectors.toSet());
        assertThat(forbidden).isEmpty();
    }

    private static boolean mayKnow(String origin, String target) {
        return origin.equals(target) || DOORS.getOrDefault(origin, Set.of()).contains(target);
    }

    /** The first package below the root's, {@code ""} for the root; what is below that is the room's own affair. */
    private static String room(JavaClass type) {
        return type.getPackageName().replaceFirst("^dev\\.sluice\\.?", "").replaceFirst("\\..*", "");
    }

    @Test
    void everyRoomIsOnThePlan() {
        assertThat(CLASSES.stream().map(ArchitectureTest::room).filter(room -> !room.isEmpty()))
                .isSubsetOf(DOORS.keySet());
    }

    @Test
    void theCoreIsMadeOfTheJdkAlone() {
        classes()
                .that(resideInAnyPackage(CORE))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java.lang..",
                        "java.util..",
                        "java.math..",
                        "java.time..",
                        "java.nio.charset..",
                        "org.jspecify..",
                        "com.google.errorprone.annotations..",
                        "dev.sluice.cluster",
                        "dev.sluice.ledger",
                        "dev.sluice.injection",
                        "dev.sluice.admission",
                        "dev.sluice.mig"))
                .check(CLASSES);
    }

    @Test
    void theCoreReadsNoClockAndSharesNothing() {
        noClasses()
                .that(resideInAnyPackage(CORE))
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.util.concurrent..")
                        .or(assignableTo(Clock.class))
                        .or(assignableTo(InstantSource.class)))
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .check(CLASSES);
        assertThat(CLASSES.stream()
                        .filter(type -> Set.of("cluster", "ledger", "injection", "admission", "mig")
                                .contains(room(type)))
                        .flatMap(type -> type.getMethods().stream())
                        .filter(method -> method.getModifiers().contains(JavaModifier.SYNCHRONIZED)))
                .isEmpty();
    }

    /** Its one owner is a thread, so only what never changes may go to others. */
    @Test
    void nothingMutableLeavesTheLedger() {
        List<JavaClass> open = CLASSES.stream()
                .filter(type -> room(type).equals("ledger"))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .toList();
        assertThat(open)
                .isNotEmpty()
                .allMatch(type -> type.isRecord() || type.getSimpleName().equals("Ledger"));
        assertThat(open.stream()
                        .flatMap(type -> type.getMethods().stream())
                        .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                        .flatMap(method -> method.getReturnType().getAllInvolvedRawTypes().stream())
                        .filter(type -> room(type).equals("ledger")))
                .isNotEmpty()
                .allMatch(JavaClass::isRecord);
    }

    /** So it may be handed over by a plain reference, however that gets there. */
    @Test
    void whatThreadsShareIsFinalThroughAndThrough() {
        Set<JavaClass> shared = new HashSet<>();
        for (Class<?> root : List.of(ClusterSnapshot.class, Node.class, Pod.class, Findings.class)) {
            reach(CLASSES.get(root), shared);
        }
        assertThat(shared).extracting(JavaClass::getSimpleName).contains("NodeKind", "Amounts", "NodeGroup", "Taint");
        assertThat(shared.stream()
                        .flatMap(type -> type.getFields().stream())
                        .filter(field -> !field.getModifiers().contains(JavaModifier.FINAL)))
                .isEmpty();
    }

    private static void reach(JavaClass type, Set<JavaClass> reached) {
        boolean own = type.getPackageName().startsWith("dev.sluice");
        if (own && reached.add(type)) {
            type.getFields().stream()
                    .flatMap(field -> field.getType().getAllInvolvedRawTypes().stream())
                    .forEach(next -> reach(next.getBaseComponentType(), reached));
            type.getSubclasses().forEach(next -> reach(next, reached));
        }
    }

    @Test
    void vertxStaysWhereThingsHappen() {
        onlyIn(
                "io.vertx..",
                "decision",
                "webhook",
                "watch",
                "election",
                "bus",
                "tls",
                "intake",
                "management",
                "metrics",
                "");
    }

    @Test
    void fabric8StaysWhereTheClusterIsReached() {
        onlyIn("io.fabric8..", "watch", "election", "cli", "");
    }

    @Test
    void jacksonStaysAtTheEdges() {
        onlyIn("com.fasterxml.jackson..", "codec", "config", "watch", "webhook", "management", "cli");
    }

    private static void onlyIn(String library, String... rooms) {
        Set<String> allowed = Set.of(rooms);
        DescribedPredicate<JavaClass> elsewhere =
                DescribedPredicate.describe("elsewhere than in " + allowed, type -> !allowed.contains(room(type)));
        noClasses()
                .that(elsewhere)
                .should()
                .dependOnClassesThat(resideInAPackage(library))
                .check(CLASSES);
    }

    @Test
    void noVerticleWaitsOrReadsFiles() {
        Set<String> waits = Set.of("sleep", "join", "get", "await", "readAllBytes", "invokeAll");
        Set<String> waitingTypes = Set.of(
                "java.lang.Thread",
                "java.util.concurrent.Future",
                "java.util.concurrent.CompletableFuture",
                "java.util.concurrent.CountDownLatch",
                "io.vertx.core.Future");
        DescribedPredicate<JavaAccess<?>> wait = DescribedPredicate.describe(
                "a wait",
                access -> waits.contains(access.getTarget().getName())
                        && waitingTypes.contains(access.getTargetOwner().getName()));
        noClasses()
                .that()
                .haveSimpleNameEndingWith("Verticle")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.nio.file.Files")
                .orShould()
                .accessTargetWhere(wait)
                .check(CLASSES);
    }

    @Test
    void everyPackageSaysWhatItIsAndWhatMayBeNull() {
        List<String> without = CLASSES.stream()
                .map(JavaClass::getPackage)
                .distinct()
                .filter(room -> !room.getClasses().isEmpty())
                .filter(room -> !room.isAnnotatedWith(NullMarked.class))
                .map(room -> room.getName())
                .toList();
        assertThat(without).isEmpty();
    }

    @Test
    void nothingIsOpenToInheritance() {
        assertThat(CLASSES.stream()
                        .filter(type -> !type.isInterface() && !type.isEnum() && !type.isAnonymousClass())
                        .filter(type -> !type.getSimpleName().equals("package-info"))
                        .filter(type -> !type.getModifiers().contains(JavaModifier.FINAL))
                        .filter(type ->
                                !type.reflect().isSealed() && !type.reflect().isEnum())
                        .filter(type -> type.getEnclosingClass()
                                .filter(JavaClass::isEnum)
                                .isEmpty())
                        .map(JavaClass::getName))
                .isEmpty();
    }

    @Test
    void namesSayWhatAThingIs() {
        assertThat(CLASSES.stream().map(JavaClass::getSimpleName))
                .noneMatch(name -> name.matches(".*(Utils?|Helpers?|Managers?|Impl)"));
    }
}
