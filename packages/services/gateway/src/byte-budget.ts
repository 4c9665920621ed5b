import { ProblemError } from '@tidewatch/contracts/values/problem';

/** Bounds the bytes that requests hold at once. Who finds no room waits for a while, in order, and is then refused. */
export interface ByteBudget {
  /** Takes the bytes at once, or answers undefined. */
  tryTake(bytes: number): boolean;
  /** Rejects with a 503 when there is no room in time. */
  take(bytes: number): Promise<void>;
  give(bytes: number): void;
}

interface Waiter {
  bytes: number;
  resolve(): void;
  timer: NodeJS.Timeout;
}

export interface ByteBudgetOptions {
  capacity: number;
  maxWaiting: number;
  maxWaitMs: number;
}

export function createByteBudget({ capacity, maxWaiting, maxWaitMs }: ByteBudgetOptions): ByteBudget {
  let free = capacity;
  const waiting = new Set<Waiter>();

  const refuse = () =>
    new ProblemError('ingest_unavailable', {
      detail: 'Too many requests are under way.',
      headers: { 'Retry-After': '1' },
    });

  function tryTake(bytes: number): boolean {
    if (waiting.size > 0 || bytes > free) return false;
    free -= bytes;
    return true;
  }

  return {
    tryTake,
    take(bytes) {
      if (tryTake(bytes)) return Promise.resolve();
      if (waiting.size >= maxWaiting) return Promise.reject(refuse());
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(waiter);
          reject(refuse());
        }, maxWaitMs);
        const waiter: Waiter = { bytes, resolve, timer };
        waiting.add(waiter);
      });
    },
    give(bytes) {
      free += bytes;
      for (const waiter of waiting) {
        if (waiter.bytes > free) return;
        free -= waiter.bytes;
        waiting.delete(waiter);
        clearTimeout(waiter.timer);
        waiter.resolve();
      }
    },
  };
}
