package dev.sluice.cli.doctor;

import dev.sluice.text.SafeText;
import dev.sluice.text.ShortText;
import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A piece of HTML. Only templates can contain markup; every other text is escaped. */
record Html(String markup) {

    static final Html NONE = new Html("");

    /** The maximum length of a text in characters. Explanations have at most 2,000 characters. */
    private static final int LONGEST = 2_000;

    /**
     * Returns the template, in which each {@code %s} is replaced by a part. An {@link Html} is inserted unchanged, and
     * anything else is escaped.
     */
    static Html of(String template, Object... parts) {
        return new Html(template.formatted(Stream.of(parts).map(Html::written).toArray()));
    }

    /** Returns the HTML of all elements of a collection, one after the other. */
    static <T> Html each(Collection<T> things, Function<T, Html> one) {
        return new Html(things.stream().map(one).map(Html::markup).collect(Collectors.joining()));
    }

    private static String written(Object part) {
        return part instanceof Html html ? html.markup : escaped(part.toString());
    }

    /** Escapes text so that it is safe in elements and in quoted attributes. */
    private static String escaped(String text) {
        return SafeText.line(ShortText.of(text, LONGEST))
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
