package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Makes objects of a tenant who attacks the doctor: one text of an object, at any place, is chosen by the attacker. The
 * kinds and fields are those of {@code hostile-objects.yaml}.
 */
public final class HostileObjects {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path TEMPLATES = Path.of("src/test/resources/hostile-objects.yaml");

    private static final List<String> MESSAGES = List.of(
            "exceeded quota: a, requested: b, used: ",
            "must be equal to ",
            "Limit must be set for non overcommitable resources ",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a",
            "failed quota: q: must specify a for: b,b,b,b,b,b,b,b,b",
            "preemption: pod \"pods \"persistent volume, ",
            "\u001b]0;owned\u0007\u202e\u2028\r\n\u009b31m forged: Healthy\n");

    /** Repeats a message to about 200 KB. */
    private static final int HUGE_TIMES = 5_000;

    /** How the attacker chooses the texts of many objects. */
    enum Choice {
        DISTINCT,
        /** All texts have the same hash. */
        COLLIDING,
        LONG,
        MESSAGE,
        FAR_FUTURE,
        /** Few objects of almost the size that the API server stores, most of it in one text. */
        HUGE;

        private static final int MOST_HUGE = 8;

        /** Returns how many of so many objects may have such a text, so that a cluster of them can be read. */
        int objects(int wanted) {
            return this == HUGE ? Math.min(wanted, MOST_HUGE) : wanted;
        }

        private int entries() {
            return this == HUGE ? 5 : 20;
        }

        String text(int number) {
            return switch (this) {
                case DISTINCT -> "v" + number;
                case COLLIDING -> colliding(number);
                case LONG -> "x".repeat(2_000) + number;
                case MESSAGE -> MESSAGES.get(number % MESSAGES.size()).repeat(200);
                case FAR_FUTURE -> "9999-12-31T23:59:59Z";
                case HUGE -> MESSAGES.get(number % MESSAGES.size()).repeat(HUGE_TIMES) + number;
            };
        }
    }

    /** A text of a template that the attacker chooses; for a map the keys of its entries. */
    record Place(int template, String pointer) {}

    private final List<ObjectNode> templates = new ArrayList<>();
    private final List<ObjectNode> others = new ArrayList<>();

    public HostileObjects() {
        try {
            JsonNode lists = new YAMLMapper().readTree(Files.readString(TEMPLATES));
            lists.path("hostile").forEach(item -> templates.add((ObjectNode) item));
            lists.path("others").forEach(item -> others.add((ObjectNode) item));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Returns one of 8,192 texts of lower-case letters and digits with the same hash: "an" and "c0" have one. */
    static String colliding(int number) {
        StringBuilder text = new StringBuilder();
        for (int bit = 0; bit < 13; bit++) {
            text.append((number >> bit & 1) == 0 ? "an" : "c0");
        }
        return text.toString();
    }

    /** Returns all places that can be attacked. */
    List<Place> places() {
        List<Place> places = new ArrayList<>();
        for (int template = 0; template < templates.size(); template++) {
            places(template, "", templates.get(template), places);
        }
        return places;
    }

    private static void places(int template, String at, JsonNode value, List<Place> places) {
        if (value.isTextual()
                && !at.equals("/kind")
                && !at.equals("/apiVersion")
                && !at.equals("/metadata/namespace")) {
            places.add(new Place(template, at));
        }
        if (value.isObject() && isMap(at)) {
            places.add(new Place(template, at));
        }
        if (value.isObject()) {
            value.properties()
                    .forEach(field ->
                            places(template, at + "/" + field.getKey().replace("/", "~1"), field.getValue(), places));
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            places(template, at + "/" + i, value.get(i), places);
        }
    }

    private static boolean isMap(String at) {
        return at.endsWith("abels")
                || at.endsWith("odeSelector")
                || at.endsWith("hard")
                || at.endsWith("requests")
                || at.endsWith("annotations")
                || at.endsWith("data");
    }

    /** Returns the objects of others, whose verdicts must not change. */
    public ArrayNode others() {
        return JSON.createArrayNode()
                .addAll(others.stream().map(ObjectNode::deepCopy).toList());
    }

    /** Returns the objects of the attacker and of others. */
    List<ObjectNode> all() {
        return Stream.concat(templates.stream(), others.stream())
                .map(ObjectNode::deepCopy)
                .toList();
    }

    /** Puts many small entries into each map of an object. */
    static void fillMaps(ObjectNode object, int number) {
        List<Place> places = new ArrayList<>();
        places(0, "", object, places);
        for (Place place : places) {
            if (object.at(place.pointer()).isObject()) {
                attack(object, place, Choice.DISTINCT, number);
            }
        }
    }

    /** Adds objects in which the attacker chooses one place. */
    void add(ArrayNode items, Place place, Choice choice, int objects) {
        for (int number = 0; number < objects; number++) {
            items.add(object(place, choice, number));
        }
    }

    /** Adds an object for each place of all kinds, in which the attacker chooses this place. */
    void addOfEachPlace(ArrayNode items, Choice choice) {
        int number = 0;
        for (Place place : places()) {
            items.add(object(place, choice, number++));
        }
    }

    /** Adds random objects: several places of each are chosen. */
    public void addRandom(ArrayNode items, Random random, int objects) {
        List<Place> places = places();
        Place first = places.get(random.nextInt(places.size()));
        Choice[] choices = Choice.values();
        Choice choice = choices[random.nextInt(choices.length)];
        for (int number = 0; number < choice.objects(objects); number++) {
            ObjectNode object = object(first, choice, number);
            for (int more = random.nextInt(3); more > 0; more--) {
                Place place = places.get(random.nextInt(places.size()));
                Choice another = choices[random.nextInt(choices.length)];
                if (place.template() == first.template() && number < another.objects(objects)) {
                    attack(object, place, another, random.nextInt(8_192));
                }
            }
            items.add(object);
        }
    }

    private ObjectNode object(Place place, Choice choice, int number) {
        ObjectNode object = templates.get(place.template()).deepCopy();
        ((ObjectNode) object.path("metadata"))
                .put("name", object.path("metadata").path("name").asText() + number);
        attack(object, place, choice, number);
        return object;
    }

    private static void attack(ObjectNode object, Place place, Choice choice, int number) {
        JsonPointer pointer = JsonPointer.compile(place.pointer());
        JsonNode parent = object.at(pointer.head());
        JsonPointer last = pointer.last();
        if (object.at(pointer) instanceof ObjectNode map) {
            String value = map.isEmpty() ? "1" : map.elements().next().asText();
            for (int entry = 0; entry < choice.entries(); entry++) {
                map.put(choice.text(number + entry), value);
            }
        } else if (parent instanceof ObjectNode map) {
            map.put(last.getMatchingProperty(), choice.text(number));
        } else if (parent instanceof ArrayNode list) {
            list.set(last.getMatchingIndex(), choice.text(number));
        }
    }

    /** Writes a List with these items. */
    public static Path write(Path file, ArrayNode items) throws IOException {
        JSON.writeValue(
                file.toFile(),
                JSON.createObjectNode()
                        .put("apiVersion", "v1")
                        .put("kind", "List")
                        .set("items", items));
        return file;
    }
}
