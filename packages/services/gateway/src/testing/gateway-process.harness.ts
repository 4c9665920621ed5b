import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SERVICE_V8_OPTIONS } from '@tidewatch/runtime/process/v8-options';

const MAIN = fileURLToPath(new URL('./gateway-in-process.harness.ts', import.meta.url));
/** Written to `clear_refs`: sets the peak of the resident size back to what it is now. */
const RESET_PEAK = '5';

/** A gateway in a process of its own, with the options of the product, whose memory is that of nobody else. */
export interface GatewayProcess {
  url: string;
  /** The port of OTLP over gRPC. */
  grpcPort: number;
  /** Forgets the peak; returns the resident size, bytes. */
  rest(): number;
  /** The largest resident size since `rest`, bytes. */
  peak(): number;
  close(): Promise<void>;
}

export async function openGatewayProcess(): Promise<GatewayProcess> {
  const child = fork(MAIN, { execArgv: [...SERVICE_V8_OPTIONS], serialization: 'json' });
  const [{ url, grpcPort }] = (await once(child, 'message')) as [{ url: string; grpcPort: number }];
  const residentOf = (name: 'VmHWM' | 'VmRSS') => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1_024;
  };
  return {
    url,
    grpcPort,
    rest() {
      writeFileSync(`/proc/${child.pid}/clear_refs`, RESET_PEAK);
      return residentOf('VmRSS');
    },
    peak: () => residentOf('VmHWM'),
    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
