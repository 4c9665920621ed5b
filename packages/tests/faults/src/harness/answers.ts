import { type Passage, startTcpProxy } from '@tidewatch/harness/tcp-proxy';

/** A proxy between clients and a gateway that can lose a response. */
export interface Answers {
  url: string;
  /** Loses the next response that accepts payloads, with its connection; resolves once that has happened. */
  lose(): Promise<void>;
  close(): Promise<void>;
}

export async function startAnswerProxy(gatewayUrl: string): Promise<Answers> {
  const { hostname, port } = new URL(gatewayUrl);
  let armed: (() => void) | null = null;
  const proxy = await startTcpProxy({
    host: hostname,
    port: Number(port),
    watch: (cut) => ({
      fromServer(bytes: Buffer): Passage {
        if (armed === null || !bytes.toString('latin1', 0, 15).startsWith('HTTP/1.1 200')) return undefined;
        cut();
        armed();
        armed = null;
        return undefined;
      },
    }),
  });
  return {
    url: `http://127.0.0.1:${proxy.port}`,
    lose: () =>
      new Promise((resolve) => {
        armed = resolve;
      }),
    close: proxy.close,
  };
}
