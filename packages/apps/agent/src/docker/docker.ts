import type { Container } from '@tidewatch/contracts/ingest/sample';
import { BOUNDS } from '@tidewatch/contracts/ingest/sample';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { CounterRates } from '../collectors/counter-rates.ts';
import { ContainerDetails } from './container-details.ts';
import type { ContainerStats, InspectedContainer, ListedContainer } from './engine-api.ts';
import { askEngine } from './engine-request.ts';
import {
  type CpuClock,
  containerCpuPercent,
  distinctNames,
  MEASURED_STATES,
  STOPPED,
  selectReported,
  toContainer,
  transferCounters,
} from './usage.ts';

export interface DockerOptions {
  /** The unix sockets in the order in which they are tried, or the named pipe on Windows. */
  socketPaths: readonly string[];
  /** A clock in ms that never goes back. */
  monotonic(): number;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** The timeout for one reading of all containers, ms. */
  timeoutMs: number;
}

// The max number of parallel requests: Docker takes up to a second for the statistics of one container, so that a few at a
// time would take minutes for hundreds.
const MAX_PARALLEL_REQUESTS = 100;

/** The containers of a machine that fit into a payload. */
export interface FoundContainers {
  containers: Container[];
  /** The number of containers that were left out. */
  leftOut: number;
}

/** Reads the containers of this machine; undefined where no container engine answers. */
export type ContainerSource = () => Promise<FoundContainers | undefined>;

/**
 * Reads the containers from Docker, or from Podman, which answers in the same way: undefined without a socket. Rejects
 * without the permission to use it, and if the engine does not answer in time. A container without statistics in time is
 * reported without them; a stopped one is reported with zero usage.
 */
export function createDockerSource(options: DockerOptions): ContainerSource {
  const { socketPaths, monotonic } = options;
  const details = new ContainerDetails();
  let clocks = new Map<string, CpuClock>();
  let transfers = new Map<string, CounterRates>();
  let isOverLimit = false;

  /** Logs once when the number of containers exceeds the limit, and once when it is within the limit again. */
  function logLeftOut(leftOut: number): void {
    if (leftOut > 0 === isOverLimit) return;
    isOverLimit = leftOut > 0;
    const fields = { leftOut, reported: BOUNDS.containers };
    if (isOverLimit)
      options.logger.warn(fields, 'more containers than the limit of a payload; the others are dropped');
    else options.logger.info(fields, 'the number of containers is within the limit again; all are reported');
  }

  /** The entries of the first engine that has a socket; undefined without one. */
  async function list(signal: AbortSignal) {
    for (const socketPath of socketPaths) {
      try {
        const listed = await askEngine<unknown>(socketPath, '/containers/json?all=true', signal);
        if (!Array.isArray(listed)) throw new Error('the answer is no list of containers');
        return { socketPath, listed: listed as (ListedContainer | null)[] };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    return undefined;
  }

  return async () => {
    const signal = AbortSignal.timeout(options.timeoutMs);
    const found = await list(signal);
    if (found === undefined) return undefined;
    const { socketPath, listed } = found;
    const known = listed.filter((entry) => typeof entry?.Id === 'string') as ListedContainer[];
    const queue = selectReported(known, BOUNDS.containers);
    const names = distinctNames(queue);
    const leftOut = known.length - queue.length;
    logLeftOut(leftOut);
    details.begin(monotonic());
    const containers: Container[] = new Array(queue.length);
    const seen = new Map<string, CpuClock>();
    const seenTransfers = new Map<string, CounterRates>();
    let next = 0;

    async function read(entry: ListedContainer): Promise<Container> {
      const { Id: id, State: state = '' } = entry;
      const ask = <T>(path: string) => askEngine<T>(socketPath, `/containers/${id}/${path}`, signal);
      const inspected = await details.of(entry, () => ask<InspectedContainer>('json'));
      const name = names.get(entry) as string;
      if (!MEASURED_STATES.includes(state))
        return toContainer(entry, { name, stats: STOPPED, cpu: 0, details: inspected });
      const stats = await ask<ContainerStats>('stats?stream=false&one-shot=true').catch(() => undefined);
      const at = monotonic();
      const used = stats?.cpu_stats?.cpu_usage?.total_usage;
      let cpu: number | undefined;
      if (used !== undefined) {
        cpu = containerCpuPercent(clocks.get(id), { used, at });
        seen.set(id, { used, at });
      }
      const transfer = transfers.get(id) ?? new CounterRates();
      seenTransfers.set(id, transfer);
      const rates = stats && transfer.update(at, transferCounters(stats));
      return toContainer(entry, { name, stats, cpu, details: inspected, ...(rates && { rates }) });
    }

    async function work(): Promise<void> {
      for (let index = next++; index < queue.length; index = next++)
        containers[index] = await read(queue[index] as ListedContainer);
    }
    await Promise.all(Array.from({ length: MAX_PARALLEL_REQUESTS }, work));
    clocks = seen;
    transfers = seenTransfers;
    return { containers, leftOut };
  };
}
