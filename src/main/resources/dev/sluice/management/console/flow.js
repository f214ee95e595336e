// What pods asked for and what they were given instead, and why others were refused or wait.

import { html, useLayoutEffect, useRef, useState } from './lib/preact.js';
import { useAnswer } from './api.js';
import { address, refine, to } from './address.js';
import { Answer, Badge, Card, Choice, Empty, Exchange, Table, Verdict } from './parts.js';
import { useStore } from './store.js';
import { brief, clock, count, number, words } from './text.js';

const PERIODS = [
    ['15m', '15 minutes'],
    ['1h', 'hour'],
    ['6h', '6 hours'],
    ['24h', 'day'],
];

export function FlowView() {
    const { filters } = useStore(address);
    const since = filters.get('since') ?? '1h';
    const answer = useAnswer('flow', { since }, 5);
    return html`
        <form class="filters" onSubmit=${(event) => event.preventDefault()}>
            <${Choice} label="The last" value=${since} options=${PERIODS} onChange=${(value) => refine({ since: value })} />
        </form>
        <${Answer} of=${answer}>${(flow) => html`<${Flow} flow=${flow} since=${since} />`}<//>
    `;
}

/** A pod that was given something else does not wait: in availability mode this is how a fallback usually ends. */
const isWait = ({ decision, reason }) => decision !== 'denied' && decision !== 'changed' && reason === 'Exhausted';

function Flow({ flow, since }) {
    const exchanges = [...flow.exchanges].sort((a, b) => b.count - a.count);
    const refusals = flow.outcomes.filter((outcome) => outcome.decision === 'denied');
    const waits = flow.outcomes.filter(isWait);
    const others = flow.outcomes.filter((outcome) => outcome.decision !== 'denied' && !isWait(outcome));
    return html`
        <p class="sentence" role="status">
            ${count(flow.decisions, 'decision')} since ${clock(flow.since)}.
            ${flow.truncated && ' Older ones are no longer kept.'}
            ${flow.missing.length > 0 && ` ${count(flow.missing.length, 'replica')} did not answer.`}
        </p>
        <${Card} title="Fallbacks">
            ${flow.exchanges.length === 0
                ? html`<${Empty}>No pod was given something else than it asked for.<//>`
                : html`
                      <${Sankey} of=${exchanges} period=${since} since=${flow.since} />
                      <${Table}
                          label="Fallbacks"
                          kind="short"
                          keyOf=${(exchange) => `${exchange.from} ${exchange.to}`}
                          rows=${exchanges}
                          columns=${[
                              ['From and to', (exchange) => html`<${Exchange} from=${exchange.from} to=${exchange.to} />`],
                              ['Pods', (exchange) => html`<a href=${decisionsOf(exchange, flow.since)}>${number(exchange.count)}</a>`, 'number'],
                          ]}
                      />
                  `}
        <//>
        <div class="columns">
            <${Card} title="Refusals"><${Outcomes} of=${refusals} since=${flow.since} none="No pod was refused." /><//>
            <${Card} title="Waits"><${Outcomes} of=${waits} since=${flow.since} none="No decision has made a pod wait." /><//>
            <${Card} title="Other decisions"><${Outcomes} of=${others} since=${flow.since} none="There were no others." /><//>
        </div>
    `;
}

/** The address of the decisions that are counted in an exchange. */
const decisionsOf = ({ from, to: given }, since) => to('decisions', { from, to: given, since });

function Outcomes({ of, since, none }) {
    return of.length === 0
        ? html`<${Empty}>${none}<//>`
        : html`<${Table}
              label="Decisions by reason"
              keyOf=${(outcome) => `${outcome.decision} ${outcome.reason} ${outcome.enforcement}`}
              rows=${of}
              columns=${[
                  ['Reason', (outcome) => words(outcome.reason)],
                  ['Decision', (outcome) => html`<${Verdict} of=${outcome.decision} />${outcome.enforcement === 'observe' && html` <${Badge}>only observed<//>`}`],
                  ['Pods', (outcome) => html`<a href=${to('decisions', { verdict: outcome.decision, reason: outcome.reason, enforcement: outcome.enforcement, since })}>${number(outcome.count)}</a>`, 'number'],
              ]}
          />`;
}

