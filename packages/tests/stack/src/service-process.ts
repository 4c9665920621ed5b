import { fileURLToPath } from 'node:url';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { SERVICE_V8_OPTIONS } from '@tidewatch/runtime/process/v8-options';
import { type NativeProcess, startNative } from './parts/native-process.ts';

export interface ServiceOptions {
  name: string;
  /** The script that Node runs. */
  main: string;
  env: Readonly<Record<string, string>>;
  log: string;
  /** The URL of the readiness check. */
  readyUrl: string;
  /** Aborts the start. */
  leaving?: AbortSignal;
}

const START_WITHIN_MS = MINUTE_MS;
/** The timeout for stopping a service, which takes up to ten seconds by itself, ms. */
const STOP_WITHIN_MS = 12_000;

/** The absolute path of a file below `packages`. */
export const fileOf = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** The writer that seals a log of samples every TIDEWATCH_TEST_SEAL_MS, in place of its own program. */
export const SEALING_WRITER = 'tests/stack/src/writer/main.ts';

/** Starts a service as a separate process and waits until it is ready. */
export async function startService(options: ServiceOptions): Promise<NativeProcess> {
  const started = await startNative({
    name: options.name,
    command: process.execPath,
    args: [...SERVICE_V8_OPTIONS, options.main],
    env: { ...options.env },
    log: options.log,
    startWithinMs: START_WITHIN_MS,
    ready: () => isReady(options.readyUrl),
    ownGroup: true,
    leaving: options.leaving,
  });
  return { ...started, stop: (patienceMs = STOP_WITHIN_MS) => started.stop(patienceMs) };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
