package dev.sluice;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
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
import dev.sluice.ledger.LedgerStatistics.AuditDifference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The rooms of the house, and which doors there are between them. */
class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.sluice");

    private static final Pattern OWN_IMPORT =
            Pattern.compile("(?m)^import (?:static )?(dev\\.sluice\\.(?:[a-z]+\\.)*[A-Z]\\w*)");

    /** The pure core. A package may know those before it. */
    private static final List<String> CORE = List.of(
            "text",
            "cluster.quantity",
            "cluster",
            "cluster.dra",
            "ledger.placement",
            "ledger",
            "admission.injection",
            "admission.request",
            "admission.patch",
            "admission.verdict",
            "admission",
            "record",
            "replication",
            "doctor.facts",
            "doctor");

    /** Around the core, in the same order: a package may know the core, and those before it. */
    private static final List<String> SHELL = List.of(
            "files",
            "log",
            "tls",
            "config",
            "json",
            "kube.decode",
            "kube.client",
            "metrics",
            "bus",
            "api",
            "kube.facts",
            "kube.watch",
            "tls.selfmanaged",
            "reload",
            "lease",
            "webhook.intake",
            "record.observe",
            "metrics.parts",
            "record.events",
            "record.summary",
            "peers",
            "management",
            "webhook",
            "app",
            "cli.console",
            "cli.doctor",
            "cli.status",
            "cli.explain",
            "cli.offline",
            "cli",
            "cli.demo",
            "");

    /** They hold the verticles, which meet only on the bus. */
    private static final Set<String> VERTICLES = Set.of(
            "webhook",
            "lease",
            "peers",
            "kube.watch",
            "record.events",
            "record.summary",
            "reload",
            "tls.selfmanaged",
            "management");

    private static final String[] CORE_PACKAGES =
            CORE.stream().map("dev.sluice."::concat).toArray(String[]::new);

    private static final List<String> PLAN =
            Stream.concat(CORE.stream(), SHELL.stream()).toList();

    @Test
    void arrowsGoOneWay() {
        assertThat(dependencies(PLAN)
                        .filter(arrow -> PLAN.indexOf(arrow.from()) < PLAN.indexOf(arrow.to()))
                        .map(Arrow::text))
                .isEmpty();
    }

    @Test
    void verticlesMeetOnTheBusOnly() {
        assertThat(dependencies(PLAN)
                        .filter(arrow -> VERTICLES.contains(arrow.from()) && VERTICLES.contains(arrow.to()))
                        .map(Arrow::text))
                .isEmpty();
    }

    /** From outside there is one door; what goes through it are values. */
    @Test
    void onlyTheLedgerKnowsItsOwnRooms() {
        assertThat(dependencies(PLAN)
                        .filter(arrow -> arrow.to().startsWith("ledger.")
                                && !arrow.from().startsWith("ledger")
                                && !arrow.target().isRecord())
                        .map(Arrow::text))
                .isEmpty();
    }

    private record Arrow(String from, String to, JavaClass target, String text) {}

    private static Stream<Arrow> dependencies(List<String> rooms) {
        return CLASSES.stream()
                .filter(type -> rooms.contains(room(type)))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(dependency ->
                        dependency.getTargetClass().getPackageName().startsWith("dev.sluice"))
                .map(dependency -> new Arrow(
                        room(dependency.getOriginClass()),
                        room(dependency.getTargetClass()),
                        dependency.getTargetClass(),
                        dependency.getDescription()))
                .filter(arrow -> !arrow.from().equals(arrow.to()));
    }

    /** A package below the root's, {@code ""} for the root. */
    private static String room(JavaClass type) {
        return type.getPackageName().replaceFirst("^dev\\.sluice\\.?", "");
    }

    @Test
    void everyRoomIsOnThePlanAndThePlanHasNoOther() {
        assertThat(CLASSES.stream().map(ArchitectureTest::room).distinct()).containsExactlyInAnyOrderElementsOf(PLAN);
    }

    @Test
    void theCoreIsMadeOfTheJdkAlone() {
        classes()
                .that(resideInAnyPackage(CORE_PACKAGES))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(CORE_PACKAGES)
                        .or(resideInAnyPackage(
                                "java.lang..",
                                "java.util..",
                                "java.math..",
                                "java.time..",
                                "java.nio.charset..",
                                "org.jspecify..",
                                "com.google.errorprone.annotations..")))
                .check(CLASSES);
    }

    @Test
    void theCoreReadsNoClockAndSharesNothing() {
        noClasses()
                .that(resideInAnyPackage(CORE_PACKAGES))
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
                        .filter(type -> CORE.contains(room(type)))
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
        for (Class<?> root : List.of(ClusterSnapshot.class, Node.class, Pod.class, AuditDifference.class)) {
            reach(CLASSES.get(root), shared);
        }
        assertThat(shared)
                .extracting(JavaClass::getSimpleName)
                .contains("NodeGroupProperties", "Amounts", "NodeGroup", "Taint");
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
                "io.vertx",
                "webhook.intake",
                "metrics.parts",
                "app",
                "record.events",
                "record.observe",
                "record.summary",
                "reload",
                "kube.facts",
                "peers",
                "management",
                "webhook",
                "bus",
                "tls",
                "cli",
                "lease",
                "tls.selfmanaged",
                "cli.demo",
                "kube.watch");
    }

    @Test
    void fabric8StaysWhereTheClusterIsReached() {
        onlyIn(
                "io.fabric8",
                "lease",
                "cli.console",
                "kube.facts",
                "kube.client",
                "tls.selfmanaged",
                "app",
                "kube.watch");
    }

    @Test
    void jacksonStaysAtTheEdges() {
        onlyIn(
                "com.fasterxml.jackson",
                "kube.facts",
                "cli.demo",
                "config",
                "json",
                "peers",
                "kube.client",
                "kube.watch",
                "api",
                "kube.decode",
                "cli.doctor",
                "cli.explain",
                "cli.status",
                "cli.offline",
                "cli",
                "cli.console",
                "record.events",
                "record.summary");
    }

    private static void onlyIn(String library, String... rooms) {
        assertThat(CLASSES.stream()
                        .filter(type -> type.getDirectDependenciesFromSelf().stream()
                                .anyMatch(dependency -> dependency
                                        .getTargetClass()
                                        .getPackageName()
                                        .startsWith(library)))
                        .map(ArchitectureTest::room)
                        .distinct())
                .containsExactlyInAnyOrder(rooms);
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

    /** Decision 44 says why. */
    @Test
    void noThreadIsVirtual() {
        Set<String> ways = Set.of("ofVirtual", "startVirtualThread", "newVirtualThreadPerTaskExecutor");
        DescribedPredicate<JavaAccess<?>> creation = DescribedPredicate.describe(
                "a virtual thread", access -> ways.contains(access.getTarget().getName()));
        noClasses().should().accessTargetWhere(creation).check(CLASSES);
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
    void noTypeNameIsUsedTwice() {
        Map<String, List<String>> byName = CLASSES.stream()
                .filter(type ->
                        !type.isAnonymousClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getName, Collectors.toList())));
        byName.values().removeIf(types -> types.size() == 1);
        assertThat(byName).isEmpty();
    }

    @Test
    void namesSayWhatAThingIs() {
        assertThat(CLASSES.stream().map(JavaClass::getSimpleName))
                .noneMatch(name -> name.matches(".*(Utils?|Helpers?|Managers?|Impl)"));
    }

    /** {@code src/bench} is compiled without {@code src/test}, and not by this build. */
    @Test
    void benchmarksUseNothingThatOnlyTestsHave() {
        List<Path> compiled = Stream.of("main/java", "train/java", "it/java", "bench/java", "bench/stress")
                .map(Path.of("src")::resolve)
                .toList();
        List<String> missing = compiled.stream()
                .skip(1)
                .flatMap(root -> ProjectFiles.sources(root).stream())
                .filter(source -> !source.endsWith("InjectionIT.java"))
                .flatMap(source -> ProjectFiles.found(OWN_IMPORT, ProjectFiles.text(source)).stream()
                        .filter(type -> compiled.stream()
                                .noneMatch(root -> Files.exists(root.resolve(type.replace('.', '/') + ".java"))))
                        .map(type -> source + " imports " + type))
                .toList();
        assertThat(missing).isEmpty();
    }
}
