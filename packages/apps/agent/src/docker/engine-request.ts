import { request } from 'node:http';

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Asks a container engine over its socket. Rejects with the code of the system, such as ENOENT, if it cannot be reached. */
export function askEngine<T>(socketPath: string, path: string, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path, signal }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > MAX_ANSWER_BYTES) outgoing.destroy(new Error("Docker's answer is larger than 16 MiB"));
        else chunks.push(chunk);
      });
      response.on('end', () => {
        try {
          if (response.statusCode !== 200) throw new Error(`Docker answered ${response.statusCode}`);
          resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as T);
        } catch (error) {
          reject(error);
        }
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
