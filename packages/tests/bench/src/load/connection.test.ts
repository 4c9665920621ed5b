import { expect, test } from 'vitest';
import { takeAnswer } from './connection.ts';

test('takeAnswer returns a response with a length, and leaves the following bytes', () => {
  const text = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP';
  expect(takeAnswer(text)).toEqual({
    status: 200,
    retryAfter: 0,
    closes: false,
    body: '{}',
    length: text.length - 4,
  });
});
test('takeAnswer returns a chunked response', () => {
  const text =
    'HTTP/1.1 503 No\r\nRetry-After: 2\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n';
  expect(takeAnswer(text)).toEqual({
    status: 503,
    retryAfter: 2,
    closes: true,
    body: '{}',
    length: text.length,
  });
});
test.each(['', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}'])(
  'takeAnswer returns nothing for the incomplete response %j',
  (text) => {
    expect(takeAnswer(text)).toBeUndefined();
  },
);
