import { summarise } from '../../measure/percentile.ts';
import type { QuietAnswer, QuietReader } from '../../measure/quiet-reader.ts';
import type { Page } from './list-paths.ts';

export interface ListTiming {
  path: string;
  /** Percentiles of the time of a request over HTTP, ms; one request runs at a time. */
  p50: number;
  p99: number;
  total: number | null;
}

/** The number of turns in which every path is measured, so that a slow moment of the machine affects all paths alike. */
const TURNS = 20;
/** The number of timed requests in a turn, after `WARM_UP` requests that warm the caches. */
const REQUESTS = 25;
const WARM_UP = 3;
/** After this time a turn requests a path no more, ms. */
const MAX_TURN_MS = 2_000;
/** After this number of turns the hosts report, lest they go offline. */
const REPORTS_EVERY = 5;

/**
 * Milliseconds from sending until the last byte; what the client makes of the answer is its own affair. Between turns hosts `report`, which
 * also waits for what lists are not to be timed beside.
 */
export async function timeInTurns(
  reader: QuietReader,
  paths: readonly string[],
  report: () => Promise<void>,
): Promise<ListTiming[]> {
  const lists = paths.map((path) => ({ path, took: [] as number[], total: null as number | null }));
  for (const list of lists) list.total = totalOf(await ask(reader, list.path));
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (turn % REPORTS_EVERY === 0) await report();
    for (const { path, took } of lists) {
      const until = performance.now() + MAX_TURN_MS;
      for (let request = 0; request < WARM_UP + REQUESTS; request += 1) {
        if (request > WARM_UP && performance.now() > until) break;
        const { ms } = await ask(reader, path);
        if (request >= WARM_UP) took.push(ms);
      }
    }
  }
  return lists.map(({ path, took, total }) => {
    const { p50, p99 } = summarise(took);
    return { path, p50, p99, total };
  });
}

function totalOf(answer: QuietAnswer): number | null {
  return (JSON.parse(answer.text()) as Partial<Page>).pagination?.total ?? null;
}

async function ask(reader: QuietReader, path: string): Promise<QuietAnswer> {
  const answer = await reader.get(`/api/v1${path}`);
  if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text().slice(0, 500)}`);
  return answer;
}
