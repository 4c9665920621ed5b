import { readFileSync } from 'node:fs';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { startService } from '@tidewatch/stack/service-process';
import { createServer, type Server } from './server.ts';

export type ServiceRole = 'gateway' | 'writer' | 'evaluator' | 'investigator' | 'query-api';

export interface Readiness {
  status: string;
  reasons: string[];
}

/** A process of the product. */
export interface Service extends Server {
  role: ServiceRole;
  /** The address at which the service answers clients; the admin address if it has no clients. */
  url: string;
  /** Starts the service without waiting until it is ready, for a service that cannot become ready. */
  startUnready(): Promise<void>;
  /** Sends SIGTERM; returns the exit code and the time until the exit, ms. */
  terminate(): Promise<{ code: number | null; ms: number }>;
  /** The response of /readyz; null if there is none. */
  readiness(): Promise<Readiness | null>;
  /** Returns the peak resident size of the process since its start, bytes. */
  peakBytes(): number;
  log: string;
}

export interface ServiceOptions {
  role: ServiceRole;
  name: string;
  /** The script that Node runs. */
  main: string;
  env: Readonly<Record<string, string>>;
  log: string;
}

/** Creates a service with its own admin port, and a port if it serves clients; both stay the same after a restart. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { role, name, log, main } = options;
  const [port, adminPort] = [await freePort(), await freePort()];
  const admin = `http://127.0.0.1:${adminPort}`;
  const serves = role === 'gateway' || role === 'query-api';
  const env = {
    ...options.env,
    TIDEWATCH_ADMIN_PORT: String(adminPort),
    ...(serves && { TIDEWATCH_HOST: '127.0.0.1', TIDEWATCH_PORT: String(port) }),
  };
  let waitFor = '/readyz';
  let ended: Promise<number | null> = Promise.resolve(null);
  const server = createServer(name, async () => {
    const started = await startService({ name, main, env, log, readyUrl: `${admin}${waitFor}` });
    ended = started.ended;
    return started;
  });
  return {
    ...server,
    role,
    log,
    url: serves ? `http://127.0.0.1:${port}` : admin,
    async startUnready() {
      waitFor = '/healthz';
      await server.start().finally(() => {
        waitFor = '/readyz';
      });
    },
    async terminate() {
      const began = performance.now();
      server.signal('SIGTERM');
      const code = await ended;
      return { code, ms: performance.now() - began };
    },
    async readiness() {
      try {
        const response = await fetch(`${admin}/readyz`, { signal: AbortSignal.timeout(3_000) });
        return (await response.json()) as Readiness;
      } catch {
        return null;
      }
    },
    peakBytes() {
      try {
        const status = readFileSync(`/proc/${server.pid()}/status`, 'utf8');
        return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
      } catch {
        return 0;
      }
    },
  };
}
