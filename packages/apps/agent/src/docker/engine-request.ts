import { exchange } from '../http/exchange.ts';

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Asks a container engine over its socket. Rejects with the code of the system, such as ENOENT, if it cannot be reached. */
export async function askEngine<T>(socketPath: string, path: string, signal: AbortSignal): Promise<T> {
  const url = new URL(`http://localhost${path}`);
  const { status, body } = await exchange(url, { socketPath, signal, maxBytes: MAX_ANSWER_BYTES });
  if (status !== 200) throw new Error(`Docker answered ${status}`);
  return JSON.parse(body) as T;
}
