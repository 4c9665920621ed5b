import { setTimeout as sleep } from 'node:timers/promises';
import { acknowledgedPayloads, type Ledger } from '../ledger/ledger.ts';
import { createBodyBuilder } from './body.ts';
import { openConnection } from './connection.ts';
import { deliver } from './deliver.ts';
import type { FromGenerator, GeneratorOrder, GeneratorResult, ToGenerator } from './messages.ts';
import { createPace } from './pace.ts';
import { createPhase } from './phase.ts';
import { hostsOf } from './plan.ts';
import { openSequence } from './sequence.ts';

/** The generator process: receives an order over its channel, and answers with progress and its ledger. */
let stoppedAt: number | undefined;
let setRate: ((rate: number) => void) | undefined;

function stop(): void {
  stoppedAt ??= performance.now();
}

process.on('message', (message: ToGenerator) => {
  if (message.type === 'stop') stop();
  else if (message.type === 'rate') setRate?.(message.rate);
  else {
    void generate(message.order).then((result) => {
      send({ type: 'result', result });
      process.disconnect();
    });
  }
});

process.on('disconnect', stop); // the bench is gone

function send(message: FromGenerator): void {
  process.send?.(message);
}

async function generate(order: GeneratorOrder): Promise<GeneratorResult> {
  const { plan, url, ingestUrls = [url], key, seconds, rate, warmUpTicks } = order;
  const ledger: Ledger = {
    acknowledged: new Array(plan.connections).fill(0),
    sent: new Array(plan.connections).fill(0),
  };
  const refusals: Record<string, number> = {};
  const build = createBodyBuilder(plan);
  const firstContact = createPhase();
  const warmUp = createPhase();
  const measured = createPhase();
  const cpuBefore = process.cpuUsage();
  const now = () => performance.timeOrigin + performance.now();
  let due = createPace(plan, rate, now());
  setRate = (rate) => {
    due = createPace(plan, rate, now(), [...ledger.acknowledged]);
  };
  const deadline = seconds === null ? undefined : setTimeout(stop, seconds * 1000);
  const progress = setInterval(() => send({ type: 'progress', payloads: acknowledgedPayloads(ledger) }), 250);
  const contacted = barrier(plan.connections, () => send({ type: 'firstContact' }));
  let measuring = false;
  let cpuMeasured = cpuBefore;

  function phaseOf(tick: number) {
    if (tick >= warmUpTicks) {
      if (!measuring && warmUpTicks > 0) {
        send({ type: 'measuring' });
        cpuMeasured = process.cpuUsage();
      }
      measuring = true;
      return measured;
    }
    return tick === 0 ? firstContact : warmUp;
  }

  async function runConnection(index: number): Promise<void> {
    const sequence = openSequence(plan, index);
    const perTick = hostsOf(plan, index).length;
    const connection = openConnection(ingestUrls[index % ingestUrls.length] as string, key);
    const options = {
      connection,
      stoppedAt: () => stoppedAt,
      refused: (status: number) => {
        refusals[status] = (refusals[status] ?? 0) + 1;
      },
    };
    for (let position = 0; position < sequence.total && stoppedAt === undefined; ) {
      if (warmUpTicks > 0 && position === perTick) await contacted();
      const count = Math.min(plan.payloadsPerRequest, sequence.total - position);
      const bodies: string[] = [];
      let lastTime = 0;
      let tick = 0;
      for (let offset = 0; offset < count; offset += 1) {
        const payload = sequence.next();
        bodies.push(build(payload));
        lastTime = payload.time;
        tick = payload.tick;
      }
      const at = tick < 1 && warmUpTicks > 0 ? null : due(index, position, lastTime);
      const dueAt = at === null ? null : at - performance.timeOrigin;
      if (dueAt !== null && dueAt > performance.now()) await sleep(dueAt - performance.now());
      if (stoppedAt !== undefined) break;
      const phase = phaseOf(tick);
      const sentAt = performance.now();
      ledger.sent[index] = position + count;
      const body = count === 1 ? (bodies[0] as string) : `[${bodies.join(',')}]`;
      if (!(await deliver(body, count, options))) break;
      phase.note(count, dueAt, sentAt, performance.now());
      position += count;
      ledger.acknowledged[index] = position;
    }
    connection.close();
  }

  await Promise.all(Array.from({ length: plan.connections }, (_, index) => runConnection(index)));
  clearInterval(progress);
  clearTimeout(deadline);
  return {
    ledger,
    firstContact: warmUpTicks > 0 ? firstContact.result() : null,
    measured: measured.result(),
    perSecond: measured.perSecond(),
    refusals,
    cpuSeconds: cpuSince(cpuBefore),
    measuredCpuSeconds: cpuSince(cpuMeasured),
  };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** A barrier: each call resolves once `parties` calls were made. */
function barrier(parties: number, opened: () => void): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return () => {
    waiting += 1;
    if (waiting === parties) {
      opened();
      resolve();
    }
    return promise;
  };
}
