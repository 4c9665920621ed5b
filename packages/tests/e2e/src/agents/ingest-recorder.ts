import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** One request of an agent. */
export interface RecordedRequest {
  /** When it had arrived, ms since the epoch. */
  at: number;
  /** The times of its payloads, ms since the epoch, in their order. */
  times: number[];
}

/** A proxy in front of the service that records what an agent sends. */
export interface IngestRecorder {
  url: string;
  requests(): readonly RecordedRequest[];
  /** Ends the connection of the next request without an answer, after the service has answered. */
  loseAnswer(): void;
  close(): Promise<void>;
}

/** Starts it on a free port of the loopback interface. */
export async function startIngestRecorder(url: string): Promise<IngestRecorder> {
  const requests: RecordedRequest[] = [];
  let isLosing = false;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const at = Date.now();
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(`${url}${request.url}`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body,
    });
    const text = await answer.text();
    const isLost = isLosing;
    isLosing = false;
    requests.push({ at, times: timesOf(body, headers['content-encoding'] === 'gzip') });
    if (isLost) request.socket.destroy();
    else response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    loseAnswer() {
      isLosing = true;
    },
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

function timesOf(body: Buffer, isCompressed: boolean): number[] {
  const payloads = [JSON.parse((isCompressed ? gunzipSync(body) : body).toString())].flat();
  return payloads.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp));
}
