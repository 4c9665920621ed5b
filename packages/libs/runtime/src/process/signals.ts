import { type HostProcess, STOP_SIGNALS } from './run.ts';

const ONE_SIGNAL_MS = 1_000;

/**
 * Merges signals that follow each other within a second: Ctrl-C in a terminal reaches the whole process group, and npm and
 * the launcher also pass on the signals that they receive.
 */
export function mergeSignals(host: HostProcess, monotonic: () => number): HostProcess {
  let first: number | null = null;
  return {
    exit: (code) => host.exit(code),
    on(event: string | symbol, listener: (...args: never[]) => void) {
      if (!STOP_SIGNALS.some((signal) => signal === event)) {
        host.on(event as 'exit', listener as never);
        return host as NodeJS.Process;
      }
      host.on(event, ((...args: never[]) => {
        const now = monotonic();
        const again = first !== null && now - first < ONE_SIGNAL_MS;
        first ??= now;
        if (!again) {
          listener(...args);
        }
      }) as never);
      return host as NodeJS.Process;
    },
  } as HostProcess;
}
