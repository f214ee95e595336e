// The view of all nodes with GPUs: a tile for each node, or for all nodes that look alike.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from './lib/preact.js';
import { session, useAnswer } from './api.js';
import { address, refine, to } from './address.js';
import { amounts, chosen, folded, grouped, STATES, sums, width } from './fleet-model.js';
import { fleet as current, withLabel } from './live.js';
import { Badge, Bar, Choice, Copy, described, Empty, Facts, Figure, Legend, Lines, Name, nodeCount, PodsUnknown, Refused, Resource, Search, Table, Waiting } from './parts.js';
import { useStore } from './store.js';
import { brief, count, number, percent, shown, words } from './text.js';

/** How far above and below the window lines of tiles are drawn, in heights of the window. */
const OVERSCAN = 0.75;

/** The sizes of tiles in rem. The lines are placed by them, so the style sheet has the same ones. */
const TILE = { width: 15, gap: 0.75, head: 2.6, bar: 1.55, heading: 3.2 };

/** How many devices of a node have a bar. Few nodes have more. */
const MOST_BARS = 8;

const NO_FAULTS = new Map();

export function FleetView() {
    const { fleet, refusal, refusedLabel } = useStore(current);
    const { filters } = useStore(address);
    const by = filters.get('group') ?? 'model';
    useEffect(() => withLabel(by.startsWith('label:') ? by.slice('label:'.length) : ''), [by]);
    const faults = useFaults();
    const all = fleet?.nodes() ?? [];
    const wanted = Object.fromEntries(['text', 'model', 'pool', 'resource', 'state'].map((name) => [name, filters.get(name) ?? '']));
    const fold = filters.get('fold') !== 'no';
    return html`
        ${by === `label:${refusedLabel?.label}` && html`<div class="note" role="alert"><p>The nodes are shown without the label ${shown(refusedLabel.label, 80)}: ${shown(refusedLabel.refusal.message, 1_000)}.</p></div>`}
        <${Filters} all=${all} wanted=${wanted} by=${by} fold=${fold} faults=${faults} />
        ${fleet
            ? html`<${Nodes} fleet=${fleet} all=${all} wanted=${wanted} by=${by} fold=${fold} faults=${faults} open=${filters.get('node')} />`
            : refusal
              ? html`<${Refused} refusal=${refusal} />`
              : html`<${Waiting} />`}
    `;
}