/** The height of a band that stands for all pods together, and the gap between the ends of bands, in rem. */
const WHOLE = 14;
const GAP = 1.4;
const END = 0.5;

/** The most exchanges that are drawn. The table beneath has all of them. */
const MOST_BANDS = 24;

/** The room on a sheet of paper, of which a page cannot ask the width. */
const PAPER = { width: 640, rem: 11 };

/** Places the resources of one side below each other, each as high as its bands together. */
function side(exchanges, key, unit) {
    const places = new Map();
    let y = 0;
    for (const exchange of exchanges) {
        const place = places.get(exchange[key]) ?? { count: 0, used: 0 };
        place.count += exchange.count;
        places.set(exchange[key], place);
    }
    for (const place of [...places.values()].sort((a, b) => b.count - a.count)) {
        place.y = y;
        place.height = Math.max(0.3, place.count * unit);
        y += place.height + GAP;
    }
    return { places, height: y };
}

function Sankey({ of, period, since }) {
    const element = useRef();
    const [{ width, rem }, setSize] = useState({ width: 0, rem: 16 });
    useLayoutEffect(() => {
        const measure = () => setSize({ width: element.current.clientWidth, rem: parseFloat(getComputedStyle(document.documentElement).fontSize) });
        const print = () => setSize(PAPER);
        const observer = new ResizeObserver(measure);
        observer.observe(element.current);
        measure();
        addEventListener('beforeprint', print);
        addEventListener('afterprint', measure);
        return () => {
            observer.disconnect();
            removeEventListener('beforeprint', print);
            removeEventListener('afterprint', measure);
        };
    }, []);
    const exchanges = of.slice(0, MOST_BANDS);
    const all = exchanges.reduce((sum, exchange) => sum + exchange.count, 0);
    const unit = WHOLE / Math.max(1, all);
    const left = side(exchanges, 'from', unit);
    const right = side(exchanges, 'to', unit);
    const height = Math.max(left.height, right.height, 3);
    const room = width / rem;
    const margin = Math.min(10, room * 0.34);
    const [x1, x2] = [margin + END, room - margin - END];
    const middle = (x1 + x2) / 2;
    const bands = exchanges.map((exchange) => {
        const [from, into] = [left.places.get(exchange.from), right.places.get(exchange.to)];
        const thickness = Math.max(0.15, exchange.count * unit);
        const [y1, y2] = [from.y + from.used + thickness / 2, into.y + into.used + thickness / 2];
        from.used += thickness;
        into.used += thickness;
        return { exchange, thickness, d: `M${x1},${y1}C${middle},${y1} ${middle},${y2} ${x2},${y2}` };
    });
    const ends = (places, x, textX, anchor) =>
        [...places.places].map(
            ([resource, place]) => html`<g key=${resource}>
                <rect x=${x} y=${place.y} width=${END} height=${place.height} rx="0.1" class="end" />
                <text x=${textX} y=${place.y + place.height / 2} text-anchor=${anchor} dominant-baseline="central"><tspan class="label">${brief(resource)}</tspan><tspan class="amount" dx="0.5">${number(place.count)}</tspan></text>
            </g>`,
        );
    return html`
        <div class="sankey" ref=${element} style=${{ height: `${height + 0.5}rem` }}>
            ${width > 0 &&
            html`<svg viewBox=${`0 -0.25 ${room} ${height + 0.5}`} role="group" aria-label="From what pods asked for to what they were given">
                ${bands.map(
                    ({ exchange, thickness, d }) => html`<a key=${`${exchange.from} ${exchange.to}`} href=${decisionsOf(exchange, since)} aria-label=${`${brief(exchange.from)} to ${brief(exchange.to)}: ${count(exchange.count, 'pod')} in the last ${period}`}>
                        <path class="band" d=${d} stroke-width=${thickness} /><title>${`${brief(exchange.from)} → ${brief(exchange.to)}: ${number(exchange.count)}`}</title>
                    </a>`,
                )}
                ${ends(left, margin, margin - 0.5, 'end')} ${ends(right, room - margin - END, room - margin + 0.5, 'start')}
            </svg>`}
        </div>
    `;
}
