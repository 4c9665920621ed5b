import { storeForFile } from '@tidewatch/harness/store';
import { describe, expect, it } from 'vitest';
import { AnswerOverdueError } from './answer-watch.ts';
import { openStore, type Transaction } from './connection.ts';
import { BinaryRows } from './copy/binary-rows.ts';
import { copyInto } from './copy/copy.ts';

const store = await storeForFile({ as: 'product', max: 1, statementTimeoutMs: 400, answerGraceMs: 400 });

/** Runs work while the server process of its transaction is stopped, then continues that process. */
async function whileStopped(work: (tx: Transaction) => Promise<unknown>): Promise<unknown> {
  let pid = 0;
  try {
    return await store
      .transact(async (tx) => {
        const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
        pid = row?.pid as number;
        process.kill(pid, 'SIGSTOP');
        await work(tx);
      })
      .then(
        () => 'done',
        (error: unknown) => error,
      );
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

const rows = () => {
  const buffer = new BinaryRows();
  buffer.row(2, 32);
  buffer.text('org_copied');
  buffer.text('copied');
  return buffer.finish();
};

describe('a connection that is cut in the middle of a transaction', () => {
  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['between statements', async (tx) => tx`select 1`],
    ['during a statement', async (tx) => tx`select pg_sleep(0.3)`],
    ['and is not noticed', async () => undefined],
    ['and whose failure is swallowed', async (tx) => tx`select 1`.catch(() => undefined)],
  ])('%s ends the transaction with an error and leaves a pool that works', async (name, work) => {
    const admin = openStore({ url: store.database.adminUrl, max: 1 });
    const failed = store.transact(async (tx) => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await tx`insert into organizations (id, name) values (${name}, 'cut')`;
      const cut = async () => {
        await admin.sql`select pg_terminate_backend(${row?.pid as number}, 1000)`;
        await new Promise((resolve) => setTimeout(resolve, 20));
      };
      if (name.startsWith('during')) await Promise.all([work(tx), cut()]);
      else {
        await cut();
        await work(tx);
      }
    });
    await expect(failed).rejects.toThrow();
    const [found] = await Promise.all([
      store.sql`select 1 from organizations`,
      store.transact((tx) => tx`select 1`),
    ]);
    expect(found).toEqual([]);
    await admin.close();
  });
});

describe('a transaction', () => {
  it('with an ignored failed statement does not count as committed', async () => {
    const failed = store.transact(async (tx) => {
      await tx`insert into organizations (id, name) values ('swallowed', 'x')`;
      await tx`select 1 / 0`.catch(() => undefined);
    });
    await expect(failed).rejects.toThrow('not committed');
    expect(await store.sql`select 1 from organizations`).toEqual([]);
  });

  it('is watched separately, and no longer once it has ended', async () => {
    const kept: Transaction[] = [];
    for (let n = 0; n < 2; n++) await store.transact(async (tx) => kept.push(tx));
    expect(Object.is(kept[0], kept[1])).toBe(false);
    const [first] = kept as [Transaction];
    expect(() => first`select 1`).toThrow('the transaction has ended');
  });
});

describe('a server process that is stopped', () => {
  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['a statement', (tx) => tx`select 1`],
    [
      'statements that travel together',
      (tx) => Promise.all([tx`select ${1}::int`, tx`select ${'a'}::text`, tx`select 2`]),
    ],
    ['a COPY', (tx) => copyInto(tx, 'copy organizations (id, name) from stdin (format binary)', [rows()])],
  ])('ends %s with an error and leaves a pool that works', async (_, work) => {
    expect(await whileStopped(work)).toBeInstanceOf(AnswerOverdueError);
    expect(await store.transact((tx) => tx`select 1 as one`)).toEqual([{ one: 1 }]);
    expect(await store.sql`select 1 as one`).toEqual([{ one: 1 }]);
    expect(await store.sql`select 1 from organizations`).toEqual([]);
  });

  it('leads to the failure of a COPY whose rows it had begun to receive', async () => {
    let pid = 0;
    const failed = store.transact(async (tx) => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      pid = row?.pid as number;
      const query = tx.unsafe('copy organizations (id, name) from stdin');
      const stream = await query.writable();
      process.kill(pid, 'SIGSTOP');
      await new Promise((resolve, reject) => {
        query.catch(reject);
        stream.on('error', reject).on('finish', resolve);
        for (let n = 0; n < 200; n++) stream.write(`org_${n}\t${'x'.repeat(100_000)}\n`);
        stream.end();
      });
    });
    await expect(failed).rejects.toThrow();
    process.kill(pid, 'SIGCONT');
    expect(await store.sql`select 1 from organizations`).toEqual([]);
  });
});

it('a connection that is idle, or slow within the timeout, stays open', async () => {
  const [before] = await store.sql`select pg_backend_pid() as pid`;
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await store.sql`select pg_sleep(0.3)`;
  await store.sql`select repeat('x', 1000000), generate_series(1, 20)`;
  const [after] = await store.sql`select pg_backend_pid() as pid`;
  expect(after).toEqual(before);
});

it('a statement that takes too long is still ended by the server', async () => {
  await expect(store.sql`select pg_sleep(5)`).rejects.toMatchObject({ code: '57014' });
});
