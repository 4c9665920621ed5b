import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from './logger.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    name: 'test',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  return { lines, logger };
}
const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('log lines of an unavailable dependency', () => {
  it('the first is written at once, then one every 30 s with the number of the others, and one at the end', () => {
    const { lines, logger } = open();
    for (let tick = 0; tick < 480; tick += 1) {
      logger.warn({ err: refused(), tick }, 'events cannot be read');
      vi.advanceTimersByTime(125);
    }
    expect(lines.map(({ level, tick, repeated }) => ({ level, tick, repeated }))).toEqual([
      { level: 40, tick: 0, repeated: undefined },
      { level: 40, tick: 239, repeated: 239 },
      { level: 40, tick: 479, repeated: 240 },
    ]);
    vi.advanceTimersByTime(60_000);
    expect(lines.slice(3)).toMatchObject([
      { level: 30, of: 'events cannot be read', times: 480, seconds: 90, msg: 'no longer repeated' },
    ]);
    logger.warn({ err: refused() }, 'events cannot be read');
    expect(lines).toHaveLength(5);
  });

  it('are written at once if they have another text or error, also by child loggers', () => {
    const { lines, logger } = open();
    logger.warn({ err: refused() }, 'a');
    logger.warn({ err: refused() }, 'b');
    logger.child({ part: 1 }).warn({ err: Object.assign(refused(), { code: 'ETIMEDOUT' }) }, 'a');
    logger.child({ part: 1 }).warn({ err: refused() }, 'a');
    expect(lines).toHaveLength(3);
  });

  it('have no summary after a line that is not repeated', () => {
    const { lines, logger } = open();
    logger.error({ err: refused() }, 'a');
    vi.advanceTimersByTime(600_000);
    expect(lines).toHaveLength(1);
  });

  it('are all written if they have fields but no error, are fatal, or are below warning', () => {
    const { lines, logger } = open();
    for (let index = 0; index < 5; index += 1) {
      logger.error({ offset: index }, 'a record became a dead letter');
      logger.fatal({ err: refused() }, 'unexpected exception');
      logger.info({ err: refused() }, 'retrying');
    }
    expect(lines).toHaveLength(15);
  });

  it('count as one kind if they have no fields and differ only in numbers, like those of a database server', () => {
    const { lines, logger } = open();
    for (let pid = 300; pid < 340; pid += 1)
      logger.warn(`13:06:27.${pid} UTC [${pid}] FATAL:  connection to client lost`);
    logger.warn('another');
    vi.advanceTimersByTime(30_000);
    expect(lines).toMatchObject([
      { msg: expect.stringContaining('[300]') },
      { msg: 'another' },
      { msg: expect.stringContaining('[339]'), repeated: 39 },
    ]);
  });

  it("lines of Kafka's client about failed connections count as one kind, whatever the port and the delay", () => {
    const { lines, logger } = open();
    for (let port = 9_000; port < 9_040; port += 1)
      logger.warn(
        { kafka: { broker: `b:${port}` } },
        `Connection error: connect ECONNREFUSED 127.0.0.1:${port}`,
      );
    vi.advanceTimersByTime(30_000);
    expect(lines).toMatchObject([{ level: 40 }, { repeated: 39 }]);
  });

  it('the number of kinds is limited: the oldest one is summed up early', () => {
    const { lines, logger } = open();
    logger.warn({ err: refused() }, 'first');
    logger.warn({ err: refused() }, 'first');
    for (let kind = 0; kind < 256; kind += 1)
      logger.warn({ err: Object.assign(refused(), { code: `E${kind}` }) }, 'other');
    expect(lines.filter(({ msg }) => msg === 'first')).toMatchObject([{}, { repeated: 1 }]);
  });
});
