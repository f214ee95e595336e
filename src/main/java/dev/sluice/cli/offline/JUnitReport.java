package dev.sluice.cli.offline;

import dev.sluice.text.SafeText;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes the results as JUnit XML, which systems for continuous integration show: one suite for each file of cases. */
final class JUnitReport {

    private final XMLStreamWriter xml;

    private JUnitReport(XMLStreamWriter xml) {
        this.xml = xml;
    }

    static String of(List<CaseResult> results) {
        Map<String, List<CaseResult>> bySource = new LinkedHashMap<>();
        results.forEach(result -> bySource.computeIfAbsent(result.one().place().source(), _ -> new ArrayList<>())
                .add(result));
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            new JUnitReport(xml).write(results, bySource);
            xml.close();
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return text + "\n";
    }

    private void write(List<CaseResult> results, Map<String, List<CaseResult>> bySource) throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        start("testsuites", "sluice test", results);
        for (Map.Entry<String, List<CaseResult>> source : bySource.entrySet()) {
            start("testsuite", source.getKey(), source.getValue());
            for (CaseResult result : source.getValue()) {
                writeCase(source.getKey(), result);
            }
            xml.writeEndElement();
        }
        xml.writeEndElement();
        xml.writeEndDocument();
    }

    private void start(String element, String name, List<CaseResult> results) throws XMLStreamException {
        long failed = results.stream().filter(result -> !result.hasPassed()).count();
        xml.writeCharacters("\n");
        xml.writeStartElement(element);
        attribute("name", name);
        attribute("tests", Integer.toString(results.size()));
        attribute("failures", Long.toString(failed));
        attribute("errors", "0");
    }

    private void writeCase(String source, CaseResult result) throws XMLStreamException {
        xml.writeCharacters("\n");
        xml.writeStartElement("testcase");
        attribute("classname", source);
        attribute("name", result.one().name());
        if (!result.hasPassed()) {
            xml.writeStartElement("failure");
            attribute(
                    "message",
                    String.join(
                            "; ",
                            result.differences().stream()
                                    .map(CaseFieldDifference::sentence)
                                    .toList()));
            for (CaseFieldDifference difference : result.differences()) {
                text(difference.sentence());
            }
            for (String sentence : result.actual().sentences()) {
                text("The user would read: " + sentence);
            }
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    /** XML allows no control characters, so they are escaped as in other output. */
    private void attribute(String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, SafeText.line(value));
    }

    private void text(String line) throws XMLStreamException {
        xml.writeCharacters(SafeText.line(line) + "\n");
    }
}
