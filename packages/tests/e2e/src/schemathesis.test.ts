import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { folderForFile } from '@tidewatch/harness/opened';
import { recordPart } from '@tidewatch/harness/parts/report';
import { findSchemathesis } from '@tidewatch/harness/parts/schemathesis';
import { createProduct, type Product } from '@tidewatch/harness/product';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const own = (name: string) => fileURLToPath(new URL(`../schemathesis/${name}`, import.meta.url));

const found = findSchemathesis();
recordPart({ ...found, name: 'schemathesis' });

describe.skipIf(found.state === 'lacked')('[needs schemathesis] the API as its document says', () => {
  let product: Product;
  const folder = folderForFile();
  beforeAll(async () => {
    product = await createProduct({ TIDEWATCH_RATE_LIMIT_PER_MINUTE: '1000000' });
    await product.start();
  });
  afterAll(() => product?.remove());

  it('passes every check of schemathesis', { timeout: 600_000 }, async () => {
    const args = [
      'run',
      `${product.url}/openapi.json`,
      '--url',
      product.url,
      '--checks',
      'all',
      '--no-color',
    ];
    const { code, output } = await run(
      [
        ...['--config-file', own('schemathesis.toml'), ...args, '--exclude-path', '/api/v1/events'],
        // It can make no bodies of other agents; their decoders have tests with changed bytes of their own.
        ...['--exclude-tag', 'Other agents'],
      ],
      { TIDEWATCH_API_KEY: product.key },
    );
    expect(code, output.slice(-6_000)).toBe(0);
    expect(output).toMatch(/\d{3,} generated/);
  });

  async function run(args: readonly string[], variables: Record<string, string>) {
    const program = found.state === 'lacked' ? '' : found.address.program;
    const child = spawn(program, args, {
      // Schemathesis stores its memory of earlier runs in its working directory.
      cwd: folder,
      env: {
        ...process.env,
        ...variables,
        SCHEMATHESIS_HOOKS: own('hooks.py'),
        PYTHONDONTWRITEBYTECODE: '1',
        COLUMNS: '200',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const output = await text(child.stdout);
    return { code: await ended, output };
  }
});
