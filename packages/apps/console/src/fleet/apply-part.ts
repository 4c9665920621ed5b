import {
  FLEET_METRICS,
  type Fleet,
  type FleetPart,
  type HostColumns,
  type TagColumn,
  tagOf,
} from './fleet.ts';

/** The fleet after a response: a full one replaces it, otherwise its hosts are replaced, added and removed by id. */
export function applyPart(before: Fleet | undefined, part: FleetPart): Fleet {
  const { asOf, token } = part;
  if (before === undefined || part.isFull) return { asOf, token, hosts: part.hosts };
  if (part.hosts.ids.length === 0 && part.removed.length === 0) return { asOf, token, hosts: before.hosts };
  const rows = new Map(before.hosts.ids.map((id, row) => [id, row]));
  const isKnown = part.removed.length === 0 && part.hosts.ids.every((id) => rows.has(id));
  return isKnown ? replaced(before.hosts, part, rows) : rebuilt(before.hosts, part);
}

/** The same hosts in the same rows, some with new values. */
function replaced(hosts: HostColumns, part: FleetPart, rows: ReadonlyMap<string, number>): Fleet {
  const next = copyOf(hosts);
  const names = [...hosts.names];
  for (const [from, id] of part.hosts.ids.entries()) {
    const to = rows.get(id) as number;
    names[to] = part.hosts.names[from] as string;
    copyHost(part.hosts, from, next, to);
  }
  const tags = mergeTags(hosts, part.hosts, rows);
  return { asOf: part.asOf, token: part.token, hosts: { ...next, names, tags } };
}

/** Other hosts, by name again. */
function rebuilt(before: HostColumns, part: FleetPart): Fleet {
  const gone = new Set([...part.removed, ...part.hosts.ids]);
  const kept = before.ids.flatMap((id, row) => (gone.has(id) ? [] : [{ hosts: before, row }]));
  const added = part.hosts.ids.map((_, row) => ({ hosts: part.hosts, row }));
  const all = [...kept, ...added].sort((one, other) => {
    const [a, b] = [one.hosts.names[one.row] as string, other.hosts.names[other.row] as string];
    return a < b ? -1 : a > b ? 1 : 0;
  });
  const next = emptyColumns(all.length);
  for (const [to, { hosts, row }] of all.entries()) copyHost(hosts, row, next, to);
  const tagNames = [...new Set([...Object.keys(before.tags), ...Object.keys(part.hosts.tags)])];
  const hosts: HostColumns = {
    ...next,
    ids: all.map((each) => each.hosts.ids[each.row] as string),
    names: all.map((each) => each.hosts.names[each.row] as string),
    tags: Object.fromEntries(
      tagNames.map((tag) => {
        const places = new Map<string, number>();
        const index = Int32Array.from(all, (each) => placeOf(places, tagOf(each.hosts, tag, each.row)));
        return [tag, { values: [...places.keys()], index }];
      }),
    ),
  };
  return { asOf: part.asOf, token: part.token, hosts };
}

function mergeTags(
  before: HostColumns,
  part: HostColumns,
  rows: ReadonlyMap<string, number>,
): Record<string, TagColumn> {
  return Object.fromEntries(
    Object.entries(before.tags).map(([tag, column]) => {
      const places = new Map(column.values.map((value, place) => [value, place]));
      const index = column.index.slice();
      for (const [from, id] of part.ids.entries())
        index[rows.get(id) as number] = placeOf(places, tagOf(part, tag, from));
      return [tag, { values: [...places.keys()], index }];
    }),
  );
}

function placeOf(places: Map<string, number>, value: string | null): number {
  if (value === null) return -1;
  const place = places.get(value) ?? places.size;
  places.set(value, place);
  return place;
}

const COUNTS = ['critical', 'warning', 'info'] as const;
const TIMES = ['statusSince', 'lastSeen'] as const;

function copyHost(from: HostColumns, row: number, to: HostColumns, target: number): void {
  to.status[target] = from.status[row] as number;
  for (const name of TIMES) to[name][target] = from[name][row] as number;
  for (const name of COUNTS) to[name][target] = from[name][row] as number;
  for (const name of FLEET_METRICS) to.metrics[name][target] = from.metrics[name][row] as number;
}

function copyOf(hosts: HostColumns): HostColumns {
  const { metrics } = hosts;
  return {
    ...hosts,
    status: hosts.status.slice(),
    statusSince: hosts.statusSince.slice(),
    lastSeen: hosts.lastSeen.slice(),
    metrics: {
      cpu_percent: metrics.cpu_percent.slice(),
      memory_percent: metrics.memory_percent.slice(),
      disk_percent: metrics.disk_percent.slice(),
    },
    critical: hosts.critical.slice(),
    warning: hosts.warning.slice(),
    info: hosts.info.slice(),
  };
}

function emptyColumns(count: number): HostColumns {
  return {
    ids: [],
    names: [],
    status: new Uint8Array(count),
    statusSince: new Float64Array(count),
    lastSeen: new Float64Array(count),
    metrics: {
      cpu_percent: new Float64Array(count),
      memory_percent: new Float64Array(count),
      disk_percent: new Float64Array(count),
    },
    critical: new Uint32Array(count),
    warning: new Uint32Array(count),
    info: new Uint32Array(count),
    tags: {},
  };
}
