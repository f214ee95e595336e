// The nodes with GPUs: what they have, how much of it is taken, and which of them are alike.

const NATURAL = new Intl.Collator('en', { numeric: true });

/** How many compute slices a whole GPU is drawn as. Parts of a GPU are drawn in proportion to it. */
const SLICES_OF_A_GPU = 7;

/** What the versions of one fleet of one process begin with. */
const source = (version) => version.slice(0, version.lastIndexOf('-f'));

/** The state of a fleet: the kinds of nodes, and one row for each node. */
export class Fleet {
    #kinds = new Map();
    #rows = new Map();
    #sorted = [];

    /** Creates the fleet from the answer of /api/v1/fleet. */
    constructor(answer) {
        this.#take(answer);
        this.#sort();
    }

    /** Returns true if the event is about this fleet. Others number the kinds of nodes in another way. */
    isFollowedBy(event) {
        return source(event.version) === source(this.version);
    }

    /** Applies an event of the stream. Rows are absolute, so an event may be applied twice. */
    apply(event) {
        const before = this.#rows.size;
        const isNew = event.nodes.some((row) => !this.#rows.has(row.node));
        this.#take(event);
        event.gone.forEach((node) => this.#rows.delete(node));
        if (isNew || this.#rows.size !== before) {
            this.#sort();
        }
    }

    #take({ version, time, podsKnown, unplaced, withoutDevices = this.withoutDevices, kinds, nodes }) {
        Object.assign(this, { version, time, podsKnown, unplaced, withoutDevices });
        kinds.forEach((kind) => this.#kinds.set(kind.kind, kind));
        nodes.forEach((row) => this.#rows.set(row.node, row));
    }

    #sort() {
        this.#sorted = [...this.#rows.keys()].sort(NATURAL.compare);
    }

    /** Returns all nodes in the order of their names, each as a name, a kind and its amounts. */
    nodes() {
        return this.#sorted.map((name) => {
            const row = this.#rows.get(name);
            return { name, kind: this.#kinds.get(row.kind), used: row.used };
        });
    }

    node(name) {
        const row = this.#rows.get(name);
        return row && { name, kind: this.#kinds.get(row.kind), used: row.used };
    }
}

/** Returns the amounts of each resource of a node. What is taken is null if the pods are not known. */
export function amounts({ kind, used }, podsKnown) {
    return kind.devices.map((device, at) => {
        const allocated = podsKnown ? (used?.[2 * at] ?? 0) : null;
        const reserved = podsKnown ? (used?.[2 * at + 1] ?? 0) : null;
        return {
            ...device,
            allocated,
            reserved,
            available: podsKnown ? Math.max(0, device.allocatable - allocated - reserved) : null,
            withdrawn: Math.max(0, device.capacity - device.allocatable),
        };
    });
}

/** Returns the width of one device in compute slices. */
export const width = (device) => device.slices ?? (device.resource.includes('shared') ? 1 : SLICES_OF_A_GPU);

/** Returns the sums over nodes by resource, with the most that one node has free. */
export function sums(nodes, podsKnown) {
    const byResource = new Map();
    for (const node of nodes) {
        for (const amount of amounts(node, podsKnown)) {
            const sum = byResource.get(amount.resource) ?? {
                resource: amount.resource,
                dra: false,
                nodes: 0,
                capacity: 0,
                allocatable: 0,
                allocated: podsKnown ? 0 : null,
                reserved: podsKnown ? 0 : null,
                available: podsKnown ? 0 : null,
                withdrawn: 0,
                largestFree: podsKnown ? 0 : null,
                freeOnCordoned: 0,
            };
            sum.dra ||= amount.dra;
            sum.nodes += amount.allocatable > 0 ? 1 : 0;
            sum.capacity += amount.capacity;
            sum.allocatable += amount.allocatable;
            sum.withdrawn += amount.withdrawn;
            if (podsKnown) {
                sum.allocated += amount.allocated;
                sum.reserved += amount.reserved;
                sum.available += amount.available;
                sum.largestFree = Math.max(sum.largestFree, amount.available);
                sum.freeOnCordoned += node.kind.cordoned ? amount.available : 0;
            }
            byResource.set(amount.resource, sum);
        }
    }
    return [...byResource.values()].filter((sum) => sum.capacity > 0 || sum.allocated > 0).sort((a, b) => NATURAL.compare(a.resource, b.resource));
}

const isTaken = (amount) => amount.allocated + amount.reserved > 0;

/** The states by which nodes can be chosen. */
export const STATES = {
    free: ['has free devices', (all) => all.some((amount) => amount.available > 0)],
    full: ['nothing free', (all) => all.length > 0 && all.every((amount) => amount.available === 0)],
    idle: ['nothing used', (all) => all.length > 0 && !all.some(isTaken)],
    reserved: ['has reservations', (all) => all.some((amount) => amount.reserved > 0)],
    withdrawn: ['devices withdrawn', (all) => all.some((amount) => amount.withdrawn > 0)],
    none: ['offers no device', (all) => all.every((amount) => amount.allocatable === 0)],
    cordoned: ['cordoned', (_, node) => node.kind.cordoned],
    notReady: ['not ready', (_, node) => node.kind.notReady],
    dra: ['devices by DRA', (all) => all.some((amount) => amount.dra)],
    fault: ['has a known fault', (_, node, faults) => faults.has(node.name)],
};

/** Returns the nodes that all filters choose. A filter without a value chooses every node. */
export function chosen(nodes, podsKnown, { text, model, pool, resource, state }, faults) {
    const wanted = text?.trim().toLowerCase();
    const test = Object.hasOwn(STATES, state) ? STATES[state][1] : null;
    return nodes.filter(
        (node) =>
            (!wanted || node.name.toLowerCase().includes(wanted)) &&
            (!model || node.kind.model === model) &&
            (!pool || node.kind.pool === pool) &&
            (!resource || node.kind.devices.some((device) => device.resource === resource)) &&
            (!test || test(amounts(node, podsKnown), node, faults)),
    );
}

/** Returns groups of nodes by a property of their kinds, in the order of their names. */
export function grouped(nodes, by) {
    const label = by.slice('label:'.length);
    const property = by.startsWith('label:')
        ? (kind) => (Object.hasOwn(kind.labels ?? {}, label) ? kind.labels[label] : '')
        : new Map([['model', (kind) => kind.model], ['pool', (kind) => kind.pool]]).get(by);
    const groups = new Map();
    for (const node of nodes) {
        const title = property ? (property(node.kind) ?? '') : '';
        groups.set(title, groups.get(title) ?? []);
        groups.get(title).push(node);
    }
    return [...groups]
        .map(([title, members]) => ({ title, nodes: members }))
        .sort((a, b) => (a.title === '') - (b.title === '') || NATURAL.compare(a.title, b.title));
}

/** Returns one entry for all nodes that look alike, or one for each node. */
export function folded(nodes, fold, faults) {
    if (!fold) {
        return nodes.map((node) => [node]);
    }
    const alike = new Map();
    for (const node of nodes) {
        const key = `${node.kind.kind} ${node.used?.join() ?? ''} ${faults.has(node.name) ? node.name : ''}`;
        alike.set(key, alike.get(key) ?? []);
        alike.get(key).push(node);
    }
    return [...alike.values()];
}
