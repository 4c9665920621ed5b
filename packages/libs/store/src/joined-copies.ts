import type { Socket } from 'node:net';

const COPY_DATA = 0x64;
const COPY_DONE = 0x63;
const COPY_FAIL = 0x66;

/**
 * The driver sends a COPY's data, its end, and then a failure that the server ignores, and each wakes the server.
 * Here data waits for its end, and the failure after an end is left out.
 */
export function joinCopies(socket: Socket): void {
  const write = socket.write.bind(socket) as (bytes: Uint8Array, callback?: () => void) => boolean;
  let held = false;
  let ended = false;
  const join = (bytes: Uint8Array, callback?: () => void): boolean => {
    const kind = bytes[0];
    if (kind === COPY_DATA) {
      if (!held) socket.cork();
      held = true;
      ended = false;
      write(bytes);
      if (callback !== undefined) process.nextTick(callback);
      return true;
    }
    if (kind === COPY_FAIL && ended) {
      ended = false;
      return true;
    }
    ended = kind === COPY_DONE;
    const flowing = write(bytes, callback);
    if (held) socket.uncork();
    held = false;
    return flowing;
  };
  socket.write = join as Socket['write'];
}
