import { connect, type Socket } from 'node:net';
import { watchAnswers } from './answer-watch.ts';
import { joinCopies } from './joined-copies.ts';

/** Where the driver wants to connect to. */
export interface SocketTarget {
  host: string[];
  port: number[];
  path?: string | false;
}

/**
 * A socket for the driver, still connecting, so that an error takes the driver's own path. postgres.js never sets
 * TCP_NODELAY, which costs a COPY some 40 ms on TCP. A server that owes an answer for `answerWithinMs` is given up;
 * 0 waits for ever.
 */
export function openSocket(target: SocketTarget, answerWithinMs: number): Socket {
  const host = target.host[0] ?? '127.0.0.1';
  const socket = target.path ? connect(target.path) : connect(target.port[0] ?? 5432, host);
  socket.setNoDelay(true);
  joinCopies(socket);
  failAndCloseAtOnce(socket);
  if (answerWithinMs > 0) watchAnswers(socket, answerWithinMs);
  return socket;
}

/**
 * A statement sent between a connection's error and its close is never answered by postgres.js 3.4.9, so once it is
 * connected it learns of both in one turn. That is a turn later, since a connection that closes while the driver has a
 * write scheduled never writes again, even once it is open anew.
 */
function failAndCloseAtOnce(socket: Socket): void {
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean;
  let connected = false;
  let failure: unknown;
  socket.once('connect', () => {
    connected = true;
  });
  socket.emit = (event: string | symbol, ...args: unknown[]) => {
    if (event === 'error' && connected) {
      failure ??= args[0];
      return true;
    }
    if (event !== 'close') return emit(event, ...args);
    setImmediate(() => {
      if (failure !== undefined) emit('error', failure);
      emit('close', false);
    });
    return true;
  };
}
