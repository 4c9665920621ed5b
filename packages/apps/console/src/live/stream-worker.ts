import type { StreamMessage, StreamRequest } from './stream-message.ts';
import { createStreamReader } from './stream-reader.ts';

/** What this script uses of its scope: the library of workers does not go together with that of pages. */
interface WorkerScope {
  onconnect: (event: MessageEvent) => void;
}

/** One stream for all pages of this origin in one browser. It ends with the last page. */
const ports = new Set<MessagePort>();

const reader = createStreamReader(location.origin, (message) => {
  for (const port of ports) port.postMessage(message);
});

const requests: Readonly<Record<StreamRequest, (port: MessagePort) => void>> = {
  start: reader.start,
  retry: reader.retry,
  leave(port) {
    ports.delete(port);
    if (ports.size === 0) reader.stop();
  },
};

(globalThis as unknown as WorkerScope).onconnect = ({ ports: [port] }) => {
  if (port === undefined) return;
  ports.add(port);
  port.onmessage = ({ data }: MessageEvent<StreamRequest>) => requests[data](port);
  reader.start();
  port.postMessage({ kind: 'state', state: reader.state() } satisfies StreamMessage);
};
