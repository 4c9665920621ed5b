import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an exporter answered once. */
export interface Served {
  /** The number of the answer, from 1 on; the value of `node_load1`. */
  number: number;
  /** Ms since the epoch. */
  at: number;
}

/** An exporter in the place of node_exporter, whose values are known. */
export interface CountingExporter {
  port: number;
  /** Every answer, the oldest first. */
  served(): readonly Served[];
  /** Lets its counters begin again at 0, as those of a host do that was started again. */
  reboot(): void;
  close(): Promise<void>;
}

/** What its counters grow by in a second, and the share of the time in which its processor works, %. */
export const SWITCHES_PER_SECOND = 1_000;
export const BUSY_PERCENT = 25;
/** What the counters have when the exporter starts, s: a host that has run for a while. */
const UPTIME_S = 100_000;

/**
 * Starts it on a free port of the loopback interface. `node_load1` is the number of the answer, so that each value is sent once;
 * counters follow the clock, so that their rates are the same whichever answers arrive.
 */
export async function startCountingExporter(): Promise<CountingExporter> {
  const served: Served[] = [];
  let bootedAt = Date.now() - UPTIME_S * 1_000;

  function page(): string {
    const at = Date.now();
    served.push({ number: served.length + 1, at });
    const uptime = (at - bootedAt) / 1_000;
    const busy = (uptime * BUSY_PERCENT) / 100;
    return [
      '# TYPE node_load1 gauge',
      `node_load1 ${served.length}`,
      '# TYPE node_boot_time_seconds gauge',
      `node_boot_time_seconds ${bootedAt / 1_000}`,
      '# TYPE node_context_switches_total counter',
      `node_context_switches_total ${Math.round(uptime * SWITCHES_PER_SECOND)}`,
      '# TYPE node_cpu_seconds_total counter',
      `node_cpu_seconds_total{cpu="0",mode="user"} ${busy}`,
      `node_cpu_seconds_total{cpu="0",mode="idle"} ${uptime - busy}`,
      '',
    ].join('\n');
  }

  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/plain; version=0.0.4');
    response.end(page());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    served: () => served,
    reboot() {
      bootedAt = Date.now();
    },
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}
