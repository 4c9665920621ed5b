import { expect, test } from 'vitest';
import { pipeOf } from './folder-pipe.ts';

const PIPE = /^\\\\\.\\pipe\\tidewatch-agent-[0-9a-f]{32}$/;

test.each(['C:\\tidewatch\\buffer', 'c:/Tidewatch/buffer/', 'buffer', '..\\tidewatch\\BUFFER'])(
  'a folder that is written as %s has the same pipe',
  (folder) => {
    const pipe = pipeOf(folder, 'C:\\tidewatch');
    expect(pipe).toMatch(PIPE);
    expect(pipe).toBe(pipeOf('C:\\Tidewatch\\buffer', 'D:\\'));
  },
);

test('another folder has another pipe', () => {
  expect(pipeOf('buffer', 'C:\\tidewatch')).not.toBe(pipeOf('buffer', 'D:\\tidewatch'));
});
