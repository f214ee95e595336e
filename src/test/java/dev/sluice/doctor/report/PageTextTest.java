package dev.sluice.doctor.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '^',
            value = {
                "a_b*c; a\\_b\\*c",
                "<img src=x>; \\<img src=x\\>",
                "[a](b); \\[a\\](b)",
                "![a](b); !\\[a\\](b)",
                "a|b; a\\|b",
                "`x`; \\`x\\`",
                "&amp; \\&amp",
                "a\\|b; a\\\\\\|b",
                "- a; \\- a",
                "1. a; 1\\. a",
                "550.1; 550.1",
                "=== ; \\===",
                "http://a.b; http:\\//a.b",
                "www.a.b; www\\.a.b",
                "@all; @<!-- -->all",
                "$x$; \\$x\\$"
            })
    void markdownIsEscaped(String text, String escaped) {
        assertThat(MarkdownText.of(text)).isEqualTo(escaped);
    }

    @Test
    void codeCannotBeLeft() {
        assertThat(MarkdownText.code("a`b``c|d")).isEqualTo("`a'b''c\\|d`");
        assertThat(MarkdownText.code("")).isEmpty();
    }

    @Test
    void htmlIsEscapedInTextAndInAttributes() {
        assertThat(HtmlText.of("<a href=\"x\" title='y'>&amp;"))
                .isEqualTo("&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;");
    }

    @Test
    void whatSteersIsReplacedAndWhatIsLongIsCut() {
        assertThat(SafeText.of("a\nb\u001b[31mc\u202ed\u2028e\u200bf")).isEqualTo("a?b?[31mc?d?e?f");
        assertThat(SafeText.of("x".repeat(3_000))).hasSize(2_000).endsWith("x…");
    }
}
