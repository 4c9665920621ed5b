import { request } from 'node:http';
import type { Container } from '@tidewatch/contracts/ingest/sample';
import { BOUNDS } from '@tidewatch/contracts/ingest/sample';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import {
  type ContainerStats,
  type CpuClock,
  containerCpuPercent,
  distinctNames,
  type ListedContainer,
  MEASURED_STATES,
  STOPPED,
  selectReported,
  toContainer,
} from './usage.ts';

export interface DockerOptions {
  /** The unix socket, or the named pipe on Windows. */
  socketPath: string;
  /** A clock in ms that never goes back. */
  monotonic(): number;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** The timeout for one reading of all containers, ms. */
  timeoutMs: number;
}

// The max number of parallel requests: Docker takes up to a second for the statistics of one container, so that a few at a
// time would take minutes for hundreds.
const MAX_PARALLEL_REQUESTS = 100;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** The containers of a machine that fit into a payload. */
export interface FoundContainers {
  containers: Container[];
  /** The number of containers that were left out. */
  leftOut: number;
}

/** Reads the containers of this machine; undefined where no container engine answers. */
export type ContainerSource = () => Promise<FoundContainers | undefined>;

/**
 * Reads the containers from Docker: undefined without a socket, without the permission to use it, or after the timeout. A
 * container without statistics in time is reported without them; a stopped one is reported with zero usage.
 */
export function createDockerSource(options: DockerOptions): ContainerSource {
  let clocks = new Map<string, CpuClock>();
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

  return async () => {
    const { socketPath } = options;
    const signal = AbortSignal.timeout(options.timeoutMs);
    const listed = await ask<ListedContainer[]>(socketPath, '/containers/json?all=true', signal).catch(
      () => undefined,
    );
    if (!Array.isArray(listed)) return undefined;
    const known = listed.filter((entry) => typeof entry?.Id === 'string');
    const queue = selectReported(known, BOUNDS.containers);
    const names = distinctNames(queue);
    const leftOut = known.length - queue.length;
    logLeftOut(leftOut);
    const containers: Container[] = new Array(queue.length);
    const seen = new Map<string, CpuClock>();
    let next = 0;

    async function work(): Promise<void> {
      for (let index = next++; index < queue.length; index = next++) {
        const entry = queue[index] as ListedContainer;
        const measured = MEASURED_STATES.includes(entry.State ?? '');
        const path = `/containers/${entry.Id}/stats?stream=false&one-shot=true`;
        const stats = measured
          ? await ask<ContainerStats>(socketPath, path, signal).catch(() => undefined)
          : STOPPED;
        const used = stats?.cpu_stats?.cpu_usage?.total_usage;
        let cpu: number | undefined;
        if (!measured) cpu = 0;
        else if (used !== undefined) {
          const clock = { used, at: options.monotonic() };
          cpu = containerCpuPercent(clocks.get(entry.Id), clock);
          seen.set(entry.Id, clock);
        }
        containers[index] = toContainer(entry, names.get(entry) as string, stats, cpu);
      }
    }
    await Promise.all(Array.from({ length: MAX_PARALLEL_REQUESTS }, work));
    clocks = seen;
    return { containers, leftOut };
  };
}

function ask<T>(socketPath: string, path: string, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path, signal }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > MAX_ANSWER_BYTES) outgoing.destroy(new Error("Docker's answer is larger than 16 MiB"));
        else chunks.push(chunk);
      });
      response.on('end', () => {
        try {
          if (response.statusCode !== 200) throw new Error(`Docker answered ${response.statusCode}`);
          resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as T);
        } catch (error) {
          reject(error);
        }
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
