import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from './roles.ts';

export interface StackProcess {
  role: Role;
  pid: number;
  /** The address at which a service serves /healthz, /readyz and /metrics. */
  admin_url?: string;
}

/** The description of a running stack for other programs. */
export interface StackFile {
  base_url: string;
  /** The gateways behind the proxy, for another load balancer. */
  gateway_urls: string[];
  processes: StackProcess[];
  /** `sasl`: the login that the broker asks for. */
  kafka: { brokers: string; sasl?: { mechanism: 'plain'; username: string; password: string } };
  postgres: { url: string };
  redis: { url: string };
}

const fileOf = (directory: string) => join(directory, 'stack.json');

/** Writes `stack.json` whole, of mode 0600 since addresses in it carry passwords. */
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
