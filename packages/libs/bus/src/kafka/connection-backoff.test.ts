import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openKafka } from './connection.ts';
import { ConnectionBackoff, connectLater } from './connection-backoff.ts';

describe('the backoff of connections to an address', () => {
  let now = 0;
  const socketOf = (bytesRead: number) =>
    Object.assign(new EventEmitter(), { bytesRead }) as unknown as Socket;
  const fail = (backoff: ConnectionBackoff, address = 'a:1') => {
    const socket = socketOf(0);
    backoff.watch(address, socket);
    socket.emit('close');
  };
  const open = (random = 1) => {
    now = 0;
    return new ConnectionBackoff(
      () => now,
      () => random,
    );
  };

  it('doubles the pause with each failure, up to a second', () => {
    const backoff = open();
    const pauses = Array.from({ length: 7 }, () => {
      fail(backoff);
      const pause = backoff.delayOf('a:1');
      now += pause;
      return pause;
    });
    expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000]);
  });

  it('shortens pauses at random, down to half', () => {
    const backoff = open(0);
    fail(backoff);
    expect(backoff.delayOf('a:1')).toBe(50);
  });

  it('counts attempts that fail during one pause once', () => {
    const backoff = open();
    for (let attempt = 0; attempt < 5; attempt += 1) fail(backoff);
    expect(backoff.delayOf('a:1')).toBe(100);
  });

  it('delays no other address', () => {
    const backoff = open();
    fail(backoff);
    expect(backoff.delayOf('b:1')).toBe(0);
  });

  it('ends once the address has sent something, also when that connection closes later', () => {
    const backoff = open();
    fail(backoff);
    const socket = socketOf(12);
    backoff.watch('a:1', socket);
    socket.emit('data');
    expect(backoff.delayOf('a:1')).toBe(0);
    socket.emit('close');
    expect(backoff.delayOf('a:1')).toBe(0);
  });

  it.each(['127.0.0.1', 'localhost'])('resolves %s only after the delay', async (host) => {
    const began = performance.now();
    const { host: name, lookup } = connectLater(host, 60);
    const found = await new Promise((resolve) =>
      lookup(name, { all: false, family: 4 }, (error, address) => resolve(error ?? address)),
    );
    expect(found).toBe('127.0.0.1');
    expect(performance.now() - began).toBeGreaterThan(50);
  });
});

describe('clients of Kafka while a broker is away', () => {
  let server: Server | null = null;
  let stop: (() => void) | null = null;

  afterEach(() => {
    stop?.();
    server?.close();
  });

  /** Listens on the given port, or a free one if it is 0; destroys each connection at once. */
  async function refuse(port = 0) {
    const attempts: number[] = [];
    server = createServer((socket) => {
      attempts.push(performance.now());
      socket.destroy();
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, attempts };
  }

  /** Six users of one Kafka client that reconnect without a pause of their own, as the requests of a process do. */
  function keepConnecting(port: number) {
    let refused = 0;
    const kafka = openKafka({
      brokers: [`127.0.0.1:${port}`],
      clientId: 'test',
      log: (_level, message) => {
        if (message.startsWith('Connection error: connect ECONNREFUSED')) refused += 1;
      },
    });
    let going = true;
    stop = () => {
      going = false;
    };
    for (let user = 0; user < 6; user += 1) {
      const admin = kafka.admin();
      void (async () => {
        while (going) await admin.connect().catch(() => sleep(10));
      })();
    }
    return () => refused;
  }

  it('connect to a closed port at most twice a second each', async () => {
    const { port } = await refuse();
    await new Promise((resolve) => server?.close(resolve));
    const refused = keepConnecting(port);
    await sleep(1_500);
    const before = refused();
    await sleep(3_000);
    expect(before).toBeGreaterThan(0);
    expect(refused() - before).toBeLessThanOrEqual(6 * 3 * 2);
  }, 20_000);

  it('connect within about a second once the port is open', async () => {
    const { port } = await refuse();
    await new Promise((resolve) => server?.close(resolve));
    keepConnecting(port);
    await sleep(2_500);
    const opened = performance.now();
    const { attempts } = await refuse(port);
    await expect.poll(() => attempts.length, { timeout: 5_000, interval: 20 }).toBeGreaterThan(0);
    expect((attempts[0] as number) - opened).toBeLessThan(1_500);
  }, 20_000);
});
