import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createNameResolver } from './name-resolver.ts';

let server: Socket;
let directory: string;
const asked: string[] = [];

const nameOf = (query: Buffer): string => {
  const labels: string[] = [];
  for (let at = 12; query[at] !== 0; at += (query[at] as number) + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] as number)));
  return labels.join('.').toLowerCase();
};

/** A name server that answers 192.0.2.7 for `known`, never answers names that begin with `hang`, and knows no others. */
function answer(query: Buffer): Buffer | null {
  const name = nameOf(query);
  const end = 12 + name.length + 2 + 4;
  const isAddress = query.readUInt16BE(end - 4) === 1;
  asked.push(`${name} ${isAddress ? 'A' : 'AAAA'}`);
  if (name.startsWith('hang')) return null;
  const exists = ['known.example', 'short.cluster.example'].includes(name);
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(exists ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(exists && isAddress ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  if (!exists || !isAddress) return head;
  return Buffer.concat([head, Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7])]);
}

beforeEach(async () => {
  asked.length = 0;
  directory = await mkdtemp(join(tmpdir(), 'names-'));
  await writeFile(join(directory, 'hosts'), '127.0.0.1 localhost # here\n127.0.0.1 ip6-localhost\n');
  await writeFile(join(directory, 'resolv.conf'), 'search cluster.example\noptions ndots:5\n');
  server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const message = answer(query);
    if (message !== null) server.send(message, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.close();
  await rm(directory, { recursive: true });
});

function open() {
  const resolve = createNameResolver({
    servers: [`127.0.0.1:${server.address().port}`],
    hostsFile: join(directory, 'hosts'),
    resolvConf: join(directory, 'resolv.conf'),
    timeoutMs: 300,
  });
  return (host: string, family = 0) =>
    new Promise<LookupAddress[]>((done, fail) =>
      resolve(host, { all: true, family }, (error, found) => (error ? fail(error) : done(found))),
    );
}

const KNOWN = [{ address: '192.0.2.7', family: 4 }];

test('names whose name server hangs end with a timeout and do not delay other names', async () => {
  const find = open();
  const ended: string[] = [];
  const hanging = Array.from({ length: 60 }, (_, i) =>
    find(`hang-${i}.example`).catch((error: NodeJS.ErrnoException) => ended.push(String(error.code))),
  );
  expect(await find('known.example')).toEqual(KNOWN);
  expect(ended).toEqual([]);
  await Promise.all(hanging);
  expect(new Set(ended)).toEqual(new Set(['ETIMEOUT']));
});

test('a resolved name is cached for some seconds, and a name that does not exist is queried each time', async () => {
  const find = open();
  await Promise.all([find('known.example', 4), find('known.example', 4)]);
  await find('known.example', 4);
  expect(asked).toEqual(['known.example A']);
  asked.length = 0;
  for (let i = 0; i < 2; i += 1) await expect(find('none.example.', 4)).rejects.toThrow('ENOTFOUND');
  expect(asked).toEqual(['none.example A', 'none.example A']);
});

test('a name without a dot is resolved in the search domains', async () => {
  expect(await open()('short')).toEqual(KNOWN);
});

test('localhost and the names of the hosts file are resolved without a name server', async () => {
  const find = open();
  expect((await find('localhost')).length).toBeGreaterThan(0);
  await find('ip6-localhost').catch(() => undefined);
  expect(asked).toEqual([]);
});
