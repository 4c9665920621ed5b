import { createHash } from 'node:crypto';
import { win32 } from 'node:path';

/**
 * The named pipe by which an agent on Windows holds a folder: Windows has no sockets in folders that Node can listen on. It is the
 * same for each way to write the path of a folder; `from` is the folder of a relative one.
 */
export function pipeOf(folder: string, from: string): string {
  const path = win32.resolve(from, folder).toLowerCase();
  return `\\\\.\\pipe\\tidewatch-agent-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;
}
