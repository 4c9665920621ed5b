import { describe, expect, it } from 'vitest';
import { cookieName, cookieOptions, readToken } from './session-cookie.ts';

const TOKEN = 'kT3uV9w0x1y2z3A4B5C6D7E8F9G0H1I2J3K4L5M6N7O';

describe('the cookie of a session', () => {
  it.each([
    [false, 'tidewatch-40718263', { httpOnly: true, sameSite: 'strict', path: '/', secure: false }],
    [true, '__Host-tidewatch-40718263', { httpOnly: true, sameSite: 'strict', path: '/', secure: true }],
  ])('with HTTPS %s is named %s', (isSecure, name, options) => {
    expect(cookieName('40718263', isSecure)).toBe(name);
    expect(cookieOptions(isSecure)).toEqual(options);
  });

  it.each([
    ['no header', undefined, undefined],
    ['an empty header', '', undefined],
    ['the cookie alone', `tidewatch-40718263=${TOKEN}`, TOKEN],
    ['the cookie among others', `a=b; tidewatch-40718263=${TOKEN}; c=d`, TOKEN],
    ['no spaces', `a=b;tidewatch-40718263=${TOKEN};c=d`, TOKEN],
    ['the cookie twice: the first counts', `tidewatch-40718263=${TOKEN}; tidewatch-40718263=x`, TOKEN],
    ['the cookie of another installation', `tidewatch-40718264=${TOKEN}`, undefined],
    ['the cookie of HTTPS over HTTP', `__Host-tidewatch-40718263=${TOKEN}`, undefined],
    ['a name that ends alike', `x-tidewatch-40718263=${TOKEN}`, undefined],
    ['no value', 'tidewatch-40718263', undefined],
    ['an empty value', 'tidewatch-40718263=', ''],
    ['a value of another form', 'tidewatch-40718263=<script>', ''],
    ['a value that is too long', `tidewatch-40718263=${TOKEN}A`, ''],
    ['a value in quotes', `tidewatch-40718263="${TOKEN}"`, ''],
  ])('is read from %s', (_, header, token) => {
    expect(readToken(header, 'tidewatch-40718263')).toBe(token);
  });
});
