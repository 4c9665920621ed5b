import { FLEET_METRICS, type HostColumns, statusOf, tagOf } from './fleet.ts';

type Cell = string | number | null;

/** The fields of a host in exports, by the names that the API has for them. */
function recordOf(hosts: HostColumns, row: number): Record<string, Cell> {
  const time = (at: number) => (Number.isNaN(at) ? null : new Date(at).toISOString());
  const value = (number: number) => (Number.isNaN(number) ? null : number);
  return {
    id: hosts.ids[row] as string,
    name: hosts.names[row] as string,
    status: statusOf(hosts, row),
    status_since: time(hosts.statusSince[row] as number),
    last_seen: time(hosts.lastSeen[row] as number),
    ...Object.fromEntries(
      FLEET_METRICS.map((metric) => [`metrics.${metric}`, value(hosts.metrics[metric][row] as number)]),
    ),
    'active_alerts.critical': hosts.critical[row] as number,
    'active_alerts.warning': hosts.warning[row] as number,
    'active_alerts.info': hosts.info[row] as number,
    ...Object.fromEntries(Object.keys(hosts.tags).map((tag) => [`tags.${tag}`, tagOf(hosts, tag, row)])),
  };
}

/** The rows as lines of CSV (RFC 4180) in their order. Texts that a spreadsheet takes for a formula begin with an apostrophe. */
export function hostsAsCsv(hosts: HostColumns, rows: readonly number[]): string {
  const records = rows.map((row) => recordOf(hosts, row));
  const names = Object.keys(records[0] ?? {});
  const lines = [
    names.map(csvCell),
    ...records.map((record) => names.map((name) => csvCell(record[name] ?? null))),
  ];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** The rows as lines of JSON in their order. */
export function hostsAsNdjson(hosts: HostColumns, rows: readonly number[]): string {
  return rows.map((row) => `${JSON.stringify(recordOf(hosts, row))}\n`).join('');
}

function csvCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
