import { type HostileBody, hostileBodies } from '@tidewatch/harness/hostile-bodies';
import { watchPeaks } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';

export interface HostileRound {
  name: string;
  /** How often each status was answered; 0 is a connection without an answer. */
  statuses: Map<number, number>;
  /** The longest delay of the product's event loop meanwhile by its own meter, ms. */
  delayMs: number;
}

const AT_ONCE = 20;

/** Sends each hostile body alone, and one of each kind twenty at once; the product says how long its event loop was held up. */
export async function runHostile(
  product: Product,
): Promise<{ rounds: HostileRound[]; peaks: Map<string, number> }> {
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

/** Asking begins the next measurement. */
async function eventLoopDelay(product: Product): Promise<number> {
  const text = await (await fetch(`${product.url}/metrics`)).text();
  return Number(/^tidewatch_event_loop_delay_seconds\{quantile="1"\} (\S+)/m.exec(text)?.[1]) * 1_000;
}
