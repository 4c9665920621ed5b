import { connect, createServer, type Socket } from 'node:net';

/** Where a connection is cut: before the server hears of the COMMIT, while it works on it, or before the client hears that it was done. */
export type Cut = 'before_commit' | 'during_commit' | 'after_commit';

/** A TCP proxy before PostgreSQL that loses one COMMIT, or its answer, when told to. */
export interface CuttingProxy {
  /** The same address by way of the proxy. */
  url: string;
  /** The next COMMIT is lost; resolves once it was. */
  cut(where: Cut): Promise<void>;
  close(): Promise<void>;
}

const QUERY = 'Q'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);
const COMPLETE = 'C'.charCodeAt(0);

/** Calls `look` with each whole message of a stream: its kind and its body. */
function readMessages(look: (kind: number, body: Buffer) => void, startup: boolean): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let untyped = startup;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = untyped ? 0 : 1;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      if (!untyped) look(rest[0] as number, rest.subarray(5, end));
      untyped = false;
      rest = rest.subarray(end);
    }
  };
}

function textAt(body: Buffer, from: number): [text: string, end: number] {
  const end = body.indexOf(0, from);
  return [body.toString('utf8', from, end), end + 1];
}

/** Whether a message of the client runs the statement `commit`, by itself or as it was prepared on the connection. */
function createCommitFinder(): (kind: number, body: Buffer) => boolean {
  const names = new Set<string>();
  return (kind, body) => {
    if (kind === QUERY) return textAt(body, 0)[0] === 'commit';
    const [first, after] = kind === PARSE || kind === BIND ? textAt(body, 0) : ['', 0];
    if (kind === PARSE && textAt(body, after)[0] === 'commit') names.add(first);
    return kind === BIND && names.has(textAt(body, after)[0]);
  };
}

export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let armed: { where: Cut; done: () => void } | null = null;

  function fire(pair: readonly Socket[]): void {
    for (const socket of pair) socket.destroy();
    armed?.done();
    armed = null;
  }

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const pair = [client, upstream];
    for (const socket of pair) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        for (const other of pair) other.destroy();
      });
    }
    const commits = createCommitFinder();
    let committing = false;
    const fromClient = readMessages((kind, body) => {
      if (!commits(kind, body)) return;
      committing = true;
      if (armed?.where === 'before_commit') fire(pair);
    }, true);
    const fromServer = readMessages((kind, body) => {
      if (kind === COMPLETE && textAt(body, 0)[0] === 'COMMIT' && armed?.where === 'after_commit') fire(pair);
    }, false);
    client.on('data', (bytes) => {
      committing = false;
      fromClient(bytes);
      const during = committing && armed?.where === 'during_commit';
      if (!upstream.destroyed) upstream.write(bytes, () => during && fire(pair));
    });
    upstream.on('data', (bytes) => {
      fromServer(bytes);
      if (!client.destroyed) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    url: url.href,
    cut: (where) => new Promise((done) => (armed = { where, done })),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
