import { connect, type Socket } from 'node:net';

const COPY_DATA = 0x64;
const COPY_DONE = 0x63;
const COPY_FAIL = 0x66;

/** The driver's own settings, which it hands over with each connection that it opens. */
interface DriverOptions {
  host: string[];
  port: number[];
  path?: string | false;
  fetch_types: boolean;
  shared: { typeArrayMap: object };
}

/**
 * The socket of one connection of the driver.
 *
 * postgres.js never sets TCP_NODELAY, which costs a COPY some 40 ms on TCP. The socket is returned while it
 * still connects: an error then takes the driver's own path, where a rejected promise would leak its slot.
 */
export function openSocket(options: DriverOptions): Socket {
  // Array types are the pool's, so one connection asks for them. The driver lets a failure to ask go unhandled.
  if (Object.keys(options.shared.typeArrayMap).length > 0) options.fetch_types = false;
  const port = options.port[0] ?? 5432;
  const host = options.host[0] ?? '127.0.0.1';
  const socket = options.path ? connect(options.path) : connect(port, host);
  socket.setNoDelay(true);
  return closeLate(joinCopies(socket));
}

/**
 * The driver sends a COPY's data, its end, and then a failure that the server ignores, and each wakes the server.
 * Here data waits for its end, and the failure after an end is left out.
 */
function joinCopies(socket: Socket): Socket {
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
  return socket;
}

/**
 * A connection that closes while the driver has a write scheduled never writes again, even once it is open anew.
 * Told a turn of the loop later, it has no such write.
 */
function closeLate(socket: Socket): Socket {
  const emit = socket.emit.bind(socket) as (name: string | symbol, ...args: unknown[]) => boolean;
  const late = (name: string | symbol, ...args: unknown[]): boolean => {
    if (name !== 'close') return emit(name, ...args);
    setImmediate(() => emit(name, ...args));
    return true;
  };
  socket.emit = late as Socket['emit'];
  return socket;
}
