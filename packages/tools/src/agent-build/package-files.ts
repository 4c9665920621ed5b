import { chmodSync, copyFileSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface PackageSources {
  root: string;
  /** The path of the executable. */
  executable: string;
  /** The text of the licences of what the executable contains. */
  licences: string;
}

const UNITS = ['tidewatch-agent.service', 'tidewatch-agent-key.path', 'tidewatch-agent-key.service'];
/** Not part of the Debian package, whose executable dpkg replaces. */
const UPDATE_UNITS = ['tidewatch-agent-update.service', 'tidewatch-agent-update.timer'];

/** Lays out the files of the tarball in `folder`: the executable, and what an installation by hand needs. */
export function layOutTarball({ root, executable, licences }: PackageSources, folder: string): void {
  const deploy = join(root, 'deploy/agent');
  place(executable, join(folder, 'tidewatch-agent'), 0o755);
  place(join(deploy, 'config.yaml'), join(folder, 'config.yaml'), 0o644);
  for (const unit of [...UNITS, ...UPDATE_UNITS]) place(join(deploy, unit), join(folder, unit), 0o644);
  place(join(deploy, 'tidewatch-agent.8'), join(folder, 'tidewatch-agent.8'), 0o644);
  place(join(root, 'LICENSE'), join(folder, 'LICENSE'), 0o644);
  write(join(folder, 'THIRD-PARTY-LICENSES'), licences, 0o644);
}

/** Lays out the files for a system without packages of ours in `folder`: the executable and the licences. */
export function layOutPortable(
  { root, executable, licences }: PackageSources,
  folder: string,
  suffix: string,
): void {
  place(executable, join(folder, `tidewatch-agent${suffix}`), 0o755);
  place(join(root, 'LICENSE'), join(folder, 'LICENSE'), 0o644);
  write(join(folder, 'THIRD-PARTY-LICENSES'), licences, 0o644);
}

/** Lays out the files of the Debian package in `folder`, without those that describe the package. */
export function layOutDebian({ root, executable, licences }: PackageSources, folder: string): void {
  const deploy = join(root, 'deploy/agent');
  const documents = join(folder, 'usr/share/doc/tidewatch-agent');
  place(executable, join(folder, 'usr/bin/tidewatch-agent'), 0o755);
  place(join(deploy, 'config.yaml'), join(folder, 'etc/tidewatch-agent/config.yaml'), 0o644);
  for (const unit of UNITS) place(join(deploy, unit), join(folder, 'usr/lib/systemd/system', unit), 0o644);
  const page = gzipSync(readFileSync(join(deploy, 'tidewatch-agent.8')), { level: 9 });
  write(join(folder, 'usr/share/man/man8/tidewatch-agent.8.gz'), page, 0o644);
  const own = readFileSync(join(root, 'LICENSE'), 'utf8');
  write(join(documents, 'copyright'), `Tidewatch\n\n${own}\n\n${licences}`, 0o644);
  place(join(deploy, 'config.yaml'), join(documents, 'examples/config.yaml'), 0o644);
}

function place(from: string, to: string, mode: number): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
  // The executable is large, and packages only read it.
  if (mode === 0o755) linkSync(from, to);
  else copyFileSync(from, to);
  chmodSync(to, mode);
}

function write(path: string, content: string | Uint8Array, mode: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  writeFileSync(path, content);
  chmodSync(path, mode);
}
