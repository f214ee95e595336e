// What the replicas of the gateway say about themselves.

import { html } from './lib/preact.js';
import { useAnswer } from './api.js';
import { Answer, Badge, Card, Empty, Facts, Figure, Name, Table } from './parts.js';
import { duration, latency, number, shown, wholeTime } from './text.js';

const DAY = 86_400;

/** A certificate that is valid for less than this is near its end. */
const SOON = 14 * DAY;

export function HealthView() {
    const all = useAnswer('replicas', {}, 5);
    const isAlone = all.refusal?.status === 404;
    const own = useAnswer(isAlone ? 'status' : '', {}, 5);
    return isAlone
        ? html`<${Answer} of=${own}>${(status) => html`
              <p class="sentence">${status.mode === 'allocatable' ? 'In allocatable mode a replica knows only itself, so this is the replica that has answered.' : 'This is the replica that has answered. It knows no others.'}</p>
              <${Health} replicas=${[status]} missing=${[]} />
          `}<//>`
        : html`<${Answer} of=${all}>${({ replicas, missing }) => html`<${Health} replicas=${replicas} missing=${missing} />`}<//>`;
}

const differ = (replicas, property) => new Set(replicas.map(property)).size > 1;

function Health({ replicas, missing }) {
    const skews = [
        differ(replicas, (replica) => replica.version) && `The replicas run different versions: ${[...new Set(replicas.map((replica) => shown(replica.version, 60)))].join(', ')}.`,
        differ(replicas, (replica) => replica.policy.sha256) && 'The replicas decide by different policies. This ends when all of them have read the newest one.',
        missing.length > 0 && `No answer from ${missing.map((identity) => shown(identity, 100)).join(', ')}.`,
        ...replicas.flatMap((replica) => replica.policy.refused.map((problem) => `${shown(replica.replica, 63)} cannot use the newest configuration: ${shown(problem, 300)}.`)),
    ].filter(Boolean);
    const ready = replicas.filter((replica) => replica.ready).length;
    const deciding = replicas.filter((replica) => replica.decides).length;
    return html`
        <div class="figures">
            <${Figure} value=${`${number(ready)} of ${number(replicas.length + missing.length)}`} of="replicas are ready" tone=${ready < replicas.length + missing.length ? 'red' : ''} />
            <${Figure} value=${number(deciding)} of=${deciding === 1 ? 'replica decides' : 'replicas decide'} tone=${deciding === 0 ? 'red' : ''} />
            <${Figure} value=${shown(replicas[0].version, 40)} of="version" />
            <${Figure} value=${shown(replicas[0].mode, 40)} of="mode" />
        </div>
        ${skews.map((sentence) => html`<div class="note bad" role="alert"><p>${sentence}</p></div>`)}
        <div class="columns replicas">${replicas.map((replica) => html`<${Replica} key=${replica.replica} of=${replica} />`)}</div>
    `;
}

