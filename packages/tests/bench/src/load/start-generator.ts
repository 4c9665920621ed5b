import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromGenerator, GeneratorOrder, GeneratorResult, ToGenerator } from './messages.ts';

export interface RunningGenerator {
  pid: number;
  result: Promise<GeneratorResult>;
  /** Returns the number of payloads that were acknowledged since the start. */
  progress(): number;
  /** Sets the rate in samples a second, and drops requests that were still due at the former rate. */
  setRate(rate: number): void;
  /** Stops after the running requests. Their outcome is unknown only if the product no longer responds. */
  stop(): void;
  /** Resolves when the first tick of a warm-up is stored. */
  firstContact: Promise<void>;
  /** Resolves when the warm-up is over. */
  measuring: Promise<void>;
}

/** Starts the generator in a separate process, so that its processor time and event loop are separate. */
export function startGenerator(order: GeneratorOrder): RunningGenerator {
  const child = fork(fileURLToPath(new URL('./generator.ts', import.meta.url)), { serialization: 'json' });
  let payloads = 0;
  const firstContact = Promise.withResolvers<void>();
  const measuring = Promise.withResolvers<void>();
  const result = new Promise<GeneratorResult>((resolve, reject) => {
    child.on('message', (message: FromGenerator) => {
      if (message.type === 'progress') payloads = message.payloads;
      else if (message.type === 'firstContact') firstContact.resolve();
      else if (message.type === 'measuring') measuring.resolve();
      else resolve(message.result);
    });
    child.once('exit', (code) => reject(new Error(`the generator ended with ${code} before its result`)));
  });
  result.catch(() => {});
  // Ignores errors, because a generator that has ended receives no message; its result has the outcome.
  const say = (message: ToGenerator) => child.send(message, () => undefined);
  say({ type: 'order', order });
  return {
    pid: child.pid ?? 0,
    result,
    progress: () => payloads,
    setRate: (rate) => say({ type: 'rate', rate }),
    stop: () => child.connected && say({ type: 'stop' }),
    firstContact: firstContact.promise,
    measuring: measuring.promise,
  };
}
