import { connect, createServer, type Server, type Socket } from 'node:net';
import { openForTest } from '@tidewatch/harness/opened';
import { startDatabase, type TestDatabase } from '@tidewatch/harness/postgres';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ARRAY_TYPES } from './array-types.ts';
import { openStore, type Store } from './connection.ts';

let database: TestDatabase;
let proxy: Server;
let cut: () => void;
let store: Store;
let storeUrl: string;
/** The bytes that were sent to the server, in pieces. */
const sent: string[] = [];

/** A proxy to the server that can close connections in the middle of anything, as a stopping server does. */
beforeEach(async () => {
  database = await openForTest(startDatabase());
  const url = new URL(database.adminUrl);
  const target = Number(url.port);
  const clients = new Set<Socket>();
  proxy = createServer((client) => {
    const server = connect(target, url.hostname);
    clients.add(client);
    client.on('close', () => {
      clients.delete(client);
      server.destroy();
    });
    client.on('error', () => {});
    server.on('error', () => {});
    client.pipe(server);
    client.on('data', (bytes) => sent.push(bytes.toString('latin1')));
    server.on('data', (bytes) => client.write(bytes));
  });
  cut = () => {
    for (const client of clients) client.end();
  };
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  url.port = String((proxy.address() as { port: number }).port);
  storeUrl = url.href;
  store = openStore({ url: storeUrl, max: 1, searchPath: 'public' });
  await store.sql`create table marks (name text)`;
});
afterEach(async () => {
  proxy.close();
  await store?.close();
});

const marks = async () => (await store.sql`select name from marks`).map(({ name }) => name);

test('a transaction whose connection is closed during a statement fails, and the next transaction works', async () => {
  const broken = store.transact(async (tx) => {
    await tx`insert into marks values ('lost')`;
    setTimeout(cut, 50);
    await tx`select pg_sleep(30)`;
  });
  await expect(broken).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  await store.transact((tx) => tx`insert into marks values ('kept')`);
  expect(await marks()).toEqual(['kept']);
});

test('further statements of a lost transaction are refused and never run on another connection', async () => {
  let finish: (outcome: unknown) => void = () => {};
  const late = new Promise((resolve) => {
    finish = resolve;
  });
  const broken = store.transact(async (tx) => {
    await tx`insert into marks values ('lost')`;
    cut();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await marks()).toEqual([]);
    finish(
      await tx`insert into marks values ('stray')`.then(
        () => 'run',
        (error) => error.code,
      ),
    );
  });
  await expect(broken).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  expect(await late).toBe('CONNECTION_CLOSED');
  expect(await marks()).toEqual([]);
});

test('a pool still works after its connections were cut repeatedly', async () => {
  for (let round = 0; round < 20; round += 1) {
    const statement = store.transact(async (tx) => {
      await tx`select 1`;
      cut();
      await tx`select ${round}::int`;
      await tx`select 2`;
    });
    await statement.catch(() => {});
  }
  await store.sql`insert into marks values ('kept')`;
  expect(await marks()).toEqual(['kept']);
});

