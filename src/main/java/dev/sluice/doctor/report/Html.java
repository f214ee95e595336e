package dev.sluice.doctor.report;

import dev.sluice.text.SafeText;
import dev.sluice.text.ShortText;
import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Markup. Only a template can bring markup into it; every text is escaped. */
record Html(String markup) {

    static final Html NONE = new Html("");

    /** Explanations have 2,000 characters at most. */
    private static final int LONGEST = 2_000;

    /** The template, with each {@code %s} replaced by a part: markup as it is, everything else as escaped text. */
    static Html of(String template, Object... parts) {
        return new Html(template.formatted(Stream.of(parts).map(Html::written).toArray()));
    }

    /** The markup of each thing, one behind the other. */
    static <T> Html each(Collection<T> things, Function<T, Html> one) {
        return new Html(things.stream().map(one).map(Html::markup).collect(Collectors.joining()));
    }

    private static String written(Object part) {
        return part instanceof Html html ? html.markup : escaped(part.toString());
    }

    /** For the contents of elements, and for attributes in quotation marks. */
    private static String escaped(String text) {
        return SafeText.line(ShortText.of(text, LONGEST))
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
