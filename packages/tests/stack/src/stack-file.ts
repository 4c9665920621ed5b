import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from './roles.ts';

export interface StackProcess {
  role: Role;
  pid: number;
  /** The address at which a service serves /healthz, /readyz and /metrics. */
  admin_url?: string;
}

/** The description of a running stack for other programs, in `stack.json`. */
export interface StackFile {
  base_url: string;
  /** The addresses of the gateways behind the proxy, for another load balancer. */
  gateway_urls: string[];
  processes: StackProcess[];
  /** The broker; `sasl` is the login that it requires. */
  kafka: { brokers: string; sasl?: { mechanism: 'plain'; username: string; password: string } };
  postgres: { url: string };
  redis: { url: string };
}

const fileOf = (directory: string) => join(directory, 'stack.json');

/** Writes `stack.json` atomically and with mode 0600, because its addresses contain passwords. */
export function writeStackFile(directory: string, content: StackFile): void {
  const temporary = `${fileOf(directory)}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, fileOf(directory));
}

/** The file of an earlier stack, or null. */
export function readStackFile(directory: string): StackFile | null {
  try {
    return JSON.parse(readFileSync(fileOf(directory), 'utf8')) as StackFile;
  } catch {
    return null;
  }
}
