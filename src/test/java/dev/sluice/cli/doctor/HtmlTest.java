package dev.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HtmlTest {

    @Test
    void textIsEscapedInContentsAndInAttributes() {
        assertThat(Html.of("<p title=\"%s\">%s</p>", "\" onclick='x", "<b>&amp;")
                        .markup())
                .isEqualTo("<p title=\"&quot; onclick=&#39;x\">&lt;b&gt;&amp;amp;</p>");
    }

    @Test
    void markupIsNotEscapedTwice() {
        assertThat(Html.of("<p>%s</p>", Html.each(List.of("<", ">"), text -> Html.of("<b>%s</b>", text)))
                        .markup())
                .isEqualTo("<p><b>&lt;</b><b>&gt;</b></p>");
    }

    @Test
    void aTextWithAPlaceholderStaysText() {
        assertThat(Html.of("%s%s", "%s", "a%d").markup()).isEqualTo("%sa%d");
    }

    @Test
    void whatSteersIsEscapedAndWhatIsLongIsCut() {
        assertThat(Html.of("%s", "a\nb\u001b[31mc\u202ed\u2028e\u200bf").markup())
                .isEqualTo("a b\\u001b[31mc\\u202ed e\\u200bf");
        assertThat(Html.of("%s", "x".repeat(3_000)).markup()).hasSize(2_000).endsWith("x...");
    }
}
