import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { PROGRAM_ENVIRONMENT } from '@tidewatch/harness/program-environment';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { afterEach, expect, test } from 'vitest';
import { openDiskBuffer } from './sending/disk-buffer.ts';

const fixture = (name: string) => fileURLToPath(new URL(`testing/fixtures/${name}`, import.meta.url));
const open: Server[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen<S extends Server>(server: S): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const CODES: Record<number, string> = { 401: 'key_revoked' };

/** A service that accepts payloads (status 200), refuses the key (401), or is another program. */
const service = (status: number) => (request: IncomingMessage, response: ServerResponse) => {
  request.resume().on('end', () => {
    const answer = status === 200 ? { status: 'ok', events_accepted: 1 } : { code: CODES[status] };
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  });
};

/** A proxy that connects every host name to `port` of this machine and records its requests. */
async function openProxy(port: number) {
  const requests: string[] = [];
  const proxy = createHttpServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    service(200)(request, response);
  });
  proxy.on('connect', (request, socket) => {
    requests.push(`CONNECT ${request.url}`);
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  return { requests, url: `http://127.0.0.1:${await listen(proxy)}` };
}

function report(url: string, env: Record<string, string>, args: string[] = []) {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const all = [main, '--url', url, '--once', '--docker-socket', '/nonexistent', ...args];
  return new Promise<{ code: number | null; log: string }>((resolve) => {
    const agent = spawn(process.execPath, all, {
      env: { ...PROGRAM_ENVIRONMENT, TIDEWATCH_API_KEY: 'k', ...env },
    });
    let log = '';
    agent.stdout.on('data', (chunk) => {
      log += chunk;
    });
    agent.stderr.on('data', (chunk) => {
      log += chunk;
    });
    agent.on('close', (code) => resolve({ code, log }));
  });
}

async function openTls() {
  const tls = { cert: readFileSync(fixture('service.crt')), key: readFileSync(fixture('service.key')) };
  return listen(createHttpsServer(tls, service(200)));
}

test('the agent sends https through CONNECT of the proxy and trusts the authority of --ca-file', async () => {
  const { requests, url } = await openProxy(await openTls());
  const trusted = await report('https://tidewatch.test', { HTTPS_PROXY: url }, [
    '--ca-file',
    fixture('authority.crt'),
  ]);
  expect(trusted, trusted.log).toMatchObject({ code: 0 });
  expect(requests).toEqual(['CONNECT tidewatch.test:443']);
});

test('the agent shows the certificate of --client-cert to a server that asks for one, and is refused without', async () => {
  const tls = {
    cert: readFileSync(fixture('service.crt')),
    key: readFileSync(fixture('service.key')),
    ca: readFileSync(fixture('authority.crt')),
    requestCert: true,
    rejectUnauthorized: true,
  };
  const names: (string | undefined)[] = [];
  const server = createHttpsServer(tls, (request, response) => {
    names.push((request.socket as TLSSocket).getPeerCertificate().subject.CN as string | undefined);
    service(200)(request, response);
  });
  const { url } = await openProxy(await listen(server));
  const trust = ['--ca-file', fixture('authority.crt')];
  const own = ['--client-cert', fixture('service.crt'), '--client-key', fixture('service.key')];
  const shown = await report('https://tidewatch.test', { HTTPS_PROXY: url }, [...trust, ...own]);
  expect(shown, shown.log).toMatchObject({ code: 0 });
  expect(names).toHaveLength(1);
  const without = await report('https://tidewatch.test', { HTTPS_PROXY: url }, trust);
  expect(without.code).toBe(1);
  expect(names).toHaveLength(1);
  const wrong = await report('https://tidewatch.test', {}, [
    '--client-cert',
    fixture('service.key'),
    ...own.slice(2),
  ]);
  expect(wrong).toMatchObject({ code: 1 });
  expect(wrong.log).toMatch(/--client-cert .* is not usable: it must be PEM/);
});

test('the agent refuses the certificate of an unknown authority and logs why', async () => {
  const { url } = await openProxy(await openTls());
  const { code, log } = await report('https://tidewatch.test', { HTTPS_PROXY: url });
  expect(code).toBe(1);
  expect(log).toMatch(/UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET_ISSUER/);
});

test('the agent sends plain http through the proxy, except for NO_PROXY and loopback addresses', async () => {
  const port = await listen(createHttpServer(service(200)));
  const { requests, url } = await openProxy(port);
  expect(await report('http://tidewatch.test', { HTTP_PROXY: url })).toMatchObject({ code: 0 });
  expect(requests).toEqual(['POST http://tidewatch.test/api/v1/ingest']);
  const direct = await report('http://tidewatch.test', { HTTP_PROXY: url, NO_PROXY: '.test,other' });
  expect(direct.code).toBe(1);
  expect(await report(`http://127.0.0.1:${port}`, { http_proxy: url })).toMatchObject({ code: 0 });
  expect(requests).toHaveLength(1);
});

test('the agent exits with 1 and names a CA file or proxy that is not usable', async () => {
  const noFile = await report('https://tidewatch.test', {}, ['--ca-file', '/nonexistent']);
  expect(noFile).toMatchObject({
    code: 1,
    log: expect.stringContaining('--ca-file /nonexistent is not usable: ENOENT'),
  });
  const socks = await report('https://tidewatch.test', { HTTPS_PROXY: 'socks5://u:hidden@x' });
  expect(socks).toMatchObject({ code: 1, log: expect.stringMatching(/HTTPS_PROXY must be(?!.*hidden)/) });
});

test('the agent sends what its collectors read, without those of --disable, and refuses an unknown name', async () => {
  const bodies: string[] = [];
  const receiver = createHttpServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    bodies.push((request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString());
    response.setHeader('Content-Type', 'application/json').end('{"status":"ok","events_accepted":1}');
  });
  const url = `http://127.0.0.1:${await listen(receiver)}`;
  const { code, log } = await report(url, {}, ['--disable', 'processes,memory']);
  expect(code, log).toBe(0);
  const { metrics, ...payload } = JSON.parse(bodies[0] ?? '');
  expect(metrics).toMatchObject({ cpu_count: expect.any(Number), disk_percent: expect.any(Number) });
  expect(metrics).not.toHaveProperty('memory_percent');
  expect(payload).not.toHaveProperty('processes');
  expect(await report(url, {}, ['--disable', 'process'])).toMatchObject({
    code: 1,
    log: expect.stringContaining('Did you mean processes?'),
  });
});

