package dev.sluice.cli.doctor;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** An HTML report as text, with a line for each block, so that a test can compare it with a file. */
final class ReportText {

    private final List<String> lines = new ArrayList<>();

    private ReportText() {}

    /** As XML the body would not be well-formed if a text could open or close an element. */
    static Document parsed(String html) throws Exception {
        String body = html.substring(html.indexOf("<body>"), html.indexOf("</html>"));
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", /* value= */ true);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(body)));
    }

    static String of(String html) throws Exception {
        ReportText text = new ReportText();
        text.block(parsed(html).getDocumentElement());
        return String.join("\n", text.lines) + "\n";
    }

    private void block(Element element) {
        switch (element.getTagName()) {
            case "nav" -> {}
            case "h1" -> lines.add("# " + inline(element));
            case "h2" -> lines.addAll(List.of("", "## " + inline(element), ""));
            case "h3" -> lines.add("### " + inline(element));
            case "p" -> lines.add(inline(element));
            case "tr" ->
                lines.add(children(element).map(ReportText::cell).collect(Collectors.joining(" | ", "| ", " |")));
            default -> {
                switch (element.getAttribute("class").split(" ", -1)[0]) {
                    case "tile" ->
                        lines.add(children(element).map(ReportText::inline).collect(Collectors.joining(" ", "- ", "")));
                    case "legend", "device" -> lines.add("  " + inline(element));
                    default -> children(element).forEach(this::block);
                }
            }
        }
    }

    private static Stream<Element> children(Element element) {
        return nodes(element).filter(Element.class::isInstance).map(Element.class::cast);
    }

    private static Stream<Node> nodes(Element element) {
        NodeList nodes = element.getChildNodes();
        return Stream.iterate(0, i -> i < nodes.getLength(), i -> i + 1).map(nodes::item);
    }

    private static String cell(Element cell) {
        String text = inline(cell);
        return List.of(cell.getAttribute("class").split(" ", -1)).contains("bad") && !text.isEmpty()
                ? "**" + text + "**"
                : text;
    }

    private static String inline(Element element) {
        return nodes(element)
                .map(node -> node instanceof Element inner ? inner(inner) : node.getTextContent())
                .collect(Collectors.joining())
                .strip()
                .replaceAll("\\s*\n\\s*", ", ");
    }

    private static String inner(Element element) {
        return switch (element.getTagName()) {
            case "code" -> "`" + element.getTextContent() + "` ";
            case "svg" -> {
                String boxes = children(element)
                        .filter(it -> !it.getTagName().equals("title"))
                        .map(it -> it.getAttribute("class").charAt(0) + "")
                        .collect(Collectors.joining());
                String title = children(element)
                        .filter(it -> it.getTagName().equals("title"))
                        .map(Node::getTextContent)
                        .collect(Collectors.joining());
                yield "[" + boxes + (title.isEmpty() ? "" : ": " + title) + "] ";
            }
            default -> inline(element);
        };
    }
}
