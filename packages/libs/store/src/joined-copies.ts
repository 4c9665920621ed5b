import type { Socket } from 'node:net';

const COPY_DATA = 0x64;
const COPY_DONE = 0x63;
const COPY_FAIL = 0x66;

/** Data beyond this is sent as it comes, so that a server that does not take it holds the sender up, bytes. */
const MAX_HELD = 256 * 1024;

/**
 * The driver sends a COPY's data, its end, and then a failure that the server ignores, and each wakes the server.
 * Here a little data waits for its end, and the failure after an end is left out.
 */
export function joinCopies(socket: Socket): void {
  const write = socket.write.bind(socket) as (bytes: Uint8Array, callback?: () => void) => boolean;
  let held = 0;
  let ended = false;

  function release(): void {
    if (held > 0) socket.uncork();
    held = 0;
  }

  const join = (bytes: Uint8Array, callback?: () => void): boolean => {
    const kind = bytes[0];
    if (kind === COPY_FAIL && ended) {
      ended = false;
      return true;
    }
    ended = kind === COPY_DONE;
    if (kind === COPY_DATA && held + bytes.length <= MAX_HELD) {
      if (held === 0) socket.cork();
      held += bytes.length;
      write(bytes);
      if (callback !== undefined) process.nextTick(callback);
      return true;
    }
    const flowing = write(bytes, callback);
    release();
    return flowing;
  };
  socket.write = join as Socket['write'];
}