test('the agent exits with 1 under --once as soon as the service refuses the key', async () => {
  const { code, log } = await report(`http://127.0.0.1:${await listen(createHttpServer(service(401)))}`, {});
  expect(code).toBe(1);
  expect(log.match(/refuses the key/g)).toHaveLength(1);
});

test('the agent makes a key file private that other users may read, and logs it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidewatch-key-'));
  const file = join(folder, 'key');
  writeFileSync(file, 'k');
  chmodSync(file, 0o644);
  const port = await listen(createHttpServer(service(200)));
  const env = { TIDEWATCH_API_KEY: '', TIDEWATCH_API_KEY_FILE: file };
  const { code, log } = await report(`http://127.0.0.1:${port}`, env);
  expect({ code, mode: statSync(file).mode & 0o777 }).toEqual({ code: 0, mode: 0o600 });
  expect(log).toContain('is private now');
  rmSync(folder, { recursive: true });
});

test.each([
  ['accepts the key', 200, 0, /settings are valid, and http:\S+ accepts the key/],
  ['refuses the key', 401, 1, /cannot report: the key is refused/],
  ['is another program', 404, 1, /cannot report: 404/],
])('check ends with a sentence where the service %s (status %i)', async (_, status, code, sentence) => {
  const url = `http://127.0.0.1:${await listen(createHttpServer(service(status)))}`;
  const checked = await report(url, {}, ['check']);
  expect(checked).toMatchObject({ code, log: expect.stringMatching(sentence) });
});

test('the agent takes its settings from the file of --config', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidewatch-config-'));
  const file = join(folder, 'config.yaml');
  writeFileSync(file, 'disable: [process]\n');
  const url = `http://127.0.0.1:${await listen(createHttpServer(service(200)))}`;
  expect(await report(url, {}, ['--config', file])).toMatchObject({
    code: 1,
    log: expect.stringContaining('Did you mean processes?'),
  });
  rmSync(folder, { recursive: true });
});

test('the agent sends in order what it buffered before it was killed, once the service answers, and refuses its folder to another', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidewatch-buffer-'));
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const start = (url: string, stdio: 'ignore' | 'pipe' = 'ignore') =>
    spawn(
      process.execPath,
      [
        main,
        '--url',
        url,
        '--interval',
        '1',
        '--buffer-dir',
        join(folder, 'b'),
        '--disable',
        'processes,units',
      ],
      { env: { ...PROGRAM_ENVIRONMENT, TIDEWATCH_API_KEY: 'k' }, stdio },
    );
  const ended = (agent: ReturnType<typeof start>) => new Promise((resolve) => agent.on('close', resolve));
  const records = () => {
    const buffer = openDiskBuffer(join(folder, 'b'), { payloads: 1_000, bytes: 1e9 }, createSilentLogger());
    return buffer.peek(1_000, 1e9).map((body) => JSON.parse(body).timestamp as string);
  };
  const first = start('http://127.0.0.1:1');
  await expect
    .poll(() => (existsSync(join(folder, 'b')) ? records().length : 0), { timeout: 20_000 })
    .toBeGreaterThan(2);
  const other = start('http://127.0.0.1:1', 'pipe');
  let log = '';
  other.stdout?.on('data', (chunk) => {
    log += chunk;
  });
  expect(await ended(other)).toBe(1);
  expect(log).toContain('is used by another agent that runs');
  first.kill('SIGKILL');
  await ended(first);
  const waiting = records();
  const received: string[] = [];
  const receiver = createHttpServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
    const payloads = [JSON.parse(text)].flat() as { timestamp: string }[];
    received.push(...payloads.map(({ timestamp }) => timestamp));
    const answer = { status: 'ok', events_accepted: payloads.length };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  });
  const second = start(`http://127.0.0.1:${await listen(receiver)}`);
  await expect.poll(() => received.length, { timeout: 20_000 }).toBeGreaterThan(waiting.length);
  second.kill('SIGTERM');
  await ended(second);
  expect(received.slice(0, waiting.length)).toEqual(waiting);
  expect(received).toEqual([...new Set(received)].toSorted());
  expect(records()).toEqual([]);
  rmSync(folder, { recursive: true });
}, 60_000);
