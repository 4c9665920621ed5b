import { type HostileBody, hostileBodies } from '@tidewatch/testkit/hostile-bodies';
import { watchPeaks } from '@tidewatch/testkit/process-tree';
import type { Product } from '@tidewatch/testkit/product';

export interface HostileRound {
  name: string;
  /** How often each status was answered. */
  statuses: Map<number, number>;
  /** The longest delay of the product's event loop meanwhile by its own meter, ms, the timer's own 10 ms included. */
  delayMs: number;
}

const AT_ONCE = 20;

/** Sends each hostile body alone and then twenty at once; the product says how long its event loop was held up. */
export async function runHostile(
  product: Product,
): Promise<{ rounds: HostileRound[]; peaks: Map<string, number> }> {
  const peaks = watchPeaks(product.pid);
  const rounds: HostileRound[] = [];
  await send(product, hostileBodies('hostile-warm', Date.now()).slice(-1));
  for (const body of hostileBodies('hostile', Date.now())) {
    for (const count of [1, AT_ONCE]) {
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
      const answer = await fetch(`${product.url}/api/v1/ingest`, { method: 'POST', headers, body: bytes });
      await answer.arrayBuffer();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }),
  );
  return statuses;
}

/** Asking begins the next measurement. */
async function eventLoopDelay(product: Product): Promise<number> {
  const text = await (await fetch(`${product.url}/metrics`)).text();
  return Number(/^tidewatch_event_loop_delay_seconds\{quantile="1"\} (\S+)/m.exec(text)?.[1]) * 1_000;
}
