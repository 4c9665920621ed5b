import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createGrpcForwarding, type GrpcForwarding } from './forward-grpc.ts';

const opened: (() => unknown)[] = [];

afterEach(() => {
  for (const close of opened.splice(0)) close();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A gateway that answers what it gets, with its name before it. */
async function openGateway(name: string) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => socket.write(`${name}:${bytes}`));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const kill = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  opened.push(kill);
  return { url, kill };
}

/** A proxy in front of gateways, and what a client gets through it for a text. */
async function openProxy(urls: readonly string[]) {
  const forwarding: GrpcForwarding = createGrpcForwarding(urls);
  const port = await listen(forwarding.server);
  opened.push(forwarding.endConnections);
  const dial = () => {
    const client = connect(port, '127.0.0.1');
    client.on('error', () => undefined);
    opened.push(() => client.destroy());
    return client;
  };
  async function ask(text: string): Promise<string> {
    const client = dial();
    client.write(text);
    const [answer] = (await Promise.race([once(client, 'data'), once(client, 'close')])) as [unknown];
    client.destroy();
    return String(answer);
  }
  return { ask, dial, forwarding };
}

it('gives a client the same gateway for all of its connections', async () => {
  const gateways = await Promise.all(['a', 'b', 'c'].map(openGateway));
  const { ask } = await openProxy(gateways.map(({ url }) => url));
  const first = await ask('1');
  const name = first.slice(0, 1);
  expect([first, await ask('2'), await ask('3')]).toEqual([`${name}:1`, `${name}:2`, `${name}:3`]);
});

it('ends the connection of a gateway that is killed, and gives the client another gateway', async () => {
  const gateways = { a: await openGateway('a'), b: await openGateway('b') };
  const { ask, dial } = await openProxy(Object.values(gateways).map(({ url }) => url));
  const client = dial();
  client.write('1');
  const [answer] = (await once(client, 'data')) as [Buffer];
  const name = `${answer}`.slice(0, 1) as 'a' | 'b';
  const closed = once(client, 'close');
  gateways[name].kill();
  await closed;
  expect(await ask('2')).toBe(`${name === 'a' ? 'b' : 'a'}:2`);
});

it('ends the connection of a client where no gateway accepts connections', async () => {
  const gateway = await openGateway('a');
  gateway.kill();
  const { ask } = await openProxy([gateway.url]);
  expect(await ask('1')).toBe('false');
});
