import type { FuzzResult, RouteResult } from './fuzz.ts';

/** So many answers of a route are successes, so that its requests reach past validation. */
const MIN_SUCCESSES = 0.3;
/** What a process may grow by after its warm-up: its caches fill with what was made. */
const GROWTH = { factor: 1.4, bytes: 96 * 1024 * 1024 };

const share = ({ successes, requests }: RouteResult) => successes / Math.max(1, requests);

/** How many answers had each status. */
const statusesOf = ({ statuses }: RouteResult) =>
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}:${count}`)
    .join(' ');

/** Whether enough of a route's requests succeed. */
export const reachesFar = (route: RouteResult): boolean => share(route) >= MIN_SUCCESSES;

/** Everything that a run found wrong, a line for each. */
export function faultsOf({ routes, log, memory }: FuzzResult): string[] {
  const faults = routes.flatMap(({ name, fault }) => (fault === null ? [] : [`${name}: ${fault}`]));
  for (const route of routes)
    if (route.fault === null && !reachesFar(route))
      faults.push(
        `${route.name}: only ${Math.round(100 * share(route))} % of its requests succeed (${statusesOf(route)})`,
      );
  if (memory.end > memory.warm * GROWTH.factor + GROWTH.bytes)
    faults.push(`the process grew from ${mebibytes(memory.warm)} to ${mebibytes(memory.end)}`);
  return [...faults, ...log.slice(0, 20).map((line) => `log: ${line.slice(0, 500)}`)];
}

/** A table of the routes, and what else is of interest. */
export function describe(result: FuzzResult): string {
  const width = Math.max(...result.routes.map(({ name }) => name.length));
  const lines = result.routes.map((route) => {
    const part = `${Math.round(100 * share(route))} %`;
    const mean = `${Math.round(route.ms / Math.max(1, route.requests))} ms`;
    return `${route.name.padEnd(width)} ${String(route.requests).padStart(7)} ${part.padStart(6)} ${mean.padStart(8)}  ${statusesOf(route)}`;
  });
  const total = result.routes.reduce((sum, { requests }) => sum + requests, 0);
  return [
    `${'route'.padEnd(width)} ${'sent'.padStart(7)} ${'good'.padStart(6)} ${'mean'.padStart(8)}  statuses`,
    ...lines,
    '',
    `${total} requests in ${Math.round(result.seconds)} s; the process took ${mebibytes(result.memory.warm)} after a fifth and ${mebibytes(result.memory.end)} at the end.`,
  ].join('\n');
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
