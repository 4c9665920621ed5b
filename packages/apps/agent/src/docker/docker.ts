import { request } from 'node:http';
import type { Container } from '@tidewatch/contracts/sample';
import { BOUNDS } from '@tidewatch/contracts/sample';
import {
  type ContainerStats,
  type CpuClock,
  containerCpuPercent,
  type ListedContainer,
  toContainer,
} from './usage.ts';

export interface DockerOptions {
  /** The unix socket, or the named pipe on Windows. */
  socketPath: string;
  /** Milliseconds that only ever rise. */
  monotonic(): number;
  timeoutMs: number;
}

const PARALLEL = 8;
const LARGEST_ANSWER = 16 * 1024 * 1024;

/** Asks Docker for its containers. Without a socket, a right to it, or an answer in time, there are none. */
export function createDockerSource(options: DockerOptions): () => Promise<Container[]> {
  let clocks = new Map<string, CpuClock>();

  return async () => {
    const listed = await ask<ListedContainer[]>(options, '/containers/json?all=true').catch(() => undefined);
    if (!Array.isArray(listed)) return [];
    const queue = listed.slice(0, BOUNDS.containers);
    const containers: Container[] = new Array(queue.length);
    const seen = new Map<string, CpuClock>();
    let next = 0;

    async function work(): Promise<void> {
      for (let index = next++; index < queue.length; index = next++) {
        const entry = queue[index] as ListedContainer;
        const stats = entry.State === 'running' ? await statsOf(options, entry.Id) : undefined;
        const used = stats?.cpu_stats?.cpu_usage?.total_usage;
        let cpu: number | undefined;
        if (used !== undefined) {
          const clock = { used, at: options.monotonic() };
          cpu = containerCpuPercent(clocks.get(entry.Id), clock);
          seen.set(entry.Id, clock);
        }
        containers[index] = toContainer(entry, stats, cpu);
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, work));
    clocks = seen;
    return containers;
  };
}

function statsOf(options: DockerOptions, id: string): Promise<ContainerStats | undefined> {
  return ask<ContainerStats>(options, `/containers/${id}/stats?stream=false&one-shot=true`).catch(
    () => undefined,
  );
}

function ask<T>({ socketPath, timeoutMs }: DockerOptions, path: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > LARGEST_ANSWER) asked.destroy(new Error('the answer is too large'));
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
