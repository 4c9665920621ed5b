import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../ledger/ledger.ts';
import { summarise } from '../measure/percentile.ts';
import { createBodyBuilder } from './body.ts';
import { ConnectionLostError, openConnection } from './connection.ts';
import type { FromGenerator, GeneratorOrder, GeneratorResult, ToGenerator } from './messages.ts';
import { hostsOf, timeOf } from './plan.ts';
import { createWalk, type Walk } from './walk.ts';

/** The generator's process: started with a channel, gets an order, answers with progress and its ledger. */
let stopping = false;

process.on('message', (message: ToGenerator) => {
  if (message.type === 'stop') stopping = true;
  else {
    void generate(message.order).then((result) => {
      tell({ type: 'result', result });
      process.disconnect();
    });
  }
});

process.on('disconnect', () => {
  stopping = true; // the bench is gone
});

function tell(message: FromGenerator): void {
  process.send?.(message);
}

async function generate({ plan, url, key }: GeneratorOrder): Promise<GeneratorResult> {
  const ledger: Ledger = {
    acknowledged: new Array(plan.connections).fill(0),
    sent: new Array(plan.connections).fill(0),
  };
  const latencies: number[] = [];
  const refusals: Record<string, number> = {};
  const build = createBodyBuilder(plan);
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  let worstDelayMs = 0;
  const progress = setInterval(
    () => tell({ type: 'progress', payloads: ledger.acknowledged.reduce((a, b) => a + b, 0) }),
    250,
  );

  async function runConnection(index: number): Promise<void> {
    const hosts = hostsOf(plan, index);
    if (hosts.length === 0) return;
    const walks: Walk[] = hosts.map((host) => createWalk(plan, host));
    const total = hosts.length * plan.ticks;
    const connection = openConnection(url, key);
    for (let position = 0; position < total && !stopping; ) {
      const count = Math.min(plan.payloadsPerRequest, total - position);
      const bodies: string[] = [];
      let due = 0;
      for (let offset = 0; offset < count; offset += 1) {
        const at = (position + offset) % hosts.length;
        const tick = Math.floor((position + offset) / hosts.length);
        const walk = walks[at] as Walk;
        walk.next();
        due = timeOf(plan, hosts[at] as number, tick);
        bodies.push(build(hosts[at] as number, tick, new Date(due).toISOString(), walk.values));
      }
      if (plan.paced) {
        const wait = due - Date.now();
        if (wait > 0) await sleep(wait);
        worstDelayMs = Math.max(worstDelayMs, -wait);
      }
      ledger.sent[index] = position + count;
      const accepted = await deliver(
        connection,
        count === 1 ? (bodies[0] as string) : `[${bodies.join(',')}]`,
        count,
      );
      if (!accepted) break;
      position += count;
      ledger.acknowledged[index] = position;
    }
    connection.close();
  }

  async function deliver(
    connection: ReturnType<typeof openConnection>,
    body: string,
    count: number,
  ): Promise<boolean> {
    while (!stopping) {
      const before = performance.now();
      try {
        const answer = await connection.post('/api/v1/ingest', body);
        if (answer.status === 200) {
          const accepted = (JSON.parse(answer.body) as { events_accepted: number }).events_accepted;
          if (accepted !== count) throw new Error(`${count} payloads were sent and ${accepted} accepted`);
          latencies.push(performance.now() - before);
          return true;
        }
        refusals[answer.status] = (refusals[answer.status] ?? 0) + 1;
        if (answer.status < 500 && answer.status !== 429 && answer.status !== 408)
          throw new Error(`${answer.status} ${answer.body}`);
        await sleep(Math.max(100, answer.retryAfter * 1000));
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        refusals[0] = (refusals[0] ?? 0) + 1;
        await sleep(100);
      }
    }
    return false;
  }

  await Promise.all(Array.from({ length: plan.connections }, (_, index) => runConnection(index)));
  clearInterval(progress);
  const cpu = process.cpuUsage(cpuBefore);
  return {
    ledger,
    seconds: (performance.now() - began) / 1000,
    requests: latencies.length,
    latency: summarise(latencies),
    refusals,
    worstDelayMs,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
  };
}
