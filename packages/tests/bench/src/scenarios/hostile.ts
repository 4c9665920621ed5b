import { type HostileBody, hostileBodies } from '@tidewatch/harness/hostile-bodies';
import { watchPeaks } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import { figureTable, number, peakRows, type Row } from '../report/table.ts';
import type { Scenario } from '../scenario.ts';

interface HostileRound {
  name: string;
  /** The number of answers with each HTTP status; 0 stands for a connection that got no answer. */
  statuses: Map<number, number>;
  /** The longest delay of the product's event loop in that time, as the product measures it, ms. */
  delayMs: number;
}

const AT_ONCE = 20;

export const hostile: Scenario = {
  measures:
    'bodies that are small on the wire and costly to take, alone and twenty at once: what holds the loop up',
  options: [],
  async run(product, _options, print) {
    const { rounds, peaks } = await runHostile(product);
    print(hostileTable(rounds, peaks));
    return { valid: true, figures: { rounds, peaks: Object.fromEntries(peaks) } };
  },
};

/**
 * Sends each hostile body alone, then twenty of all kinds at once; the product's metrics show how long its event loop was
 * blocked.
 */
async function runHostile(product: Product): Promise<{ rounds: HostileRound[]; peaks: Map<string, number> }> {
  const peaks = watchPeaks(product.pid);
  const rounds: HostileRound[] = [];
  await send(product, hostileBodies('hostile-warm', Date.now()).slice(-1));
  for (const body of hostileBodies('hostile', Date.now())) {
    for (const count of body.encoding === 'zstd' ? [1, AT_ONCE] : [1]) {
      await eventLoopDelay(product);
      const statuses = await send(product, new Array(count).fill(body));
      const delayMs = await eventLoopDelay(product);
      rounds.push({ name: `${count} × ${body.name}, ${body.encoding}`, statuses, delayMs });
    }
  }
  peaks.stop();
  return { rounds, peaks: peaks.peaks() };
}

async function send(product: Product, bodies: readonly HostileBody[]): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  await Promise.all(
    bodies.map(async ({ bytes, encoding }) => {
      const headers = {
        'X-API-Key': product.key,
        'Content-Type': 'application/json',
        'Content-Encoding': encoding,
      };
      const sent = { method: 'POST', headers, body: bytes };
      const status = await fetch(`${product.url}/api/v1/ingest`, sent).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        },
        () => 0,
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
  );
  return statuses;
}

/** Reads the delay; each reading starts a new measurement. */
async function eventLoopDelay(product: Product): Promise<number> {
  const text = await (await fetch(`${product.url}/metrics`)).text();
  return Number(/^tidewatch_event_loop_delay_seconds\{quantile="1"\} (\S+)/m.exec(text)?.[1]) * 1_000;
}

function hostileTable(rounds: readonly HostileRound[], peaks: ReadonlyMap<string, number>): string {
  const rows = rounds.map(({ name, statuses, delayMs }): Row => {
    const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
    return [name, `${number(delayMs, 1)} ms, ${answers}`];
  });
  const worst = Math.max(...rounds.map((round) => round.delayMs));
  const longest: Row = ['longest delay of the event loop', `${number(worst, 1)} ms`];
  return figureTable([...rows, longest, ...peakRows(peaks)], ['body', 'longest delay, answers']);
}
