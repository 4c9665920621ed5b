import { setTimeout as sleep } from 'node:timers/promises';

/** What a process keeps, right after it has collected what it no longer needs; bytes. */
export interface HeapUse {
  /** Objects. */
  used: number;
  /** Memory that typed arrays and buffers hold beside them. */
  backing: number;
}

const LISTENING = /Debugger listening on (ws:\/\/\S+)/g;
const WITHIN_MS = 10_000;
/** What only a second collection finds: finalizers of the first let go of it. */
const COLLECTIONS = 2;

/** The setting that lets a process choose a port for its inspector once it is asked for one. */
export const INSPECTED = { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' };

/**
 * Asks a Node process, started with `INSPECTED`, for what it keeps. By SIGUSR1 it opens its inspector and says where on its
 * standard error, which `log` answers.
 */
export async function readHeap(pid: number, log: () => string): Promise<HeapUse> {
  process.kill(pid, 'SIGUSR1');
  const deadline = performance.now() + WITHIN_MS;
  let address = lastAddress(log());
  for (; address === undefined && performance.now() < deadline; address = lastAddress(log())) await sleep(50);
  if (address === undefined) throw new Error(`process ${pid} did not open its inspector`);
  const socket = new WebSocket(address);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true });
      socket.addEventListener('error', () => reject(new Error(`no inspector at ${address}`)), { once: true });
    });
    for (let round = 0; round < COLLECTIONS; round += 1) await call(socket, 'HeapProfiler.collectGarbage');
    const usage = await call(socket, 'Runtime.getHeapUsage');
    return { used: usage.usedSize ?? 0, backing: usage.backingStorageSize ?? 0 };
  } finally {
    socket.close();
  }
}

/** A process that was started again speaks last. */
function lastAddress(log: string): string | undefined {
  return [...log.matchAll(LISTENING)].at(-1)?.[1];
}

let calls = 0;

function call(socket: WebSocket, method: string): Promise<Record<string, number>> {
  calls += 1;
  const id = calls;
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`the inspector went away during ${method}`));
    socket.addEventListener('close', ended, { once: true });
    socket.addEventListener('message', function take({ data }: { data: string }) {
      const answer = JSON.parse(data) as {
        id?: number;
        result?: Record<string, number>;
        error?: { message: string };
      };
      if (answer.id !== id) return;
      socket.removeEventListener('message', take);
      socket.removeEventListener('close', ended);
      if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
      else resolve(answer.result ?? {});
    });
    socket.send(JSON.stringify({ id, method }));
  });
}
