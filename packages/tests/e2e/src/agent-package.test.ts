import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderForFile } from '@tidewatch/harness/opened';
import { recordPart } from '@tidewatch/harness/parts/report';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { uniqueName } from './client.ts';
import { openProduct } from './scenario.ts';

/** A bare Debian with curl and without Node, which .ci/install-parts makes by debootstrap. */
const DEBIAN = process.env.TIDEWATCH_TEST_DEBIAN_ROOT ?? '/var/cache/tidewatch/bookworm';
const CHECKOUT = fileURLToPath(new URL('../../../../', import.meta.url));
const BUILD = join(CHECKOUT, 'packages/tools/src/agent-build/main.ts');
const CONFIG = '--config /etc/tidewatch-agent/config.yaml --key-file /etc/tidewatch-agent/key';

/** Why the agent cannot be installed here; undefined if it can. */
function findLack(): string | undefined {
  if (inject('stack') !== undefined) return 'it is tested in one process alone, since it is built for that';
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return 'chroot needs Linux and root';
  if (!existsSync(join(DEBIAN, 'usr/bin/curl'))) return `${DEBIAN} has no Debian: run .ci/install-parts`;
  const programs = ['tar', 'xz', 'dpkg-deb', 'unshare'];
  const missing = programs.filter(
    (name) => !['/usr/bin', '/bin'].some((path) => existsSync(join(path, name))),
  );
  return missing.length > 0 ? `${missing.join(', ')} not installed` : undefined;
}

const lack = findLack();
if (inject('stack') === undefined)
  recordPart({ name: 'Debian root', state: lack === undefined ? 'given' : 'lacked', detail: lack ?? DEBIAN });

interface Ended {
  code: number;
  output: string;
}

function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH ?? '', ...env }, timeout: 180_000, maxBuffer: 2 ** 26 };
    execFile(program, [...args], options, (error, stdout, stderr) => {
      resolve({
        code: typeof error?.code === 'number' ? error.code : error ? -1 : 0,
        output: stdout + stderr,
      });
    });
  });
}

describe.skipIf(lack !== undefined)(
  '[needs a Debian root] the agent, installed by the one line',
  async () => {
    const folder = folderForFile();
    const downloads = join(folder, 'downloads');
    const root = join(folder, 'root');
    const { product, client } =
      lack === undefined ? await openProduct({ TIDEWATCH_DOWNLOADS_DIR: downloads }) : ({} as never);
    const debianPackage = join(downloads, `tidewatch-agent-linux-${process.arch}.deb`);

    /** Runs a command in the bare root, with a /proc that goes away with the command. */
    const inRoot = (command: string, env: Record<string, string> = {}) =>
      run(
        'unshare',
        [
          '--mount',
          'sh',
          '-c',
          'mount -t proc proc "$1/proc" && exec chroot "$1" sh -c "$2"',
          'sh',
          root,
          command,
        ],
        env,
      );
    const install = (host: string, key: string) =>
      inRoot(`curl -fsSL ${product.url}/install.sh | sh -s -- --url ${product.url} --host ${host}`, {
        TIDEWATCH_API_KEY: key,
      });

    beforeAll(async () => {
      const arguments_ = [BUILD, '--compression', '0', '--out', downloads];
      const [built, copied] = await Promise.all([
        run(process.execPath, arguments_),
        run('cp', ['--archive', DEBIAN, root]),
      ]);
      expect(built, built.output).toMatchObject({ code: 0 });
      expect(copied, copied.output).toMatchObject({ code: 0 });
    }, 180_000);

    test('the package has the executable, the unit, an example of the settings and the man page', async () => {
      const { output } = await run('dpkg-deb', ['--contents', debianPackage]);
      for (const path of [
        '/usr/bin/tidewatch-agent',
        '/usr/lib/systemd/system/tidewatch-agent.service',
        '/usr/lib/systemd/system/tidewatch-agent-key.path',
        '/usr/lib/systemd/system/tidewatch-agent-key.service',
        '/etc/tidewatch-agent/config.yaml',
        '/usr/share/man/man8/tidewatch-agent.8.gz',
        '/usr/share/doc/tidewatch-agent/copyright',
      ])
        expect(output).toMatch(new RegExp(`root/root .* \\.${path}\n`));
    });

    test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd finds no fault in the units', async () => {
      // systemd-analyze looks for the executable on this machine.
      const units = [
        'tidewatch-agent.service',
        'tidewatch-agent-key.path',
        'tidewatch-agent-key.service',
        'tidewatch-agent-update.service',
        'tidewatch-agent-update.timer',
      ];
      const paths = units.map((name) => join(folder, name));
      for (const [index, path] of paths.entries()) {
        const text = readFileSync(join(CHECKOUT, 'deploy/agent', units[index] ?? ''), 'utf8');
        writeFileSync(path, text.replaceAll('/usr/bin/tidewatch-agent', '/bin/true'));
      }
      expect(await run('systemd-analyze', ['verify', '--man=no', ...paths])).toEqual({ code: 0, output: '' });
    });

    test('a package that was changed after its sum was made is not installed', async () => {
      const intact = readFileSync(debianPackage);
      writeFileSync(debianPackage, Buffer.concat([intact, Buffer.from('x')]));
      const { code, output } = await install(uniqueName('changed'), product.key);
      writeFileSync(debianPackage, intact);
      expect(code).toBe(1);
      expect(output).toContain('nothing was installed');
      expect(readdirSync(join(root, 'usr/bin'))).not.toContain('tidewatch-agent');
    });

    test('a root without Node gets an agent that reports within a minute, whose key only root reads', async () => {
      const host = uniqueName('bare');
      expect((await inRoot('command -v node')).code).not.toBe(0);
      const begun = performance.now();
      const installed = await install(host, product.key);
      expect(installed, installed.output).toMatchObject({ code: 0 });
      expect(installed.output).toContain(`${product.url} accepts the key`);
      expect((await inRoot('stat -c %a:%U /etc/tidewatch-agent/key')).output).toBe('600:root\n');
      expect((await inRoot('tidewatch-agent --version')).output).toMatch(/^tidewatch-agent \d+\.\d+\.\d+\n$/);
      const sent = await inRoot(`tidewatch-agent ${CONFIG} --once`);
      expect(sent, sent.output).toMatchObject({ code: 0 });
      expect(performance.now() - begun).toBeLessThan(60_000);
      const { services } = await client.expect(200, 'GET', `/services?q=${host}`);
      expect(services).toHaveLength(1);
    });

    test('the script refuses a key that the service does not know, and says so', async () => {
      const { code, output } = await install(uniqueName('refused'), 'tw_unknown');
      expect(code).toBe(1);
      expect(output).toContain('the key is refused');
      expect(output).not.toContain('tw_unknown');
    });

    test('the script names what is missing or not allowed', async () => {
      const script = `curl -fsSL ${product.url}/install.sh | sh -s --`;
      expect((await inRoot(script)).output).toContain('--url must be the http or https address');
      expect((await inRoot(`${script} --url 'http://x|y'`)).output).toContain('may have letters');
      expect((await inRoot(`${script} --urll x`)).output).toContain('unknown argument --urll');
      const elsewhere = `${script} --url http://127.0.0.1:1`;
      expect((await inRoot(elsewhere, { TIDEWATCH_API_KEY: 'k' })).output).toContain('serves no packages');
    });
  },
);
