import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const PUBLISHED_WITHIN_MS = 120_000;

/** The result of a dry run of `npm publish`. */
export interface Attempt {
  status: number | null;
  stderr: string;
  /** The requests that npm sent to its registry: method and path, in order. */
  asked: string[];
}

/**
 * Runs `npm publish --dry-run` for the tarball in `folder`. The registry is a server of this process without any versions,
 * so that the result does not depend on the public registry.
 */
export async function tryToPublish(folder: string, tarball: string): Promise<Attempt> {
  const asked: string[] = [];
  const registry = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  try {
    const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    const npm = spawn('npm', ['publish', '--dry-run', '--json', '--registry', address, tarball], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
      timeout: PUBLISHED_WITHIN_MS,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve, reject) =>
      npm.on('exit', resolve).on('error', reject),
    );
    const [status, stderr] = await Promise.all([ended, text(npm.stderr)]);
    return { status, stderr, asked };
  } finally {
    registry.closeAllConnections();
    registry.close();
  }
}