test.each([64, 80, 96, 128, 256])(
  'the connection is usable after a COPY of %i KiB that is read slowly',
  async (kib) => {
    for (let round = 0; round < 5; round += 1) {
      const copy = await store.sql
        .unsafe(`copy (select repeat('x', 1023) from generate_series(1, ${kib})) to stdout`)
        .readable();
      let bytes = 0;
      for await (const piece of copy) {
        bytes += piece.length;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      expect(bytes).toBe(kib * 1_024);
      expect(await store.sql`select 1 as one`).toEqual([{ one: 1 }]);
    }
  },
);

test('the pool is usable after statements that were sent at any moment of a close', async () => {
  for (let round = 0; round < 80; round += 1) {
    cut();
    for (let turn = 0; turn < round % 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await store.sql`insert into marks values ('maybe')`.catch(() => undefined);
    expect(await answersAtLast(), `round ${round}`).toBe(true);
  }
});

/** Sends a statement until it is answered, since a closing connection fails the statements that it has taken. */
async function answersAtLast(): Promise<boolean> {
  for (let tries = 0; tries < 5; tries += 1) {
    const answer = await store.sql`select 1 as one`.catch(() => []);
    if (answer.length === 1) return true;
  }
  return false;
}

test('the server has the array types that connections know without asking', async () => {
  const rows = await store.sql`
    select typname::text as name, oid::int as oid, typarray::int as array from pg_type
    where typname = any (${Object.keys(ARRAY_TYPES)}::text[]) and typnamespace = 'pg_catalog'::regnamespace`;
  expect(Object.fromEntries(rows.map(({ name, oid, array }) => [name, [oid, array]]))).toEqual(ARRAY_TYPES);
});

test('an array of each known type can be written and read', async () => {
  const [row] = await store.sql`
    select ${[1, 2]}::int[] as four, ${['a', 'NUL"L']}::text[] as words, ${[1_700_000_000_123]}::timestamptz[] as times,
           ${[7]}::bigint[] as eight, ${[1.5, -2]}::double precision[] as floats, '{t,f}'::boolean[] as flags`;
  expect(row).toEqual({
    four: [1, 2],
    words: ['a', 'NUL"L'],
    times: [1_700_000_000_123],
    eight: [7],
    floats: [1.5, -2],
    flags: [true, false],
  });
});

test('a connection sends no query of its own before its first statement', async () => {
  sent.length = 0;
  const another = openStore({ url: storeUrl, max: 1, searchPath: 'public' });
  await another.sql`select 'first'`;
  await another.transact((tx) => tx`select 'second'`);
  await another.close();
  const statements = sent.join('').match(/\b(select|begin|commit|show)\b[^\0]*/g);
  expect(statements).toEqual(["select 'first'", 'begin ', "select 'second'", 'commit']);
});

test('a transaction that begins with a read sends it together with begin once there is a connection', async () => {
  sent.length = 0;
  await store.transactReading((tx) => tx`select 'first'`);
  expect(sent.find((bytes) => bytes.includes('begin'))).not.toContain('first');
  await store.transactReading(async (tx) => {
    await tx`select 'second'`;
    await tx`insert into marks values ('kept')`;
  });
  expect(sent.find((bytes) => bytes.includes('second'))).toContain('begin');
  expect(await marks()).toEqual(['kept']);
});

test('a read-only transaction sends its first statement together with begin, and does not wait for its commit', async () => {
  const read = (query: string) =>
    store.sql.begin('isolation level repeatable read read only', async (tx) => {
      const [row] = await tx.unsafe<{ value: string }[]>(query).values();
      return row;
    });
  sent.length = 0;
  for (const value of ['first', 'second', 'third']) expect(await read(`select '${value}'`)).toEqual([value]);
  const together = sent.find((bytes) => bytes.includes('third'));
  expect(together).toMatch(/commit\0.*begin isolation level repeatable read read only\0.*select 'third'/s);
  await expect(read("insert into marks values ('refused')")).rejects.toThrow('read-only');
  await expect(read('select 1/0')).rejects.toThrow('division by zero');
  expect(await marks()).toEqual([]);
});

test('a first statement that is not a select is not sent before begin is answered, and is refused', async () => {
  await store.transactReading((tx) => tx`select 1`);
  const writing = store.transactReading((tx) => tx`insert into marks values ('stray')`);
  await expect(writing).rejects.toThrow('the first statement of transactReading must be a select');
  const both = store.transactReading(async (tx) => {
    await tx`select 1`;
    await tx`insert into marks values ('lost')`;
    throw new Error('no more');
  });
  await expect(both).rejects.toThrow('no more');
  expect(await marks()).toEqual([]);
});

test('transactions that begin with a read and lose their connection at any moment store all or nothing', async () => {
  let kept = 0;
  for (let round = 0; round < 40; round += 1) {
    await store.transactReading((tx) => tx`select 1`).catch(() => undefined);
    const writing = store.transactReading(async (tx) => {
      await tx`select 1`;
      await tx`insert into marks values (${`a${round}`})`;
      await tx`insert into marks values (${`b${round}`})`;
    });
    for (let turn = 0; turn < round % 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    cut();
    kept += await writing.then(
      () => 1,
      () => 0,
    );
  }
  const names =
    await store.sql`select substr(name, 2) as round, count(*)::int as n from marks group by 1`.catch(
      () => store.sql`select substr(name, 2) as round, count(*)::int as n from marks group by 1`,
    );
  expect(names.every(({ n }) => n === 2)).toBe(true);
  expect(names.length).toBeGreaterThanOrEqual(kept);
});

test('no statement over many partitions is compiled by JIT, which takes longer than the statement', async () => {
  const [row] = await store.sql`show jit`;
  expect(row?.['jit']).toBe('off');
});

test('bytes are sent as they are beside texts and absent values', async () => {
  const random = createRandom(20_261_130);
  const bytes = Buffer.from(Uint8Array.from({ length: 70_000 }, () => Math.floor(random() * 256)));
  const send = (data: Uint8Array | null, name: string | null) =>
    store.sql`select ${data}::bytea as data, octet_length(${data}::bytea) as size, ${name}::text as name`;
  for (const data of [bytes, bytes.subarray(7, 8), Buffer.alloc(0), Uint8Array.from([0, 255])])
    expect([...(await send(data, 'é'))]).toEqual([{ data: Buffer.from(data), size: data.length, name: 'é' }]);
  expect([...(await send(null, null))]).toEqual([{ data: null, size: null, name: null }]);
  expect(sent.join('')).toContain(bytes.toString('latin1').slice(0, 100));
});
