import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { layOutDebian, layOutPortable, layOutTarball, type PackageSources } from './package-files.ts';
import { runProgram } from './run-program.ts';
import type { PlannedBuild } from './targets.ts';

export interface PackageOptions extends PackageSources {
  version: string;
  build: PlannedBuild;
  /** The level of xz, 0 to 9. */
  compression: string;
  /** A folder for intermediate files. */
  work: string;
  /** The folder of the packages. */
  out: string;
}

/** The characters of a sum and of the blanks behind it. */
const SUM_WIDTH = 66;
const OWNER = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name'];

/** Builds the tarball, and for Linux the Debian package. Returns their paths. Needs tar, and for Linux xz and dpkg-deb. */
export async function buildPackages(options: PackageOptions): Promise<string[]> {
  const { debian } = options.build;
  if (debian === null) return [await buildTarball(options, 'gz')];
  return [await buildTarball(options, 'xz'), await buildDebian(options, debian)];
}

/** macOS and every Windows 10 unpack gzip alone. */
async function buildTarball(options: PackageOptions, kind: 'xz' | 'gz'): Promise<string> {
  const { build, compression, work, out } = options;
  const { name } = build;
  rmSync(join(work, name), { recursive: true, force: true });
  if (kind === 'xz') layOutTarball(options, join(work, name));
  else layOutPortable(options, join(work, name), build.suffix);
  const path = join(out, `${name}.tar.${kind}`);
  const compress = kind === 'xz' ? '--xz' : '--gzip';
  await runProgram('tar', ['--create', compress, ...OWNER, '--file', path, '--directory', work, name], {
    XZ_OPT: `-${compression} -T1`,
    GZIP: `-${Math.max(1, Number(compression))}`,
  });
  return path;
}

async function buildDebian(options: PackageOptions, architecture: string): Promise<string> {
  const { root, build, version, compression, work, out } = options;
  const folder = join(work, `debian-${architecture}`);
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
  const path = join(out, `${build.name}.deb`);
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

/**
 * Writes the SHA-256 of each file, in the form of sha256sum, and of the files of other builds that are in `out` with the sums that
 * its SHA256SUMS has.
 */
export function writeSums(files: readonly string[], path: string, out: string): void {
  const names = new Set(files.map((file) => basename(file)));
  const former = join(out, 'SHA256SUMS');
  const others = (existsSync(former) ? readFileSync(former, 'utf8').split(/(?<=\n)/) : []).filter((line) => {
    const name = line.slice(SUM_WIDTH).trim();
    return name !== '' && !names.has(name) && existsSync(join(out, name));
  });
  const lines = files.map((file) => {
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
    return `${hash}  ${basename(file)}\n`;
  });
  const sorted = [...others, ...lines].sort((a, b) => a.slice(SUM_WIDTH).localeCompare(b.slice(SUM_WIDTH)));
  writeFileSync(path, sorted.join(''));
}
