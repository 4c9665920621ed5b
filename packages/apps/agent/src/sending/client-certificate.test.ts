import { copyFileSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readClientCertificate } from './client-certificate.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../testing/fixtures/${name}`, import.meta.url));
let folder: string;
let cert: string;
const key = fixture('service.key');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewatch-certificate-'));
  cert = join(folder, 'cert.pem');
  copyFileSync(fixture('service.crt'), cert);
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a certificate is read again once it was replaced, and is the same object until then', () => {
  const current = readClientCertificate(cert, key);
  const first = current();
  expect(current()).toBe(first);
  copyFileSync(fixture('authority.crt'), cert);
  const second = current();
  expect(second).not.toBe(first);
  expect(second.cert).not.toBe(first.cert);
});

test('the former certificate is used while a file is missing or half written', () => {
  const current = readClientCertificate(cert, key);
  const first = current();
  writeFileSync(cert, '-----BEGIN');
  expect(current()).toBe(first);
  unlinkSync(cert);
  expect(current()).toBe(first);
});

test.each([
  ['a missing file', '/nonexistent', /^--client-cert \/nonexistent is not usable: ENOENT/],
  ['a key in place of a certificate', key, /^--client-cert .* is not usable: it must be PEM/],
])('%s is refused at the start', (_name, file, message) => {
  expect(() => readClientCertificate(file, key)).toThrow(message);
});
