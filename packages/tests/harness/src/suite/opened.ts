import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, onTestFinished } from 'vitest';

interface Closable {
  close(): unknown;
}

/** As long as a hook may take, because an opening outside of hooks has no other time limit, ms. */
const OPENS_WITHIN_MS = 180_000;

/**
 * Returns what the tests of a file share, and closes it after the last of them, the newest first. To be awaited at the top
 * level of a file.
 */
export async function openForFile<T extends Closable>(opening: T | Promise<T>): Promise<T> {
  const opened = await Promise.race([opening, overdue()]);
  afterAll(async () => void (await opened.close()));
  return opened;
}

/** Returns what one test uses, and closes it after the test, the newest first. To be called in the test or in `beforeEach`. */
export async function openForTest<T extends Closable>(opening: T | Promise<T>): Promise<T> {
  const opened = await opening;
  onTestFinished(async () => void (await opened.close()));
  return opened;
}

async function overdue(): Promise<never> {
  await sleep(OPENS_WITHIN_MS, undefined, { ref: false });
  throw new Error(`timeout: not opened within ${OPENS_WITHIN_MS / 1_000} s`);
}

/** Creates a folder that the tests of a file share, and removes it after the last of them. */
export function folderForFile(): string {
  const folder = newFolder();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a folder for one test, and removes it after the test. To be called in the test or in `beforeEach`. */
export function folderForTest(): string {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tidewatch-test-'));
}
