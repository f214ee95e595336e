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
import dev.sluice.cluster.node.Node;
import dev.sluice.cluster.pod.Pod;
import dev.sluice.cluster.snapshot.ClusterSnapshot;
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

    private static final int MOST_FILES = 12;

    private static final Pattern OWN_IMPORT =
            Pattern.compile("(?m)^import (?:static )?(dev\\.sluice\\.(?:[a-z]+\\.)*[A-Z]\\w*)");

    /** The pure core. A package may know those before it. */
    private static final List<String> CORE = List.of(
            "cluster.quantity",
            "cluster.node",
            "cluster.scheduling",
            "cluster.pod",
            "cluster.event",
            "cluster.snapshot",
            "cluster.mig",
            "ledger.nodes",
            "ledger.nodeindex",
            "ledger.reservation",
            "ledger.podentry",
            "ledger.fairshare",
            "ledger",
            "admission.injection",
            "admission.policy",
            "admission.request",
            "admission.patch",
            "admission.verdict",
            "admission.wording",
            "admission.decide",
            "admission.explain",
            "record",
            "record.history",
            "record.bypass",
            "diagnosis.facts",
            "diagnosis.node",
            "diagnosis.inventory",
            "diagnosis.path",
            "diagnosis.cause",
            "diagnosis.impossible",
            "diagnosis.verdict",
            "diagnosis.bundle",
            "tls.rotation");

    /** Around the core, in the same order: a package may know the core, and those before it. */
    private static final List<String> SHELL = List.of(
            "pace",
            "log",
            "config.reload",
            "tls.chain",
            "tls",
            "metrics",
            "bus.message",
            "bus",
            "metrics.scrape",
            "management.access",
            "json",
            "kube.decode.spec",
            "kube.list",
            "kube.decode",
            "kube.kubeconfig",
            "kube.transport",
            "kube.object",
            "webhook.review",
            "cluster.capacity",
            "management.api",
            "webhook.connection",
            "webhook.body",
            "record.observe",
            "config.tree",
            "config",
            "webhook",
            "admission.decide.verticle",
            "kube.watch",
            "kube.watch.file",
            "diagnosis.file.item",
            "diagnosis.file",
            "diagnosis.live",
            "diagnosis.verticle",
            "record.announce",
            "record.bypass.verticle",
            "config.policy",
            "tls.file",
            "tls.selfmanaged.secret",
            "tls.selfmanaged",
            "election",
            "metrics.part",
            "metrics.jvm",
            "metrics.vertx",
            "metrics.capacity",
            "management",
            "webhook.warmup",
            "app",
            "cli.console",
            "cli.manifest",
            "cli.cluster",
            "cli.explain",
            "cli.capacity",
            "cli.report.page",
            "cli.report.section",
            "cli.report",
            "cli.doctor",
            "cli.certs",
            "cli.gateway",
            "cli.decisions",
            "cli.metrics",
            "cli.serve",
            "cli.demo",
            "cli",
            "");

    /** They hold the verticles, which meet only on the bus. */
    private static final Set<String> VERTICLES = Set.of(
            "webhook",
            "admission.decide.verticle",
            "kube.watch",
            "record.announce",
            "record.bypass.verticle",
            "kube.watch.file",
            "config.policy",
            "tls.file",
            "tls.selfmanaged",
            "election",
            "management",
            "webhook.warmup");

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
    void noRoomHasMoreThanTwelveFiles() {
        Map<Path, Long> files = ProjectFiles.sources(Path.of("src/main/java")).stream()
                .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
        assertThat(files).hasSize(PLAN.size());
        assertThat(files)
                .allSatisfy(
                        (room, count) -> assertThat(count).as(room.toString()).isLessThanOrEqualTo(MOST_FILES));
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
                "io.vertx",
                "record.announce",
                "app",
                "webhook.body",
                "bus",
                "record.bypass.verticle",
                "cli.demo",
                "cli.serve",
                "webhook.connection",
                "admission.decide.verticle",
                "diagnosis.verticle",
                "election",
                "management",
                "metrics.capacity",
                "metrics.jvm",
                "metrics.part",
                "metrics.vertx",
                "record.observe",
                "config.policy",
                "metrics.scrape",
                "tls.selfmanaged",
                "kube.watch.file",
                "tls",
                "tls.file",
                "webhook.warmup",
                "kube.watch",
                "webhook");
    }

    @Test
    void fabric8StaysWhereTheClusterIsReached() {
        onlyIn(
                "io.fabric8",
                "app",
                "cli.cluster",
                "election",
                "diagnosis.live",
                "kube.object",
                "kube.kubeconfig",
                "kube.transport",
                "tls.selfmanaged",
                "tls.selfmanaged.secret",
                "kube.watch");
    }

    @Test
    void jacksonStaysAtTheEdges() {
        onlyIn(
                "com.fasterxml.jackson",
                "record.announce",
                "management.api",
                "cluster.capacity",
                "cli.decisions",
                "cli.demo",
                "cli.doctor",
                "cli.explain",
                "cli.gateway",
                "cli.manifest",
                "config.tree",
                "diagnosis.file",
                "diagnosis.file.item",
                "diagnosis.live",
                "json",
                "kube.list",
                "kube.object",
                "kube.kubeconfig",
                "kube.transport",
                "kube.decode",
                "webhook.review",
                "kube.watch.file",
                "kube.watch");
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
