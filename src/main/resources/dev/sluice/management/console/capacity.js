// What the nodes offer of each resource, what of it is taken and by whom, and how that was in the last hours.

import { html, useEffect, useMemo, useRef } from './lib/preact.js';
import Plot from './lib/uplot.js';
import { session, useAnswer } from './api.js';
import { address, to } from './address.js';
import { amounts, sums } from './fleet-model.js';
import { fleet as current } from './live.js';
import { Answer, Badge, Bar, Card, Empty, Legend, Name, PodsUnknown, Refused, Resource, Table, Waiting } from './parts.js';
import { useStore } from './store.js';
import { brief, clock, count, number, percent } from './text.js';

const MOST_HOLDERS = 12;

export function CapacityView() {
    const { fleet, refusal } = useStore(current);
    const { filters } = useStore(address);
    const { namespace } = useStore(session);
    const history = useAnswer('capacity/history', {}, 60);
    const holders = useAnswer('capacity/holders', {}, 30);
    if (!fleet) {
        return refusal ? html`<${Refused} refusal=${refusal} />` : html`<${Waiting} />`;
    }
    const nodes = fleet.nodes();
    const all = sums(nodes, fleet.podsKnown);
    if (all.length === 0) {
        return html`<${Empty}>No node offers a device.<//>`;
    }
    const chosen = all.find((sum) => sum.resource === filters.get('resource')) ?? all[0];
    const historyOf = (resource) => history.answer?.resources.find((one) => one.resource === resource);
    const holdersOf = (resource) => holders.answer?.resources.find((one) => one.resource === resource);
    const largest = (sum) => holdersOf(sum.resource)?.holders.find((holder) => holder.allocated > 0 && (!namespace || holder.namespace === namespace));
    return html`
        ${!fleet.podsKnown && html`<${PodsUnknown} />`}
        <${Table}
            label="Capacity by resource"
            kind="compact"
            keyOf=${(sum) => sum.resource}
            rowClass=${(sum) => (sum === chosen ? 'selected' : '')}
            rows=${all}
            columns=${[
                ['Resource', (sum) => html`<a href=${to('capacity', { resource: sum.resource })} aria-current=${sum === chosen ? 'true' : undefined}><${Resource} of=${sum.resource} /></a> ${sum.dra && html`<${Badge} tone="violet">DRA<//>`}`],
                ['Use', (sum) => html`<${Bar} amount=${sum} />`, 'wide'],
                ['Allocatable', (sum) => number(sum.allocatable), 'number'],
                ['Allocated', (sum) => number(sum.allocated), 'number'],
                ['Reserved', (sum) => number(sum.reserved), 'number'],
                ['Available', (sum) => html`<b>${number(sum.available)}</b>`, 'number'],
                ['Withdrawn', (sum) => (sum.withdrawn > 0 ? html`<span class="bad-number">${number(sum.withdrawn)}</span>` : '0'), 'number'],
                ['Largest free', (sum) => number(sum.largestFree), 'number'],
                ['Nodes', (sum) => number(sum.nodes), 'number'],
                ['8 hours', (sum) => html`<${Sparkline} of=${historyOf(sum.resource)} />`, 'spark'],
                [namespace ? 'Held by your namespace' : 'Held most by', (sum) => (largest(sum) ? html`<${Name} of=${largest(sum).namespace} most=${40} /> <span class="of">${number(largest(sum).allocated)}</span>` : ''), 'nowrap'],
            ]}
        />
        <${Legend} />
        <div class="columns">
            <${Card} title=${`${brief(chosen.resource)} over the last hours`} kind="broad">
                <${Answer} of=${history}>${(answer) => {
                    const series = historyOf(chosen.resource);
                    return series && series.allocatable.filter((amount) => amount !== null).length > 1 ? html`<${Chart} times=${answer.times} of=${series} />` : html`<${Empty}>The gateway has just begun to record this: look again in a minute.<//>`;
                }}<//>
            <//>
            <${Card} title=${`Who holds ${brief(chosen.resource)}`}>
                <${Answer} of=${holders}>${(answer) => html`<${Holders} of=${holdersOf(chosen.resource)} podsKnown=${answer.podsKnown} isOfTenant=${isOfTenant(answer, namespace)} />`}<//>
            <//>
            <${Card} title=${`How free ${brief(chosen.resource)} lies`}>
                <${Fragmentation} nodes=${nodes} podsKnown=${fleet.podsKnown} sum=${chosen} />
            <//>
        </div>
    `;
}

/** The used part of what is allocatable over the time, as a line that fills its cell. */
function Sparkline({ of }) {
    if (!of || of.allocatable.length < 2) {
        return null;
    }
    const parts = of.allocatable.map((allocatable, at) => (allocatable > 0 && of.allocated[at] !== null ? Math.min(1, (of.allocated[at] + (of.reserved[at] ?? 0)) / allocatable) : null));
    const points = parts.map((part, at) => part !== null && `${((100 * at) / (parts.length - 1)).toFixed(1)},${(22 - 20 * part).toFixed(1)}`).filter(Boolean);
    const line = points.join('L');
    const last = parts.at(-1);
    return html`<svg class="sparkline" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" aria-label=${last === null ? 'not known' : `${Math.round(100 * last)} % taken now`}>
        ${points.length > 0 && html`<path class="area" d=${`M0,24L${line}L100,24Z`} /><path d=${`M${line}`} vector-effect="non-scaling-stroke" />`}
    </svg>`;
}

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Draws a resource over the time. The drawing is described in words, because it is a picture. */
function Chart({ times, of }) {
    const place = useRef();
    const plot = useRef();
    // The chart lives longer than the amounts with which it was made, so its legend reads the newest ones.
    const newest = useRef(of);
    newest.current = of;
    // Reservations are drawn on top of allocations.
    const data = useMemo(
        () => [times, of.allocatable, of.allocated.map((allocated, at) => (allocated === null ? null : allocated + (of.reserved[at] ?? 0))), of.allocated, of.largestFree],
        [times, of],
    );
    useEffect(() => {
        const dark = matchMedia('(prefers-color-scheme: dark)');
        const draw = () => {
            plot.current?.destroy();
            plot.current = new Plot(options(place.current, newest), data, place.current);
        };
        // Paper is light, and the colours of a canvas are those with which it was drawn.
        const print = (isPrinting) => () => {
            document.documentElement.classList.toggle('paper', isPrinting);
            draw();
        };
        const [before, after] = [print(true), print(false)];
        const size = new ResizeObserver(() => plot.current?.setSize(sizeOf(place.current)));
        sheet();
        draw();
        size.observe(place.current);
        dark.addEventListener('change', draw);
        addEventListener('beforeprint', before);
        addEventListener('afterprint', after);
        return () => {
            size.disconnect();
            dark.removeEventListener('change', draw);
            removeEventListener('beforeprint', before);
            removeEventListener('afterprint', after);
            plot.current?.destroy();
            plot.current = null;
        };
    }, [of.resource]);
    useEffect(() => plot.current?.setData(data), [data]);
    const known = of.allocated.filter((amount) => amount !== null);
    const text =
        known.length === 0
            ? 'What was used is not known.'
            : `From ${clock(times[0] * 1000)} to ${clock(times.at(-1) * 1000)}, ${range(known)} allocated; now ${number(known.at(-1))} of ${number(of.allocatable.at(-1))}.`;
    return html`<div class="chart" role="img" aria-label=${text} ref=${place}></div><p class="sentence">${text}</p>`;
}

/** Returns between which amounts something was, as the subject and the verb of a sentence. */
function range(amounts) {
    const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
    return least === most ? `${number(most)} ${most === 1 ? 'was' : 'were'} always` : `between ${number(least)} and ${number(most)} were`;
}

const sizeOf = (element) => ({ width: Math.max(200, element.clientWidth), height: 15 * parseFloat(getComputedStyle(document.documentElement).fontSize) });

/** Loads the style sheet of the chart library once. */
function sheet() {
    const href = new URL('lib/uplot.css', import.meta.url).href;
    if (![...document.styleSheets].some((one) => one.href === href)) {
        const link = document.createElement('link');
        link.rel = 'stylesheet';
        link.href = href;
        document.head.append(link);
    }
}

/** In a shorter time, several marks of the axis are in the same minute. */
const MINUTES_WITH_SECONDS = 6;

/** The steps between the marks of an axis. There are no halves of devices. */
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000];

function options(element, newest) {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const font = `${Math.round(0.8 * rem)}px ${getComputedStyle(document.body).fontFamily}`;
    const axis = { stroke: style('--muted'), font, grid: { stroke: style('--line'), width: 1 }, ticks: { show: false } };
    const amountAxis = { size: 3 * rem, incrs: WHOLE_STEPS, values: (_, all) => all.map((value) => number(value)) };
    const fromZero = (_, __, most) => [0, Math.max(1, most * 1.05)];
    const stepped = Plot.paths.stepped({ align: 1 });
    // Without a pointer on the chart, its legend has the newest amounts.
    const shownAt = (name) => (_, __, ___, at) => number(newest.current[name].at(at ?? -1));
    return {
        ...sizeOf(element),
        padding: [rem * 0.5, 0, 0, 0],
        cursor: { y: false, points: { size: 7 } },
        scales: { y: { range: fromZero }, node: { range: fromZero } },
        axes: [
            { ...axis, space: 5 * rem, size: 2.6 * rem, gap: 0.6 * rem, values: (_, all) => all.map((second) => clock(second * 1000).slice(-8, all.at(-1) - all[0] < MINUTES_WITH_SECONDS * 60 ? undefined : -3)) },
            { ...axis, ...amountAxis },
            // What one node has free is much less than what all nodes have, so it has a scale of its own.
            { ...axis, ...amountAxis, scale: 'node', side: 1, grid: { show: false }, stroke: style('--green') },
        ],
        series: [
            { label: 'Time', value: (_, second) => (second === null ? 'now' : clock(second * 1000)) },
            { label: 'Allocatable', stroke: style('--muted'), width: 1.5, dash: [4, 4], paths: stepped, points: { show: false }, value: shownAt('allocatable') },
            { label: 'Reserved', stroke: style('--reserved'), fill: style('--reserved-2'), width: 1, paths: stepped, points: { show: false }, value: shownAt('reserved') },
            { label: 'Allocated', stroke: style('--used'), fill: style('--used'), width: 1, paths: stepped, points: { show: false }, value: shownAt('allocated') },
            { label: 'Largest free on one node (right)', scale: 'node', stroke: style('--green'), width: 1.5, paths: stepped, points: { show: false }, value: shownAt('largestFree') },
        ],
    };
}

/** A tenant learns the name of no other namespace. */
const isOfTenant = ({ resources }, namespace) => namespace !== '' && resources.every(({ holders }) => holders.every((holder) => holder.namespace === namespace));

const NOBODY = { allocatable: 0, namespaces: 0, holders: [] };

function Holders({ of = NOBODY, podsKnown, isOfTenant }) {
    if (!podsKnown) {
        return html`<${Empty}>It is not known who holds any of it.<//>`;
    }
    const shownOnes = of.holders.slice(0, MOST_HOLDERS);
    const isHeld = of.others?.allocated > 0 || of.holders.some((holder) => holder.allocated > 0);
    const most = Math.max(1, ...shownOnes.map((holder) => holder.allocated + holder.waiting));
    const rest = of.namespaces - shownOnes.length;
    return html`
        ${!isHeld && html`<${Empty}>Nobody holds any of it.<//>`}
        ${isHeld && isOfTenant && shownOnes.length === 0 && html`<p class="sentence">Your namespace holds none of it.</p>`}
        ${shownOnes.length > 0 &&
        html`<ol class="holders">
            ${shownOnes.map(
                (holder) => html`<li key=${holder.namespace}>
                    <span class="what"
                        ><a href=${to('decisions', { namespace: holder.namespace })}><${Name} of=${holder.namespace} most=${63} /></a>
                        <span
                            ><b>${number(holder.allocated)}</b> <span class="of">${percent(holder.allocated, of.allocatable)} · ${count(holder.pods, 'pod')}${holder.waiting > 0 ? ` · ${number(holder.waiting)} waiting` : ''}</span></span
                        ></span
                    >
                    <span class="meter" aria-hidden="true"
                        ><span class="used" style=${{ width: `${(100 * holder.allocated) / most}%` }}></span><span class="reserved" style=${{ width: `${(100 * holder.waiting) / most}%` }}></span
                    ></span>
                </li>`,
            )}
        </ol>`}
        ${isOfTenant && of.others && html`<p class="sentence">Other namespaces hold ${number(of.others.allocated)}${of.others.waiting > 0 ? ` and wait for ${number(of.others.waiting)}` : ''}.</p>`}
        ${!isOfTenant && rest > 0 && html`<p class="sentence">${count(rest, 'other namespace')} hold${rest === 1 ? 's' : ''} less.</p>`}
    `;
}

/** Shows how many nodes have how much free: a pod gets its devices on one node. */
function Fragmentation({ nodes, podsKnown, sum }) {
    if (!podsKnown) {
        return html`<${Empty}>It is not known what is free.<//>`;
    }
    const free = new Map();
    for (const node of nodes) {
        for (const amount of amounts(node, podsKnown)) {
            if (amount.resource === sum.resource && amount.allocatable > 0) {
                free.set(amount.available, (free.get(amount.available) ?? 0) + 1);
            }
        }
    }
    const rows = [...free].sort(([a], [b]) => b - a);
    const most = Math.max(1, ...rows.map(([, on]) => on));
    return html`
        <p>${sum.available === 0 ? 'None is free, so a pod that needs one waits.' : html`${number(sum.available)} ${sum.available === 1 ? 'is' : 'are'} free in all. A pod that needs more than <b>${number(sum.largestFree)}</b> on one node waits.`}${sum.freeOnCordoned > 0 ? ` ${number(sum.freeOnCordoned)} of them are on cordoned nodes.` : ''}</p>
        <ul class="holders">
            ${rows.slice(0, 12).map(
                ([amount, on]) => html`<li key=${amount}>
                    <span class="what"><span>${amount === 0 ? 'nothing free' : `${number(amount)} free`}</span><span>${count(on, 'node')}</span></span>
                    <span class="meter" aria-hidden="true"><span class=${amount === 0 ? 'used' : 'free'} style=${{ width: `${(100 * on) / most}%` }}></span></span>
                </li>`,
            )}
        </ul>
        <p class="sentence"><a href=${to('fleet', { resource: sum.resource })}>Show the nodes</a></p>
    `;
}
