import { describe, expect, it } from 'vitest';
import { originFault } from './origin-fault.ts';

const PUBLIC = 'https://tidewatch.example.com/';

describe('originFault', () => {
  it.each([
    ['no browser', undefined, 'https://tidewatch.example.com'],
    ['a page at the public URL', 'https://tidewatch.example.com', 'http://10.0.0.7:8230'],
    ['a page at the loopback address', 'http://127.0.0.1:8230', 'http://127.0.0.1:8230'],
    ['a page at localhost', 'http://localhost:8230', 'http://localhost:8230'],
    ['a page at an address of IPv6', 'http://[::1]:8230', 'http://[::1]:8230'],
  ])('accepts %s', (_, origin, reached) => {
    expect(originFault({ origin, reached, publicUrl: PUBLIC })).toBeUndefined();
  });

  it.each([
    ['another site', 'https://evil.example', 'http://127.0.0.1:8230'],
    ['another port of the same address', 'http://127.0.0.1:9999', 'http://127.0.0.1:8230'],
    ['a name that was rebound to this server', 'http://evil.example:8230', 'http://evil.example:8230'],
    ['a page without an origin', 'null', 'http://127.0.0.1:8230'],
  ])('refuses %s', (_, origin, reached) => {
    expect(originFault({ origin, reached, publicUrl: PUBLIC })).toContain('another site');
    expect(originFault({ origin, reached, publicUrl: null })).toContain('another site');
  });
});
