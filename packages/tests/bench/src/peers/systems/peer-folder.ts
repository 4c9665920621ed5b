import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder for a peer's data and configuration. */
export function makePeerFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tidewatch-peer-'));
}

export function removePeerFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Remote write 1.0, which Prometheus and VictoriaMetrics take. */
export const REMOTE_WRITE = {
  path: '/api/v1/write',
  headers: {
    'content-type': 'application/x-protobuf',
    'content-encoding': 'snappy',
    'x-prometheus-remote-write-version': '0.1.0',
  },
};
