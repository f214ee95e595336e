package dev.sluice.kube.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.doctor.facts.PodFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FactsFilesTest {

    private static final String GOOD =
            "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"good\",\"namespace\":\"ns\"}}";

    @TempDir
    private Path directory;

    private ClusterFacts read(String text) throws IOException, ClusterStateException {
        return FactsFiles.read(List.of(Files.writeString(directory.resolve("cluster"), text)));
    }

    private ClusterFacts items(String... items) throws IOException, ClusterStateException {
        return read("{\"kind\":\"List\",\"items\":[" + String.join(",", items) + "]}");
    }

    private static List<String> unread(ClusterFacts facts) {
        return facts.unread().stream().map(UnreadObject::why).toList();
    }

    private static List<String> pods(ClusterFacts facts) {
        return facts.pods().stream().map(PodFacts::name).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'spec': 7 | spec is not a map",
                "'spec': {'containers': {}} | spec.containers is not a list",
                "'spec': {'containers': [null]} | spec.containers[0] is not a map",
                "'spec': {'containers': [{}, 'x']} | spec.containers[1] is not a map",
                "'spec': {'containers': [{'args': [7]}]} | spec.containers[0].args is not a string",
                "'spec': {'priority': 'x'} | spec.priority is not a whole number",
                "'spec': {'priority': 1.5} | spec.priority is not a whole number",
                "'spec': {'priority': 99999999999999999999} | spec.priority is not a whole number",
                "'spec': {'nodeName': true} | spec.nodeName is not a string",
                "'metadata': {'labels': 7, 'name': 'bad', 'namespace': 'ns'} | metadata.labels is not a map",
                "'metadata': {'name': 'bad', 'namespace': 'ns', 'labels': {'a': 7}} | metadata.labels.a is not a string",
                "'metadata': {'name': 'bad', 'namespace': 'ns', 'ownerReferences': [{'controller': 'x'}]}"
                        + " | metadata.ownerReferences[0].controller is not true or false",
                "'status': {'conditions': [{'message': []}]} | status.conditions[0].message is not a string",
                "'spec': {'overhead': {'cpu': {}}} | spec.overhead.cpu is not a string",
                "'spec': {'overhead': {'cpu': 'much'}} | spec.overhead.cpu is not a quantity such as 1 or 2Gi"
            })
    void anObjectWithAFieldOfTheWrongTypeIsNamedAndTheOthersStay(String fields, String why) throws Exception {
        String metadata = fields.contains("metadata") ? "" : "\"metadata\":{\"name\":\"bad\",\"namespace\":\"ns\"},";
        String bad = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"," + metadata + fields.replace('\'', '"') + "}";

        ClusterFacts facts = items(GOOD.replace("good", "first"), bad, GOOD);

        assertThat(unread(facts)).containsExactly("Pod ns/bad cannot be read: " + why + "; it is left out.");
        assertThat(pods(facts)).containsExactly("first", "good");
    }

    @Test
    void whatIsNoObjectIsSkippedWithAllThatIsInIt() throws Exception {
        ClusterFacts facts = items("7", "[{\"kind\":\"Pod\"},[]]", GOOD);

        assertThat(unread(facts)).hasSize(2).allMatch("An item of the list is no object; it is left out."::equals);
        assertThat(pods(facts)).containsExactly("good");
    }

    @Test
    void theOrderOfTheFieldsDoesNotMatter() throws Exception {
        ClusterFacts facts = items("{\"spec\":{\"nodeName\":\"n\"},\"status\":{\"phase\":\"Running\"},\"metadata\":"
                + "{\"namespace\":\"ns\",\"name\":\"good\"},\"apiVersion\":\"v1\",\"kind\":\"Pod\"}");

        assertThat(facts.pods())
                .singleElement()
                .satisfies(pod -> assertThat(pod.nodeName()).isEqualTo("n"))
                .satisfies(pod -> assertThat(pod.state().phase()).isEqualTo("Running"));
    }

    /** As {@code kubectl cluster-info dump -o yaml} writes it. */
    @Test
    void aListMayNameTheKindOfItsObjectsAfterThem() throws Exception {
        ClusterFacts facts = read("""
                apiVersion: v1
                items:
                - metadata: {name: a, namespace: ns}
                  spec: {nodeName: n}
                - metadata: {name: b, namespace: ns}
                kind: PodList
                ---
                kind: NodeList
                items:
                - metadata: {name: n}
                """);

        assertThat(pods(facts)).containsExactly("a", "b");
        assertThat(facts.nodes()).extracting(NodeFacts::name).containsExactly("n");
        assertThat(unread(facts)).isEmpty();
    }

    @Test
    void aPipeCannotBeReadAgainForTheKindOfItsObjects() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Thread.ofVirtual()
                .start(() -> assertThat(pipe)
                        .satisfies(
                                it -> Files.writeString(it, "{\"items\":[{\"metadata\":{}}],\"kind\":\"PodList\"}")));

        assertThatThrownBy(() -> FactsFiles.read(List.of(pipe)))
                .isInstanceOf(ClusterStateException.class)
                .hasMessageContaining("pipe")
                .hasMessageEndingWith("save it to a file");
    }

    @Test
    void anObjectThatNothingNamesTheKindOfIsNamed() throws Exception {
        assertThat(unread(items("{\"metadata\":{\"name\":\"x\",\"namespace\":\"ns\"}}", GOOD)))
                .containsExactly("The object ns/x has no kind; it is left out.");
    }

    /** Longhorn has a Node, and Volcano a Job, with other fields. */
    @Test
    void kindsOfOtherGroupsAreNoConcernWhateverTheirFieldsAre() throws Exception {
        ClusterFacts facts = items(
                "{\"apiVersion\":\"longhorn.io/v1beta2\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"},\"spec\":7}",
                "{\"kind\":\"Job\",\"apiVersion\":\"batch.volcano.sh/v1alpha1\",\"status\":[],\"metadata\":{}}",
                "{\"kind\":\"ConfigMap\",\"metadata\":{\"labels\":7},\"data\":{\"a\":\"b\"}}");

        assertThat(facts.unread()).isEmpty();
        assertThat(facts.collected()).isEmpty();
    }

    @Test
    void theNewestTimeIsThatOfAnyObject() throws Exception {
        ClusterFacts facts = items(
                "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"creationTimestamp\":\"2026-01-01T00:00:00Z\"}}",
                "{\"kind\":\"Service\",\"metadata\":{\"managedFields\":[{\"time\":\"2026-01-03T00:00:00Z\"}]}}",
                "{\"kind\":\"Lease\",\"metadata\":{\"name\":\"l\",\"deletionTimestamp\":\"2027-01-01T00:00:00Z\"},"
                        + "\"spec\":{\"renewTime\":\"2026-01-02T00:00:00.000000Z\"}}");

        assertThat(facts.time()).isEqualTo(Instant.parse("2026-01-03T00:00:00Z"));
    }

    @Test
    void aLongMessageIsCutAndSaysSo() throws Exception {
        String face = "\uD83D\uDE00";
        ClusterFacts facts = items(
                "{\"kind\":\"Event\",\"message\":\"" + "m".repeat(100_000) + "\"}",
                "{\"kind\":\"Event\",\"note\":\"" + "n".repeat(4092) + face + "nnn\"}",
                "{\"kind\":\"Event\",\"message\":\"" + "o".repeat(4096) + "\"}");

        assertThat(facts.events())
                .satisfiesExactly(
                        event -> assertThat(event.text()).isEqualTo("m".repeat(4093) + "..."),
                        event -> assertThat(event.text()).isEqualTo("n".repeat(4092) + "..."),
                        event -> assertThat(event.text()).isEqualTo("o".repeat(4096)));
    }

    /** The API server stores both: each is below its limit of an object. */
    @Test
    void anObjectOfMoreValuesThanPeopleWriteIsNamedAndTheOthersStay() throws Exception {
        String many = GOOD.replace("good", "many")
                .replaceFirst("}$", ",\"spec\":{\"containers\":[" + "{},".repeat(60_000) + "{}]}}");
        String late = "{\"spec\":{\"containers\":[" + "{},".repeat(60_000)
                + "{}]},\"metadata\":{\"name\":\"late\"},\"kind\":\"Pod\"}";

        ClusterFacts facts = items(many, late, GOOD);

        assertThat(unread(facts))
                .satisfiesExactly(
                        why -> assertThat(why).startsWith("Pod ns/many cannot be read: it has more than 100000 values"),
                        why -> assertThat(why).startsWith("Pod late cannot be read: it has more than 100000 values"));
        assertThat(pods(facts)).containsExactly("good");
    }

    @Test
    void whatIsNotReadMayBeOfAnySizeAndDepth() throws Exception {
        String deep = "[".repeat(9_000) + "]".repeat(9_000);
        String wide = "{\"a\":\"" + "x".repeat(1_000) + "\"},";
        String pod = GOOD.replaceFirst(
                "}$", ",\"spec\":{\"volumes\":[" + wide.repeat(20_000) + "{}],\"deep\":" + deep + "}}");

        assertThat(pods(items(pod))).containsExactly("good");
    }

    @Test
    void nullIsAsGoodAsNothing() throws Exception {
        ClusterFacts facts = items("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"labels\":{\"a\":null},"
                + "\"ownerReferences\":null},\"spec\":{\"containers\":[{\"resources\":{\"requests\":{\"cpu\":null}}}],"
                + "\"affinity\":null,\"nodeName\":null,\"priority\":null},\"status\":null}");

        assertThat(unread(facts)).isEmpty();
        assertThat(pods(facts)).containsExactly("p");
    }

    @Test
    void aDefaultPriorityOf0ReplacesThatOfAnEarlierFile() throws Exception {
        String preset =
                "{\"kind\":\"List\",\"items\":[{\"kind\":\"PriorityClass\",\"metadata\":{\"name\":\"p\"},\"value\":%d,"
                        + "\"globalDefault\":true},{\"kind\":\"Pod\",\"metadata\":{\"name\":\"x\",\"namespace\":\"ns\"}}]}";
        Path five = Files.writeString(directory.resolve("five.json"), preset.formatted(5));
        Path zero = Files.writeString(directory.resolve("zero.json"), preset.formatted(0));

        assertThat(priority(five)).isEqualTo(5);
        assertThat(priority(zero, five)).isEqualTo(5);
        assertThat(priority(five, zero)).isZero();
    }

    private static long priority(Path... files) throws ClusterStateException {
        return FactsFiles.read(List.of(files)).pods().getFirst().ask().priority();
    }

    @Test
    void notesSayWhichKindsWereListedAndWhyOthersWereNot() throws Exception {
        ClusterFacts facts = read("{\"kind\":\"List\",\"sluice\":{\"listed\":[\"leases\",\"others\"],"
                + "\"failed\":{\"jobs\":\"it may not\"},\"more\":[]},\"items\":[]}");

        assertThat(facts.collected()).containsExactly(ClusterFactKind.LEASES);
        assertThat(facts.failures()).containsOnlyKeys(ClusterFactKind.JOBS).containsValue("it may not");
        assertThatThrownBy(() -> read("{\"kind\":\"List\",\n\"sluice\":{\"listed\":7},\"items\":[]}"))
                .isInstanceOf(ClusterStateException.class)
                .hasMessageEndingWith(", line 2: sluice.listed is not a list");
    }

    @Test
    void aKindIsCollectedThoughItsOnlyObjectIsMalformed() throws Exception {
        assertThat(items("{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"},\"spec\":7}")
                        .collected())
                .containsExactly(ClusterFactKind.NODES);
    }
}
