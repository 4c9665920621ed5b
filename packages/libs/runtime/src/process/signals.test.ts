import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { HostProcess } from './run.ts';
import { mergeSignals } from './signals.ts';

test('signals within a second of the first count as one, and a later one as another', () => {
  const emitter = new EventEmitter();
  let now = 0;
  let received = 0;
  const host = mergeSignals(emitter as unknown as HostProcess, () => now);
  host.on('SIGTERM', () => {
    received += 1;
  });
  host.on('SIGINT', () => {
    received += 1;
  });
  emitter.emit('SIGINT');
  now = 300;
  emitter.emit('SIGTERM');
  emitter.emit('SIGINT');
  expect(received).toBe(1);
  now = 1_001;
  emitter.emit('SIGINT');
  expect(received).toBe(2);
});
