import { StartRefusedError } from '../process/run.ts';

/** The error of a server that cannot listen, with what to do about it; the system's error where that is unknown. */
export function listenRefusal(
  { host, port }: { host: string; port: number },
  settings: string,
  error: unknown,
): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EADDRINUSE: 'another program listens there',
    EACCES: 'this user may not listen there',
  };
  const reason = code && (reasons[code] ?? code);
  if (!reason) return error;
  return new StartRefusedError(`Cannot listen on ${host}:${port}: ${reason}. Choose another ${settings}.`);
}
