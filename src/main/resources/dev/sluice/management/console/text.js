// Text for people. Names and sentences that others have written are shown so that nothing in them is hidden.

// Control characters, format characters (bidirectional marks, zero-width characters), lone surrogates, separators, and
// characters that fonts draw as nothing, such as variation selectors and fillers.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;
const HIDDEN_BUT_LINE_BREAKS = /[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;

const MOST_OF_A_NAME = 253;
const MOST_OF_A_TEXT = 20_000;

const escape = (character) => `\\u${character.codePointAt(0).toString(16).padStart(4, '0')}`;

const cut = (text, most) => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Returns a name or a sentence in one line, with escapes for what cannot be seen. */
export const shown = (text, most = MOST_OF_A_NAME) => cut(String(text ?? ''), most).replace(HIDDEN, escape);

/** Does the same for a text of several lines. */
export const shownLines = (text) => cut(String(text ?? ''), MOST_OF_A_TEXT).replace(HIDDEN_BUT_LINE_BREAKS, escape);

const NUMBERS = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Returns a number with separators, or a dash if it is not known. */
export const number = (value) => (value === undefined || value === null ? '–' : NUMBERS.format(value));

export const count = (value, one, many = `${one}s`) => `${number(value)} ${value === 1 ? one : many}`;

export const percent = (part, whole) => (whole > 0 ? `${Math.round((100 * part) / whole)} %` : '–');

/** Returns a resource without the domain that most resources have. Those of other vendors keep theirs. */
export const brief = (resource) => shown(resource.replace(/^nvidia\.com\//, ''), 40);

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const WHOLE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** Returns the time of an instant, with its day if that is not today. */
export function clock(instant) {
    const date = new Date(instant);
    const today = date.toDateString() === new Date().toDateString();
    return today ? TIME.format(date) : `${DAY.format(date)}, ${TIME.format(date)}`;
}

/** Compares two instants as the API writes them, which have none to nine digits after the seconds. */
export function newestFirst(a, b) {
    const [first, second] = [a.slice(0, -1), b.slice(0, -1)];
    return first < second ? 1 : first > second ? -1 : 0;
}

export const wholeTime = (instant) => WHOLE.format(new Date(instant));

const UNITS = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
];

/** Returns a duration in the two largest units that it has, such as 3 h 5 min. */
export function duration(seconds) {
    const parts = [];
    let rest = Math.max(0, Math.round(seconds));
    for (const [size, unit] of UNITS) {
        if (rest >= size) {
            parts.push(`${Math.floor(rest / size)} ${unit}`);
            rest %= size;
        }
    }
    return parts.slice(0, 2).join(' ') || '0 s';
}

/** Returns a short duration with a unit that fits, from seconds. */
export function latency(seconds) {
    const [value, unit] = seconds < 0.001 ? [seconds * 1e6, 'µs'] : seconds < 1 ? [seconds * 1e3, 'ms'] : [seconds, 's'];
    return `${NUMBERS.format(value)} ${unit}`;
}

/** Returns a word such as notOffered or ConstraintMismatch as words. */
export const words = (word) => {
    const apart = shown(word, 80).replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
    return apart.charAt(0).toUpperCase() + apart.slice(1);
};
