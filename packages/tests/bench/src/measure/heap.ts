import { setTimeout as sleep } from 'node:timers/promises';

/** The memory of a process right after a full garbage collection, bytes. */
export interface HeapUse {
  /** Objects. */
  used: number;
  /** The memory of typed arrays and buffers, which is outside of the heap. */
  backing: number;
}

const LISTENING = /Debugger listening on (ws:\/\/\S+)/g;
const WITHIN_MS = 10_000;
/** The number of collections before a measurement: finalizers of the first release garbage for the second. */
const COLLECTIONS = 2;

/** The setting with which a process chooses a free port for its inspector when asked to open it. */
export const INSPECTED = { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' };

/**
 * Measures the memory of a Node process that was started with `INSPECTED`. At SIGUSR1 the process opens its inspector
 * and prints the address on its standard error, which `log` returns.
 */
export async function readHeap(pid: number, log: () => string): Promise<HeapUse> {
  process.kill(pid, 'SIGUSR1');
  const deadline = performance.now() + WITHIN_MS;
  let socket = await openInspector(log());
  for (; socket === null && performance.now() < deadline; socket = await openInspector(log()))
    await sleep(50);
  if (socket === null) throw new Error(`process ${pid} did not open its inspector`);
  try {
    for (let round = 0; round < COLLECTIONS; round += 1) await call(socket, 'HeapProfiler.collectGarbage');
    const usage = await call(socket, 'Runtime.getHeapUsage');
    return { used: usage.usedSize ?? 0, backing: usage.backingStorageSize ?? 0 };
  } finally {
    socket.close();
  }
}

/** Connects to the inspector whose address the log names last; null if there is none yet, or if its process has ended. */
async function openInspector(log: string): Promise<WebSocket | null> {
  const address = [...log.matchAll(LISTENING)].at(-1)?.[1];
  if (address === undefined) return null;
  const socket = new WebSocket(address);
  return new Promise((resolve) => {
    socket.addEventListener('open', () => resolve(socket), { once: true });
    socket.addEventListener('error', () => resolve(null), { once: true });
  });
}

let calls = 0;

function call(socket: WebSocket, method: string): Promise<Record<string, number>> {
  calls += 1;
  const id = calls;
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`the connection to the inspector was closed during ${method}`));
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