function Nodes({ fleet, all, wanted, by, fold, faults, open }) {
    const nodes = chosen(all, fleet.podsKnown, wanted, faults);
    return html`
        ${!fleet.podsKnown && html`<${PodsUnknown} />`}
        <${Summary} fleet=${fleet} all=${all} nodes=${nodes} faults=${faults} />
        ${nodes.length === 0
            ? html`<${Empty}>${all.length === 0 ? 'No node of this cluster has a GPU.' : 'No node is chosen by these filters.'}<//>`
            : html`<${Tiles} fleet=${fleet} nodes=${nodes} by=${by} fold=${fold} faults=${faults} />`}
        <${NodePanel} fleet=${fleet} name=${open} faults=${faults} />
    `;
}

/** The findings of the newest diagnosis by node. There are none if the gateway makes no diagnosis. */
function useFaults() {
    const { answer } = useAnswer('diagnosis', {}, 60);
    return useMemo(
        () => (answer ? new Map(answer.nodes.filter((node) => node.findings.length > 0).map((node) => [node.name, node.findings])) : NO_FAULTS),
        [answer],
    );
}

const distinct = (all, property) => [...new Set(all.map(property).filter(Boolean))].sort();

function Filters({ all, wanted, by, fold, faults }) {
    const models = distinct(all, (node) => node.kind.model);
    const pools = distinct(all, (node) => node.kind.pool);
    const resources = [...new Set(all.flatMap((node) => node.kind.devices.map((device) => device.resource)))].sort();
    const any = (values) => [['', 'all'], ...values.map((value) => [value, value])];
    const [label, setLabel] = useState(by.startsWith('label:') ? by.slice('label:'.length) : '');
    const isByLabel = by.startsWith('label:');
    const mayChooseLabels = useStore(session).namespace === '';
    return html`
        <form class="filters" role="search" aria-label="Filters of nodes" onSubmit=${(event) => event.preventDefault()}>
            <${Search} label="Find nodes by name" placeholder="Node name" value=${wanted.text} onInput=${(text) => refine({ text })} />
            ${models.length > 1 && html`<${Choice} label="Model" value=${wanted.model} options=${any(models)} onChange=${(model) => refine({ model })} />`}
            ${pools.length > 1 && html`<${Choice} label="Pool" value=${wanted.pool} options=${any(pools)} onChange=${(pool) => refine({ pool })} />`}
            <${Choice} label="Resource" value=${wanted.resource} options=${any(resources)} onChange=${(resource) => refine({ resource })} />
            <${Choice}
                label="State"
                value=${wanted.state}
                options=${[['', 'all'], ...Object.entries(STATES).filter(([key]) => key !== 'fault' || faults.size > 0).map(([key, [text]]) => [key, text])]}
                onChange=${(state) => refine({ state })}
            />
            <${Choice}
                label="Group by"
                value=${isByLabel ? 'label:' : by}
                options=${[['model', 'model'], ...(pools.length > 0 || by === 'pool' ? [['pool', 'pool']] : []), ...(mayChooseLabels || isByLabel ? [['label:', 'label …']] : []), ['none', 'nothing']]}
                onChange=${(group) => refine({ group: group === 'label:' ? `label:${label || 'topology.kubernetes.io/zone'}` : group })}
            />
            ${isByLabel &&
            html`<label class="choice"
                ><span>Label</span>
                <input value=${label || by.slice('label:'.length)} onInput=${(event) => setLabel(event.target.value)} onChange=${(event) => refine({ group: `label:${event.target.value.trim()}` })} />
            </label>`}
            <label class="check"><input type="checkbox" checked=${fold} onChange=${() => refine({ fold: fold ? 'no' : '' })} /> Fold alike</label>
        </form>
    `;
}

function Summary({ fleet, all, nodes, faults }) {
    const cordoned = nodes.filter((node) => node.kind.cordoned).length;
    const faulty = nodes.filter((node) => faults.has(node.name)).length;
    return html`
        <div class="summary">
            <div class="figures">
                <${Figure} value=${number(nodes.length)} of=${nodes.length === all.length ? 'nodes with GPUs' : `of ${nodeCount(all.length)}`} />
                ${cordoned > 0 && html`<${Figure} value=${number(cordoned)} of="cordoned" tone="amber" href=${to('fleet', { state: 'cordoned' })} />`}
                ${faulty > 0 && html`<${Figure} value=${number(faulty)} of="with a fault" tone="red" href=${to('fleet', { state: 'fault' })} />`}
                ${fleet.unplaced > 0 && html`<${Figure} value=${number(fleet.unplaced)} of=${fleet.unplaced === 1 ? 'pod fits nowhere' : 'pods fit nowhere'} tone="amber" href=${to('waiting')} />`}
            </div>
            <ul class="totals" aria-label="Sums of the chosen nodes">
                ${sums(nodes, fleet.podsKnown)
                    .slice(0, 12)
                    .map(
                        (sum) => html`<li key=${sum.resource}>
                            <span class="what"><${Resource} of=${sum.resource} short /> <span class="of">${number(sum.available)} free of ${number(sum.allocatable)}</span></span>
                            <${Bar} amount=${sum} />
                        </li>`,
                    )}
            </ul>
            <${Legend} />
        </div>
    `;
}

/** Returns the size of 1 rem, the width of the element and what of it can be seen, and follows their changes. */
function useWindow(element) {
    const [state, setState] = useState({ rem: 16, width: 0, top: 0, bottom: 0 });
    useLayoutEffect(() => {
        let frame = 0;
        let everything = false;
        const measure = () => {
            frame = 0;
            if (!element.current) {
                return;
            }
            const box = element.current.getBoundingClientRect();
            const more = innerHeight * OVERSCAN;
            // Steps of a quarter of the window: most movements draw nothing.
            const step = Math.max(1, innerHeight / 4);
            const next = {
                rem: parseFloat(getComputedStyle(document.documentElement).fontSize),
                width: box.width,
                top: everything ? 0 : Math.floor((-box.top - more) / step) * step,
                bottom: everything ? Infinity : Math.ceil((innerHeight - box.top + more) / step) * step,
            };
            setState((last) => (Object.keys(next).every((key) => last[key] === next[key]) ? last : next));
        };
        const later = () => {
            frame ||= requestAnimationFrame(measure);
        };
        const print = (isPrinting) => () => {
            everything = isPrinting;
            measure();
        };
        const before = print(true);
        const after = print(false);
        const size = new ResizeObserver(later);
        size.observe(element.current);
        size.observe(document.body);
        measure();
        addEventListener('scroll', later, { passive: true });
        addEventListener('resize', later);
        addEventListener('beforeprint', before);
        addEventListener('afterprint', after);
        return () => {
            cancelAnimationFrame(frame);
            size.disconnect();
            removeEventListener('scroll', later);
            removeEventListener('resize', later);
            removeEventListener('beforeprint', before);
            removeEventListener('afterprint', after);
        };
    }, []);
    return state;
}

/** Returns the lines of the page: headings of groups and rows of tiles, each with its place. */
function lines(groups, columns) {
    const placed = [];
    let y = 0;
    const add = (line, height) => {
        placed.push({ ...line, y, height });
        y += height;
    };
    for (const group of groups) {
        add({ heading: group, key: `heading ${group.title}` }, TILE.heading);
        for (let at = 0; at < group.items.length; at += columns) {
            const items = group.items.slice(at, at + columns);
            const bars = Math.max(...items.map(([node]) => Math.min(MOST_BARS, Math.max(1, node.kind.devices.filter((device) => device.capacity > 0).length))));
            const height = TILE.head + bars * TILE.bar;
            add({ items, first: at, key: `${group.title} ${items[0][0].name}`, tile: height }, height + TILE.gap);
        }
    }
    return { placed, height: y };
}

function Tiles({ fleet, nodes, by, fold, faults }) {
    const element = useRef();
    const { rem, width: room, top, bottom } = useWindow(element);
    const [active, setActive] = useState('');
    const groups = useMemo(
        () => grouped(nodes, by).map((group) => ({ ...group, items: folded(group.nodes, fold, faults) })),
        [nodes, by, fold, faults],
    );
    const columns = Math.max(1, Math.floor((room / rem + TILE.gap) / (TILE.width + TILE.gap)));
    const { placed, height } = useMemo(() => lines(groups, columns), [groups, columns]);
    const visible = room === 0 ? [] : placed.filter((line) => (line.y + line.height) * rem >= top && line.y * rem <= bottom);
    const items = useMemo(() => groups.flatMap((group) => group.items), [groups]);
    const nameOf = (item) => item[0].name;
    const focused = items.some((item) => nameOf(item) === active) ? active : items[0] && nameOf(items[0]);

    // The arrow keys move between tiles, also to those that are not drawn yet.
    const move = (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
        const at = items.findIndex((item) => nameOf(item) === focused);
        const next = event.key === 'Home' ? 0 : event.key === 'End' ? items.length - 1 : at + by;
        if (Number.isNaN(next) || !items[next]) {
            return;
        }
        event.preventDefault();
        const name = nameOf(items[next]);
        const line = placed.find((one) => one.items?.some((item) => nameOf(item) === name));
        const y = element.current.getBoundingClientRect().top + line.y * rem;
        if (y < innerHeight * 0.15 || y + line.height * rem > innerHeight) {
            scrollBy(0, y - innerHeight * 0.4);
        }
        setActive(name);
        requestAnimationFrame(() =>
            requestAnimationFrame(() => element.current?.querySelector(`[data-node="${CSS.escape(name)}"]`)?.focus({ preventScroll: true })),
        );
    };

    return html`
        <div class="tiles" role="group" aria-label="Nodes" ref=${element} style=${{ height: `${height}rem` }} onKeyDown=${move}>
            ${visible.map((line) =>
                line.heading
                    ? html`<${GroupHeading} key=${line.key} group=${line.heading} by=${by} y=${line.y} podsKnown=${fleet.podsKnown} />`
                    : html`<div class="line" key=${line.key} style=${{ transform: `translateY(${line.y}rem)`, '--columns': columns, height: `${line.tile}rem` }}>
                          ${line.items.map((item) => html`<${Tile} key=${nameOf(item)} item=${item} podsKnown=${fleet.podsKnown} faults=${faults} isFocused=${nameOf(item) === focused} onFocus=${() => setActive(nameOf(item))} />`)}
                      </div>`,
            )}
        </div>
    `;
}

function GroupHeading({ group, by, y, podsKnown }) {
    const total = sums(group.nodes, podsKnown).map((sum) => (sum.available === null ? brief(sum.resource) : `${number(sum.available)} ${brief(sum.resource)}`));
    const unnamed = by === 'none' ? 'All nodes' : by === 'pool' ? 'No pool' : by === 'model' ? 'Unknown model' : 'Without this label';
    return html`
        <div class="group" style=${{ transform: `translateY(${y}rem)` }}>
            <h2><bdi>${group.title ? shown(group.title, 80) : unnamed}</bdi></h2>
            <span class="of">${nodeCount(group.nodes.length)}${total.length > 0 && podsKnown ? ` · free: ${total.slice(0, 6).join(', ')}` : ''}</span>
        </div>
    `;
}

function Tile({ item, podsKnown, faults, isFocused, onFocus }) {
    const [node] = item;
    // A resource of which a node has none, such as whole GPUs where all are cut into slices, is in its panel only.
    const bars = amounts(node, podsKnown).filter((amount) => amount.capacity > 0);
    // All bars of a node have one scale: a whole GPU is as wide as the slices that it can be cut into.
    const widest = Math.max(1, ...bars.map((amount) => amount.capacity * width(amount)));
    const fault = faults.get(node.name);
    const title = item.length === 1 ? node.name : `${number(item.length)} nodes alike`;
    const range = item.length === 1 ? '' : `${shown(node.name, 60)} … ${shown(item.at(-1).name, 60)}`;
    const text = [shown(title, 120), range, node.kind.cordoned && 'cordoned', node.kind.notReady && 'not ready', fault && count(fault.length, 'fault'), ...bars.map(described)].filter(Boolean).join('; ');
    return html`
        <div class="cell">
            <a
                class="tile ${fault ? 'faulty' : ''} ${node.kind.cordoned ? 'cordoned' : ''} ${item.length > 1 ? 'stack' : ''}"
                href=${to('fleet', { ...Object.fromEntries(address.value.filters), node: node.name })}
                data-node=${node.name}
                tabindex=${isFocused ? 0 : -1}
                aria-label=${text}
                onFocus=${onFocus}
            >
                <span class="title" title=${shown(node.name)}>
                    ${item.length > 1 && html`<b class="times">${number(item.length)}×</b>`}
                    <bdi>${shown(node.name, 80)}</bdi>
                    ${node.kind.notReady && html`<${Badge} tone="red">not ready<//>`}
                    ${node.kind.cordoned && html`<${Badge} tone="amber">cordoned<//>`}
                    ${fault && html`<${Badge} tone="red">${count(fault.length, 'fault')}<//>`}
                </span>
                ${bars.length === 0 && html`<span class="row"><span class="of">offers no device</span></span>`}
                ${bars.slice(0, MOST_BARS).map(
                    (amount) => html`<span class="row">
                        <span class="label">${brief(amount.resource)}</span>
                        <${Bar} amount=${amount} share=${Math.max(0.04, (Math.max(1, amount.capacity) * width(amount)) / widest)} />
                        <span class="amount">${amount.available === null ? '?' : number(amount.available)}<i>/${number(amount.allocatable)}</i></span>
                    </span>`,
                )}
            </a>
        </div>
    `;
}

/** What is known of one node. It opens beside the tiles, and its address can be shared. */
function NodePanel({ fleet, name, faults }) {
    const heading = useRef();
    const close = () => {
        const opened = name;
        refine({ node: '' });
        requestAnimationFrame(() => document.querySelector(`[data-node="${CSS.escape(opened)}"]`)?.focus());
    };
    useEffect(() => {
        heading.current?.focus();
        if (!name) {
            return undefined;
        }
        const escape = (event) => event.key === 'Escape' && close();
        addEventListener('keydown', escape);
        return () => removeEventListener('keydown', escape);
    }, [name]);
    const isOfTenant = useStore(session).namespace !== '';
    const { answer } = useAnswer(name && !isOfTenant ? `fleet/nodes/${encodeURIComponent(name)}` : '', {}, 10);
    if (!name) {
        return null;
    }
    const node = fleet.node(name);
    const findings = faults.get(name) ?? [];
    const alike = node ? folded(fleet.nodes(), true, faults).find((item) => item.some((one) => one.name === name)) : [];
    return html`
        <aside class="panel" aria-labelledby="node-name">
            <header>
                <h2 id="node-name" tabindex="-1" ref=${heading}><${Name} of=${name} /></h2>
                <button type="button" class="quiet" onClick=${close}>Close</button>
            </header>
            ${!node && html`<${Empty}>This node is not there, or it has no GPU.<//>`}
            ${node &&
            html`
                <${Facts}
                    of=${[
                        ['Model', node.kind.model && shown(node.kind.model)],
                        ['Pool', node.kind.pool && shown(node.kind.pool)],
                        ...Object.entries(node.kind.labels ?? {}).map(([key, value]) => [shown(key, 80), shown(value)]),
                        ['Scheduling', node.kind.cordoned ? 'cordoned' : ''],
                        ['Condition', node.kind.notReady ? 'not ready' : ''],
                        ['Alike', alike.length > 1 ? `${count(alike.length - 1, 'other node')} in the same state` : ''],
                    ]}
                />
                ${findings.map(
                    (finding) => html`<div class="note bad"><h3>${words(finding.code)}</h3><${Lines} of=${finding.explanation} /></div>`,
                )}
                ${amounts(node, fleet.podsKnown).map(
                    (amount) => html`<section class="device">
                        <h3><${Resource} of=${amount.resource} /> ${amount.dra && html`<${Badge} tone="violet">DRA<//>`}</h3>
                        <${Bar} amount=${amount} />
                        <${Facts}
                            of=${[
                                ['Used', number(amount.allocated)],
                                ['Reserved', number(amount.reserved)],
                                ['Free', number(amount.available)],
                                ['Allocatable', number(amount.allocatable)],
                                ['Withdrawn', amount.withdrawn > 0 ? number(amount.withdrawn) : ''],
                                ['In use', amount.allocated === null ? '' : percent(amount.allocated + amount.reserved, amount.allocatable)],
                            ]}
                        />
                    </section>`,
                )}
                ${answer?.pods?.length > 0 &&
                html`<h3>Pods with devices</h3>
                    <${Table}
                        label="Pods with devices"
                        columns=${[
                            ['Pod', (pod) => html`<${Name} of=${`${pod.namespace}/${pod.name}`} most=${80} />`],
                            ['Devices', (pod) => Object.entries(pod.devices ?? {}).map(([resource, amount]) => `${number(amount)} ${brief(resource)}`).join(', ')],
                        ]}
                        rows=${answer.pods.slice(0, 100)}
                    />`}
                ${isOfTenant && html`<p class="sentence">The pods on the node are not shown: only those who may read about all namespaces may read them.</p>`}
                ${/^[a-z0-9.-]+$/.test(name) && html`<p><${Copy} label="Copy kubectl describe node" text=${() => `kubectl describe node ${name}`} /></p>`}
            `}
        </aside>
    `;
}
