import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface Mail {
  to: string[];
  /** The received message, headers first. */
  raw: string;
  /** True if the connection was encrypted when the email arrived. */
  encrypted: boolean;
}

export interface SmtpReceiver {
  port: number;
  got: Mail[];
  close(): Promise<void>;
}

/** Starts a mail server on the loopback that records the emails it receives. */
export async function startSmtpReceiver(options: SMTPServerOptions = {}): Promise<SmtpReceiver> {
  const got: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 50,
    disabledCommands: options.key === undefined ? ['STARTTLS'] : [],
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        got.push({ to, raw: Buffer.concat(chunks).toString('utf8'), encrypted: session.secure });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    got,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** A header of a message, unfolded; undefined if the message does not have it. */
export function headerOf({ raw }: Mail, name: string): string | undefined {
  const [head = ''] = raw.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const line = lines.find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}: `));
  return line?.slice(name.length + 2);
}
