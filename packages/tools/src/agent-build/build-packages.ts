import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PROCESSORS, type Processor } from './node-program.ts';
import { layOutDebian, layOutTarball, type PackageSources } from './package-files.ts';
import { runProgram } from './run-program.ts';

export interface PackageOptions extends PackageSources {
  version: string;
  processor: Processor;
  /** The level of xz, 0 to 9. */
  compression: string;
  /** A folder for intermediate files. */
  work: string;
  /** The folder of the packages. */
  out: string;
}

const OWNER = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name'];

/** Builds the tarball and the Debian package. Returns their paths. Needs tar, xz and dpkg-deb. */
export async function buildPackages(options: PackageOptions): Promise<string[]> {
  return [await buildTarball(options), await buildDebian(options)];
}

async function buildTarball(options: PackageOptions): Promise<string> {
  const { processor, compression, work, out } = options;
  const name = `tidewatch-agent-linux-${processor}`;
  rmSync(join(work, name), { recursive: true, force: true });
  layOutTarball(options, join(work, name));
  const path = join(out, `${name}.tar.xz`);
  await runProgram('tar', ['--create', '--xz', ...OWNER, '--file', path, '--directory', work, name], {
    XZ_OPT: `-${compression} -T1`,
  });
  return path;
}

async function buildDebian(options: PackageOptions): Promise<string> {
  const { root, processor, version, compression, work, out } = options;
  const architecture = PROCESSORS[processor];
  const folder = join(work, `debian-${processor}`);
  rmSync(folder, { recursive: true, force: true });
  layOutDebian(options, folder);
  const about = join(folder, 'DEBIAN');
  mkdirSync(about, { mode: 0o755 });
  const size = Number(
    (await runProgram('du', ['--summarize', '--apparent-size', '--block-size=1024', folder])).split('\t')[0],
  );
  writeFileSync(join(about, 'control'), controlOf(version, architecture, size));
  writeFileSync(join(about, 'conffiles'), '/etc/tidewatch-agent/config.yaml\n');
  for (const script of ['postinst', 'prerm', 'postrm']) {
    copyFileSync(join(root, 'deploy/agent', script), join(about, script));
    chmodSync(join(about, script), 0o755);
  }
  const path = join(out, `tidewatch-agent-linux-${processor}.deb`);
  await runProgram('dpkg-deb', ['--root-owner-group', '-Zxz', `-z${compression}`, '--build', folder, path]);
  return path;
}

function controlOf(version: string, architecture: string, kibibytes: number): string {
  return `Package: tidewatch-agent
Version: ${version}
Architecture: ${architecture}
Maintainer: Tidewatch <tidewatch@localhost>
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.28), libstdc++6 (>= 9), libgcc-s1, passwd
Recommends: systemd
Section: admin
Priority: optional
Description: reports this machine to Tidewatch
 Reads the machine, its processes and containers, and sends what it found to
 a Tidewatch server, which stores it and alerts on it.
`;
}

/** Writes the SHA-256 of each file, in the form of sha256sum. */
export function writeSums(files: readonly string[], path: string): void {
  const lines = files.map((file) => {
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
    return `${hash}  ${basename(file)}\n`;
  });
  writeFileSync(path, lines.sort((a, b) => a.slice(66).localeCompare(b.slice(66))).join(''));
}
