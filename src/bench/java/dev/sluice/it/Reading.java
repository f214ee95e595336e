package dev.sluice.it;

import java.util.EnumMap;
import java.util.Map;

/** All figures at one moment, or what they grew by between two. */
public record Reading(Map<Figure, Double> values) {

    public Reading {
        values = Map.copyOf(values);
    }

    public double of(Figure figure) {
        return values.getOrDefault(figure, 0.0);
    }

    public Reading since(Reading earlier) {
        return combined(earlier, -1);
    }

    public Reading plus(Reading other) {
        return combined(other, 1);
    }

    private Reading combined(Reading other, int sign) {
        Map<Figure, Double> combined = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            combined.put(figure, of(figure) + sign * other.of(figure));
        }
        return new Reading(combined);
    }
}
