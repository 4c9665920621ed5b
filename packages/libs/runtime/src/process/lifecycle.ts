import type { Logger } from '../telemetry/logger.ts';

export type Closer = () => Promise<void> | void;

/** A stack of named closers, last in, first out. Borrowed from Alertmanager's `app/lifecycle.go`. */
export interface Lifecycle {
  /** Opens a part and registers its closer. If opening fails, every part that was opened before is closed. */
  open<T>(name: string, opener: () => Promise<T> | T, closer?: (part: T) => Promise<void> | void): Promise<T>;
  /** Opens a part that is closed by its own `close`. */
  openClosable<T extends { close(): Promise<void> | void }>(
    name: string,
    opener: () => Promise<T> | T,
  ): Promise<T>;
  /** Registers a closer for a part that is open already. */
  defer(name: string, closer: Closer): void;
  /** Closes all parts in reverse order, each even if another failed. Later calls wait for the first one. */
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
        logger.error({ part: entry.name, err: error }, 'could not close a part of the process');
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
    openClosable: (name, opener) => lifecycle.open(name, opener, (part) => part.close()),
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
