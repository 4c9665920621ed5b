import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { classArguments } from './kafka-classes.ts';

let folder: string;
let archive: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewatch-classes-'));
  archive = join(folder, 'kafka.jsa');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writes = (text: string) => async (home: string, unfinished: string) => {
  writeFileSync(join(home, 'kafka.log'), 'started');
  writeFileSync(unfinished, text);
};

it('the archive of classes is recorded once, and appears under its name when it is complete', async () => {
  const given = [`-XX:SharedArchiveFile=${archive}`];
  const records = async (home: string, unfinished: string) => {
    await writes('first')(home, unfinished);
    expect(existsSync(archive)).toBe(false);
  };
  expect(await classArguments(archive, records)).toEqual(given);
  expect(await classArguments(archive, writes('second'))).toEqual(given);
  expect(readFileSync(archive, 'utf8')).toBe('first');
  expect(readdirSync(folder)).toEqual(['kafka.jsa']);
});

it('a broker starts without an archive while another process records, until that one must have been killed', async () => {
  const home = `${archive}.recording`;
  mkdirSync(home);
  expect(await classArguments(archive, writes('other'))).toEqual([]);
  utimesSync(home, new Date(0), new Date(0));
  expect(await classArguments(archive, writes('later'))).toHaveLength(1);
  expect(readFileSync(archive, 'utf8')).toBe('later');
});

it('a broker starts without an archive if Java wrote none, and the next one tries again', async () => {
  expect(await classArguments(archive, async () => undefined)).toEqual([]);
  const fails = async () => {
    throw new Error('no start');
  };
  await expect(classArguments(archive, fails)).rejects.toThrow('no start');
  expect(readdirSync(folder)).toEqual([]);
});
