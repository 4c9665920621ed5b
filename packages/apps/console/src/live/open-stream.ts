import type { StreamMessage, StreamRequest } from './stream-message.ts';
import { createStreamReader } from './stream-reader.ts';
import { startStreamWorker } from './worker-policy.ts';

/** A page that is hidden for longer closes a stream of its own, ms. */
const MAX_HIDDEN_MS = 30_000;

/** The stream as a page sees it; a shared worker reads it, or the page itself. */
export interface Stream {
  start(): void;
  retry(): void;
}

/** Opens the stream of this browser: through the shared worker, or in this page where there are no shared workers. */
export function openStream(receive: (message: StreamMessage) => void): Stream {
  const worker = workerOrNull();
  return worker === null ? ownStream(receive) : streamOf(worker.port, receive);
}

function workerOrNull(): SharedWorker | null {
  if (typeof SharedWorker === 'undefined') return null;
  try {
    return startStreamWorker();
  } catch {
    // A browser may forbid workers, as in a private window.
    return null;
  }
}

function streamOf(port: MessagePort, receive: (message: StreamMessage) => void): Stream {
  const ask = (request: StreamRequest) => port.postMessage(request);
  port.onmessage = ({ data }: MessageEvent<StreamMessage>) => receive(data);
  // A page that comes back from the cache of the browser has lost its place with the worker.
  addEventListener('pagehide', () => ask('leave'));
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  return { start: () => ask('start'), retry: () => ask('retry') };
}

function ownStream(receive: (message: StreamMessage) => void): Stream {
  const reader = createStreamReader(location.origin, receive);
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(reader.stop, MAX_HIDDEN_MS);
    else reader.start();
  });
  if (!document.hidden) reader.start();
  return { start: reader.start, retry: reader.retry };
}
