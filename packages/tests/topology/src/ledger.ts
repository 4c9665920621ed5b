import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation, ServiceProcess } from '@tidewatch/harness/installation';
import { ingest } from './ingest.ts';

const STEP_MS = 1_000;
const CYCLE = 100;
const BREACHING = 80;

/** The acknowledged payloads of one host: numbers 0 to `count`, a second apart. */
export interface LedgerLine {
  host: string;
  count: number;
}

export interface Ledger {
  lines: readonly LedgerLine[];
  /** The number of requests that were not answered with 200; the payloads of each are sent again. */
  resent(): number;
  /** Sends until `stop`: the payloads of each host in order, each until it is answered with 200. */
  run(): Promise<void>;
  stop(): void;
  /** Resolves once `payloads` further payloads of every host are acknowledged. */
  passes(payloads: number): Promise<void>;
  /** Returns when a rule on `cpu_percent` above 90 must have fired, computed from the acknowledged payloads. */
  firings(durationMs: number): string[];
}

/** The time of a host's payload, as RFC 3339 text. */
const timeOf = (start: number, index: number) => new Date(start + index * STEP_MS).toISOString();

/** `gateways` are used in turn; `start` is the time of the first payload of each host, ms. */
export function openLedger(
  hosts: readonly string[],
  start: number,
  gateways: () => readonly ServiceProcess[],
  installation: Installation,
): Ledger {
  const lines = hosts.map((host) => ({ host, count: 0 }));
  let stopped = false;
  let resent = 0;
  let turn = 0;

  async function send(host: string, index: number): Promise<boolean> {
    const all = gateways();
    const gateway = all[turn++ % all.length] as ServiceProcess;
    const cpu = index % CYCLE < BREACHING ? 95 : 10;
    const payload = { host, timestamp: timeOf(start, index), metrics: { n: index, cpu_percent: cpu } };
    const answer = await ingest(gateway, installation, payload).catch(() => null);
    return answer?.status === 200;
  }

  async function feed(line: LedgerLine): Promise<void> {
    while (!stopped) {
      if (await send(line.host, line.count)) line.count += 1;
      else {
        resent += 1;
        await sleep(100);
      }
      await sleep(20);
    }
  }

  return {
    lines,
    resent: () => resent,
    async run() {
      await Promise.all(lines.map(feed));
    },
    stop() {
      stopped = true;
    },
    async passes(payloads) {
      const wanted = lines.map(({ count }) => count + payloads);
      while (lines.some(({ count }, index) => count < (wanted[index] ?? 0))) await sleep(50);
    },
    firings(durationMs) {
      const after = durationMs / STEP_MS;
      return lines.flatMap(({ host, count }) => {
        const cycles = Array.from({ length: Math.ceil(count / CYCLE) }, (_, cycle) => cycle * CYCLE + after);
        return cycles.filter((index) => index < count).map((index) => `${host} ${timeOf(start, index)}`);
      });
    },
  };
}
