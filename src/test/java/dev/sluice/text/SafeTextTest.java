package dev.sluice.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafeTextTest {

    @ParameterizedTest
    @ValueSource(
            ints = {
                0x00, 0x07, 0x08, 0x1b, 0x7f, 0x80, 0x9b, 0x9d, 0x9f, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b,
                0x200d, 0x200e, 0x200f, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0x3164, 0xd800, 0xdc00, 0xe000, 0xfe0f,
                0xfeff, 0xffa0, 0xfff9, 0xffff, 0xe0041, 0xe0100
            })
    void whatSteersOrHidesIsEscaped(int c) {
        assertThat(SafeText.isSafe(c)).isFalse();
        assertThat(SafeText.line("a" + Character.toString(c) + "b")).matches("a(\\\\u[0-9a-f]{4}){1,2}b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\t", "\n", "\u000b", "\f", "\r", "\u0085", "\u2028", "\u2029"})
    void whatEndsALineBecomesABlank(String end) {
        assertThat(SafeText.line("a" + end + "b")).isEqualTo("a b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain ~ text", "größe 😀 漢字 عربي", "a\u00a0b", "é"})
    void everythingElseStays(String text) {
        assertThat(SafeText.line(text)).isEqualTo(text);
        assertThat(SafeText.isSafe(text)).isTrue();
    }

    @Test
    void textIsCutBeforeAPairOfSurrogatesAndNotInIt() {
        assertThat(ShortText.of("abcdef", 6)).isEqualTo("abcdef");
        assertThat(ShortText.of("abcdefg", 6)).isEqualTo("abc...");
        assertThat(ShortText.of("ab😀defg", 6)).isEqualTo("ab...");
        assertThat(ShortText.isCut(ShortText.of("ab😀defg", 6), 6)).isTrue();
        assertThat(ShortText.ofMiddle("abcdefghijkl", 9)).isEqualTo("abc...jkl");
        assertThat(ShortText.ofMiddle("abcdefghi😀kl", 9)).isEqualTo("abc...kl");
        assertThat(ShortText.quoted("abcd", 3)).isEqualTo("abc…");
    }

    @Test
    void numbersAndNamesAreWrittenAsInSentences() {
        assertThat(CountText.of(1, "node")).isEqualTo("1 node");
        assertThat(CountText.of(2_000, "node")).isEqualTo("2,000 nodes");
        assertThat(CountText.of(2, "pod fits", "pods fit")).isEqualTo("2 pods fit");
        assertThat(NameList.of(List.of("a", "b", "c"), 3)).isEqualTo("a, b, c");
        assertThat(NameList.withNoun("container", List.of("a", "b", "c"), 2)).isEqualTo("containers a, b and 1 more");
        assertThat(NameList.withNoun("container", List.of("a"), 2)).isEqualTo("container a");
    }

    @ParameterizedTest
    @CsvSource({"port, prot, 1", "port, port, 0", "'', abc, 3", "abc, '', 3", "kitten, sitting, 3", "ca, abc, 3"})
    void editsAreCounted(String from, String to, int edits) {
        assertThat(EditDistance.between(from, to)).isEqualTo(edits);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '"',
            value = {
                "train-7 train-7",
                "a/b.c_d a/b.c_d",
                "t;x 't;x'",
                "$(x) '$(x)'",
                "a'b 'a'\\''b'",
                "\"a b\" \"'a b'\"",
                "größe 'größe'"
            })
    void aWordIsQuotedForAShell(String word, String quoted) {
        assertThat(ShellWord.of(word)).contains(quoted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-o", "--kubeconfig=x", "a\nb", "a\u001b[2J", "a\u202eb"})
    void aWordThatNoQuotesMakeSafeGivesNoCommand(String word) {
        assertThat(ShellWord.of(word)).isEmpty();
        assertThat(ShellWord.command("kubectl get pod %s -o %s", word, "yaml")).isEmpty();
    }
}
