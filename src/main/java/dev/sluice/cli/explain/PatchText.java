package dev.sluice.cli.explain;

import dev.sluice.patch.JsonPointer;
import dev.sluice.patch.PatchOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Prints a patch in short form, with one line for each value: {@code + containers[0] limits nvidia.com/gpu: 1}. */
public final class PatchText {

    private PatchText() {}

    public static List<String> lines(List<PatchOperation> patch) {
        List<String> lines = new ArrayList<>();
        for (PatchOperation operation : patch) {
            String place = place(operation.path());
            switch (operation) {
                case PatchOperation.Add add -> value("+ " + place, add.value(), lines);
                case PatchOperation.Replace replace -> value("= " + place, replace.value(), lines);
                case PatchOperation.Remove _ -> lines.add("- " + place);
            }
        }
        return lines;
    }

    private static void value(String place, PatchOperation.Value value, List<String> lines) {
        switch (value) {
            case PatchOperation.Text text -> lines.add(place + ": " + text.text());
            case PatchOperation.Members members -> {
                for (Map.Entry<String, PatchOperation.Value> member :
                        members.members().entrySet()) {
                    value(place + " " + member.getKey(), member.getValue(), lines);
                }
            }
        }
    }

    private static String place(JsonPointer path) {
        StringBuilder place = new StringBuilder();
        for (String key : path.keys()) {
            boolean obvious = key.equals("spec") || key.equals("resources") || key.equals("metadata");
            if (key.chars().allMatch(c -> c >= '0' && c <= '9')) {
                place.append('[').append(key).append(']');
            } else if (!obvious) {
                place.append(place.isEmpty() ? "" : " ").append(key);
            }
        }
        return place.toString();
    }
}
