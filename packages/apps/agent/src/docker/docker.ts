import { request } from 'node:http';
import type { Container } from '@tidewatch/contracts/ingest/sample';
import { BOUNDS } from '@tidewatch/contracts/ingest/sample';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { FoundContainers } from '../reading.ts';
import {
  type ContainerStats,
  type CpuClock,
  containerCpuPercent,
  type ListedContainer,
  MEASURED_STATES,
  mostRelevant,
  STOPPED,
  toContainer,
} from './usage.ts';

export interface DockerOptions {
  /** The unix socket, or the named pipe on Windows. */
  socketPath: string;
  /** Milliseconds that only ever rise. */
  monotonic(): number;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** For one look at all containers. */
  timeoutMs: number;
}

// Docker samples a container once a second and answers then, so that a few at a time would take minutes for hundreds.
const PARALLEL = 100;
const MAX_ANSWER = 16 * 1024 * 1024;

/** The containers of this machine; undefined where nobody can be asked. */
export type ContainerSource = () => Promise<FoundContainers | undefined>;

/**
 * Asks Docker for its containers: undefined without a socket, a right to it, or an answer in time. A container
 * whose figures do not come in time is listed without them, one that does not run uses nothing.
 */
export function createDockerSource(options: DockerOptions): ContainerSource {
  let clocks = new Map<string, CpuClock>();
  let isCut = false;

  /** Says when there begin, and when there cease, to be more containers than are reported. */
  function noteLeftOut(leftOut: number): void {
    if (leftOut > 0 === isCut) return;
    isCut = leftOut > 0;
    const fields = { leftOut, reported: BOUNDS.containers };
    if (isCut) options.logger.warn(fields, 'more containers than can be reported: the rest is left out');
    else options.logger.info(fields, 'all containers are reported again');
  }

  return async () => {
    const { socketPath } = options;
    const signal = AbortSignal.timeout(options.timeoutMs);
    const listed = await ask<ListedContainer[]>(socketPath, '/containers/json?all=true', signal).catch(
      () => undefined,
    );
    if (!Array.isArray(listed)) return undefined;
    const known = listed.filter((entry) => typeof entry?.Id === 'string');
    const queue = mostRelevant(known, BOUNDS.containers);
    const leftOut = known.length - queue.length;
    noteLeftOut(leftOut);
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
        containers[index] = toContainer(entry, stats, cpu);
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, work));
    clocks = seen;
    return { containers, leftOut };
  };
}

function ask<T>(socketPath: string, path: string, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path, signal }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > MAX_ANSWER) asked.destroy(new Error('the answer is too large'));
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
    asked.on('error', reject);
    asked.end();
  });
}
