import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createSilentLogger } from '../telemetry/logger.ts';
import { createLifecycle } from './lifecycle.ts';
import { type HostProcess, run } from './run.ts';

const logger = createSilentLogger();

describe('createLifecycle', () => {
  it('closes parts in reverse order, each even if another fails', async () => {
    const closed: string[] = [];
    const lifecycle = createLifecycle(logger);
    await lifecycle.open(
      'a',
      () => 1,
      () => void closed.push('a'),
    );
    lifecycle.defer('b', () => {
      closed.push('b');
      throw new Error('no');
    });
    lifecycle.defer('c', () => void closed.push('c'));
    await Promise.all([lifecycle.close(), lifecycle.close()]);
    expect(closed).toEqual(['c', 'b', 'a']);
  });

  it('closes the opened parts when a start fails', async () => {
    const closed: string[] = [];
    const lifecycle = createLifecycle(logger);
    await lifecycle.open(
      'a',
      () => 1,
      () => void closed.push('a'),
    );
    const failing = lifecycle.open(
      'b',
      () => Promise.reject(new Error('no')),
      () => void closed.push('b'),
    );
    await expect(failing).rejects.toThrow('no');
    expect(closed).toEqual(['a']);
    await expect(lifecycle.open('c', () => 1)).rejects.toThrow(/closing/);
  });
});

describe('run', () => {
  function host() {
    const codes: number[] = [];
    const emitter = new EventEmitter();
    const process = Object.assign(emitter, {
      exit: (code: number) => codes.push(code),
    }) as unknown as HostProcess;
    return { process, emitter, codes };
  }

  it('closes every part and exits with 0 at the first signal', async () => {
    const { process, emitter, codes } = host();
    const closed: string[] = [];
    await run({
      process,
      logger,
      start: async (lifecycle) => lifecycle.defer('a', () => void closed.push('a')),
    });
    emitter.emit('SIGTERM', 'SIGTERM');
    await expect.poll(() => codes).toEqual([0]);
    expect(closed).toEqual(['a']);
  });

  it('exits at once at the second signal', async () => {
    const { process, emitter, codes } = host();
    await run({
      process,
      logger,
      start: async (lifecycle) => lifecycle.defer('a', () => new Promise(() => undefined)),
    });
    emitter.emit('SIGINT', 'SIGINT');
    emitter.emit('SIGINT', 'SIGINT');
    expect(codes).toEqual([1]);
  });

  it('exits with 1 when closing exceeds its timeout', async () => {
    const { process, emitter, codes } = host();
    const start = async (lifecycle: { defer(name: string, closer: () => Promise<void>): void }) =>
      lifecycle.defer('a', () => new Promise(() => undefined));
    await run({ process, logger, closeWithinMs: 10, start });
    emitter.emit('SIGTERM', 'SIGTERM');
    await expect.poll(() => codes).toEqual([1]);
  });

  it('exits with 1 after a failed start', async () => {
    const { process, codes } = host();
    await run({ process, logger, start: () => Promise.reject(new Error('no')) });
    expect(codes).toEqual([1]);
  });

  it('exits with 0 when a signal also ended a child program and so made the start fail', async () => {
    const { process, emitter, codes } = host();
    const lines: string[] = [];
    const collecting = Object.assign(Object.create(logger), {
      info: (_: object, line: string) => lines.push(line),
      fatal: () => lines.push('fatal'),
    });
    const start = async () => {
      setImmediate(() => emitter.emit('SIGINT', 'SIGINT'));
      throw new Error('initdb failed');
    };
    await run({ process, logger: collecting, start });
    await expect.poll(() => codes).toEqual([0]);
    expect(lines).toEqual(['the start was interrupted; stopping']);
  });
});
