import { linkSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AGENT_RELEASE_FILE, type AgentRelease } from '@tidewatch/contracts/agent/agent-release';
import { type DownloadSource, downloadExecutable, downloadText } from './download.ts';
import { CONFIRM_WITHIN_MS, refusedVersion, settleUpdate, writePending } from './pending-update.ts';
import { RefusedUpdateError } from './refused-update.ts';
import { compareVersions, readRelease } from './release-check.ts';

export interface UpdateOptions {
  source: DownloadSource;
  /** The path of the executable that is replaced. */
  executable: string;
  /** The version that runs. */
  version: string;
  /** System and processor, such as `linux-x64`. */
  target: string;
  /** The public key (SPKI, DER in base64); undefined where the executable has none. */
  publicKey: string | undefined;
  bufferDirectory: string | null;
  /** Replaces also what a package manager owns, and by a version that was rolled back. */
  force: boolean;
  allowDowngrade: boolean;
  host: UpdateHost;
}

/** What an update needs of the machine. */
export interface UpdateHost {
  /** Current time, ms since the epoch. */
  clock(): number;
  /** Whether a package manager owns the file. */
  isPackaged(path: string): Promise<boolean>;
  /** Runs an executable of the agent with the settings of this one. Returns its exit code and what it printed. */
  run(executable: string, command: '--version' | 'check'): Promise<{ code: number; output: string }>;
  /** Restarts the agent; false where it does not run as a unit of systemd. */
  restart(): Promise<boolean>;
  print(line: string): void;
}

const POLL_INTERVAL_MS = 1_000;

/**
 * Updates the agent to the version that the service serves, if there is a newer one: verifies it, tries it, puts it in place of
 * the executable, restarts the agent, and rolls back unless the new version sends a payload within five minutes. Throws a
 * RefusedUpdateError.
 */
export async function updateAgent(options: UpdateOptions): Promise<void> {
  const { source, executable, version, host } = options;
  const { publicKey, bufferDirectory } = await assertUpdatable(options);
  if (settleUpdate(executable, bufferDirectory, host.clock(), false) === 'pending')
    throw new RefusedUpdateError('another update is being tried at present');
  const release = readRelease(await downloadText(source, AGENT_RELEASE_FILE), publicKey);
  if (release.version === version) return host.print(`Version ${version} is the one that is served.`);
  const file = chooseFile(release, options);
  const next = `${executable}.new`;
  rmSync(next, { force: true });
  await downloadExecutable(source, file, next);
  try {
    await tryNext(next, release.version, host);
    putInPlace(executable, next, { version: release.version, since: host.clock(), starts: 0 });
  } finally {
    rmSync(next, { force: true });
  }
  host.print(
    `Version ${release.version} is in place of ${version}, which is kept as ${executable}.previous.`,
  );
  if (!(await host.restart()))
    return host.print('The agent does not run as a unit of systemd: restart it to use the new version.');
  await awaitSettled(options, bufferDirectory, release.version);
}

async function assertUpdatable({ executable, publicKey, bufferDirectory, force, host }: UpdateOptions) {
  if (publicKey === undefined)
    throw new RefusedUpdateError(
      'this agent has no key to verify updates with: build it by "npm run build:agent -- --signing-key FILE"',
    );
  if (bufferDirectory === null)
    throw new RefusedUpdateError(
      'name the folder of the buffer by --buffer-dir: the agent records there that it has sent, by which an update is kept or rolled back',
    );
  if (!force && (await host.isPackaged(executable)))
    throw new RefusedUpdateError(
      `${executable} belongs to a package of dpkg: install the package of the new version, as install.sh does, or give --force`,
    );
  return { publicKey, bufferDirectory };
}

function chooseFile(release: AgentRelease, options: UpdateOptions): AgentRelease['files'][number] {
  const { version, target, executable, force, allowDowngrade } = options;
  if (compareVersions(release.version, version) < 0 && !allowDowngrade)
    throw new RefusedUpdateError(
      `the served version ${release.version} is older than ${version}: give --allow-downgrade to install it`,
    );
  if (refusedVersion(executable) === release.version && !force)
    throw new RefusedUpdateError(
      `version ${release.version} was rolled back here before: give --force to try it again`,
    );
  const name = `tidewatch-agent-${target}.zst`;
  const file = release.files.find((each) => each.name === name);
  if (file === undefined)
    throw new RefusedUpdateError(`version ${release.version} is not served for ${target}`);
  return file;
}

/** Runs the new executable before it is used. */
async function tryNext(next: string, version: string, host: UpdateHost): Promise<void> {
  const printed = await host.run(next, '--version');
  if (printed.code !== 0 || printed.output.trim() !== `tidewatch-agent ${version}`)
    throw new RefusedUpdateError(
      `the new executable does not start: --version ended with ${printed.code}: ${printed.output.slice(0, 500)}`,
    );
  const checked = await host.run(next, 'check');
  if (checked.code !== 0)
    throw new RefusedUpdateError(
      `the new version cannot report from here: ${checked.output.slice(0, 2_000)}`,
    );
}

function putInPlace(executable: string, next: string, update: Parameters<typeof writePending>[1]): void {
  const kept = `${executable}.previous`;
  rmSync(`${kept}.new`, { force: true });
  linkSync(executable, `${kept}.new`);
  renameSync(`${kept}.new`, kept);
  writePending(executable, update);
  renameSync(next, executable);
}

/** Waits until the new version has sent a payload or is rolled back. */
async function awaitSettled(options: UpdateOptions, bufferDirectory: string, version: string): Promise<void> {
  const { executable, host } = options;
  const until = host.clock() + CONFIRM_WITHIN_MS + 10 * POLL_INTERVAL_MS;
  while (host.clock() < until) {
    const settled = settleUpdate(executable, bufferDirectory, host.clock(), false);
    if (settled === 'confirmed')
      return host.print(`Version ${version} has sent a payload: the update is complete.`);
    // "none": the start of the agent has settled it meanwhile.
    if (settled === 'none' && refusedVersion(executable) !== version)
      return host.print(`Version ${version} has sent a payload: the update is complete.`);
    if (settled === 'rolled back') await host.restart();
    if (settled !== 'pending')
      throw new RefusedUpdateError(
        `version ${version} did not send a payload and was rolled back: see the log of the agent`,
      );
    await sleep(POLL_INTERVAL_MS);
  }
}