function Replica({ of }) {
    const missingRights = of.rights.filter((right) => right.allowed !== true);
    const end = of.certificate && (new Date(of.certificate.notAfter) - new Date(of.time)) / 1000;
    return html`
        <${Card} title=${shown(of.replica, 63)} aside=${html`<span>${of.ready ? html`<${Badge} tone="green">ready<//>` : html`<${Badge} tone="red">not ready<//>`} ${of.decides && html`<${Badge} tone="blue">decides<//>`}</span>`}>
            ${!of.ready && html`<p>${shown(of.readiness, 500)}</p>`}
            <${Facts}
                of=${[
                    ['Version', shown(of.version, 60)],
                    ['Enforcement', of.policy.enforcement],
                    ['Policy', html`${number(of.policy.generation)} <${Name} of=${of.policy.sha256.slice(0, 12)} />`],
                    ['Who decides', of.sharing?.holder && html`<${Name} of=${of.sharing.holder} />`],
                    ['In sync', of.sharing && number(of.sharing.inSync.length)],
                    ['Term', of.sharing && number(of.sharing.term)],
                    ['Reservations', of.sharing && number(of.sharing.reservations)],
                    ['Takeovers', of.sharing?.takeovers !== undefined && number(of.sharing.takeovers)],
                    ['Lag', of.sharing?.lag && Object.entries(of.sharing.lag).map(([identity, entries]) => `${shown(identity, 40)}: ${number(entries)}`).join(', ')],
                    ['Certificate', end && html`<span class=${end < SOON ? 'bad-number' : ''} title=${wholeTime(of.certificate.notAfter)}>valid for ${duration(end)}</span>`],
                ].map(([term, value]) => [term, value || ''])}
            />
            ${(of.certificate?.problems ?? []).map((problem) => html`<div class="note bad"><p>${shown(problem, 500)}</p></div>`)}
            <h3>Watches</h3>
            ${of.watches.length === 0 && html`<p class="sentence">It watches nothing, because its cluster comes from a file.</p>`}
            ${of.watches.length > 0 && html`<${Table}
                label=${`Watches of ${shown(of.replica, 63)}`}
                rows=${of.watches}
                columns=${[
                    ['What', (watch) => watch.kind],
                    ['State', (watch) => (watch.withheld ? 'may not be listed, and is not needed' : watch.listed ? html`<${Badge} tone="green">listed<//>` : html`<${Badge} tone="red">not listed<//>`)],
                    ['Age', (watch) => (watch.ageSeconds === undefined ? '' : duration(watch.ageSeconds)), 'number'],
                    ['Limit', (watch) => (watch.limitSeconds === undefined ? '' : duration(watch.limitSeconds)), 'number'],
                    ['Problem', (watch) => shown(watch.problem ?? '', 300)],
                ]}
            />`}
            ${of.ledger && html`<${Ledger} of=${of.ledger} />`}
            ${of.latency && html`<${Latency} of=${of.latency} />`}
            ${missingRights.length > 0 &&
            html`<h3>Rights that are missing or not known</h3>
                <${Table}
                    label="Rights that are missing"
                    rows=${missingRights}
                    columns=${[
                        ['Right', (right) => shown(right.right, 120)],
                        ['Needed for', (right) => shown(right.neededFor, 200)],
                        ['Granted by', (right) => shown(right.grantedBy, 200)],
                        ['Problem', (right) => shown(right.problem ?? '', 200)],
                    ]}
                />`}
        <//>
    `;
}

/** The ledger, and its comparison with a fresh list of the cluster, in which every number must be 0. */
function Ledger({ of }) {
    const wrong = Object.values(of.audit ?? {}).some((amount) => amount > 0);
    return html`
        <h3>Ledger ${of.audit && (wrong ? html`<${Badge} tone="red">differs from the cluster<//>` : html`<${Badge} tone="green">agrees with the cluster<//>`)}</h3>
        <${Facts}
            of=${[
                ['Pods', number(of.pods)],
                ['Reserved', number(of.assumed)],
                ['Fit nowhere', number(of.unplaced)],
                ['Overcommitted', number(of.overcommitted)],
                ...(wrong ? Object.entries(of.audit).map(([kind, amount]) => [`Differing ${kind}`, number(amount)]) : []),
            ]}
        />
    `;
}

/** The bound below which this part of all decisions lies. */
function quantile({ upperBoundsSeconds, counts }, part) {
    const all = counts.reduce((sum, amount) => sum + amount, 0);
    let seen = 0;
    for (let at = 0; at < counts.length; at++) {
        seen += counts[at];
        if (seen >= part * all) {
            return upperBoundsSeconds[at];
        }
    }
    return null;
}

function Latency({ of }) {
    const all = of.counts.reduce((sum, amount) => sum + amount, 0);
    if (all === 0) {
        return html`<h3>Latency of decisions</h3><${Empty}>No decision has been made yet.<//>`;
    }
    const first = of.counts.findIndex((amount) => amount > 0);
    const last = of.counts.findLastIndex((amount) => amount > 0);
    const bars = of.counts.slice(first, last + 1);
    const most = Math.max(...bars);
    const below = (part) => {
        const bound = quantile(of, part);
        return bound === null ? `above ${latency(of.upperBoundsSeconds.at(-2))}` : `≤ ${latency(bound)}`;
    };
    const text = `${number(all)} decisions; half of them took ${below(0.5)}, 99 % ${below(0.99)}`;
    return html`
        <h3>Latency of decisions</h3>
        <div class="histogram" role="img" aria-label=${text}>
            ${bars.map((amount, at) => {
                const bound = of.upperBoundsSeconds[first + at];
                const label = bound === null ? `> ${latency(of.upperBoundsSeconds[first + at - 1] ?? 0)}` : `≤ ${latency(bound)}`;
                return html`<span class="column" title=${`${label}: ${number(amount)}`}><span class="used" style=${{ height: `${(100 * amount) / most}%` }}></span><i>${label}</i></span>`;
            })}
        </div>
        <${Facts}
            of=${[
                ['Decisions', number(all)],
                ['Half', below(0.5)],
                ['99 %', below(0.99)],
                ['Mean', latency(of.sumSeconds / all)],
            ]}
        />
    `;
}
