/** Types of the package on-headers, which has none. */
declare module 'on-headers' {
  import type { ServerResponse } from 'node:http';

  /** Calls the listener just before the headers are written; the one that was added last is called first. */
  export default function onHeaders(response: ServerResponse, listener: () => void): void;
}
