import type { Logger } from '../telemetry/logger.ts';

export type Closer = () => Promise<void> | void;

/** A named last-in-first-out stack of closers. Borrowed from Alertmanager's `app/lifecycle.go`. */
export interface Lifecycle {
  /** Opens a part and remembers how to close it. If opening fails, everything opened before is closed again. */
  open<T>(name: string, opener: () => Promise<T> | T, closer?: (part: T) => Promise<void> | void): Promise<T>;
  /** Remembers a closer for something that is open already. */
  defer(name: string, closer: Closer): void;
  /** Closes all, newest first, each even if another failed. Later calls wait for the first one. */
  close(): Promise<void>;
}

export function createLifecycle(logger: Logger): Lifecycle {
  const closers: { name: string; closer: Closer }[] = [];
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    for (let entry = closers.pop(); entry !== undefined; entry = closers.pop()) {
      const began = performance.now();
      try {
        await entry.closer();
        logger.debug({ part: entry.name, ms: Math.round(performance.now() - began) }, 'closed');
      } catch (error) {
        logger.error({ part: entry.name, err: error }, 'could not be closed cleanly');
      }
    }
  }

  const lifecycle: Lifecycle = {
    async open(name, opener, closer) {
      if (closing !== undefined) throw new Error(`${name} cannot be opened: the process is closing`);
      const began = performance.now();
      try {
        const part = await opener();
        if (closer !== undefined) closers.push({ name, closer: () => closer(part) });
        logger.debug({ part: name, ms: Math.round(performance.now() - began) }, 'opened');
        return part;
      } catch (error) {
        await lifecycle.close();
        throw error;
      }
    },
    defer(name, closer) {
      closers.push({ name, closer });
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
  return lifecycle;
}
