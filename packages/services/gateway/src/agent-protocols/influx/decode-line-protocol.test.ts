import { beforeEach, describe, expect, it } from 'vitest';
import { RecordingSink } from '../../testing/recording-sink.harness.ts';
import { lineProtocolDecoder } from './decode-line-protocol.ts';
import { MAX_FIELDS, MAX_KEY_BYTES, MAX_LINE_BYTES } from './line-reader.ts';
import { type LinePrecision, lineTime, precisionOf } from './line-time.ts';

const NOW = Date.UTC(2026, 10, 28);

let sink: RecordingSink;
beforeEach(() => {
  sink = new RecordingSink();
});

const take = (body: string | Uint8Array, precision: LinePrecision = 'ns') =>
  sink.take(lineProtocolDecoder(precision, NOW), Buffer.from(body as string));
/** The points in short: name, labels as `name=value`, value. */
const points = () =>
  sink.points.map(({ series: { name, labels }, value }) => {
    const shown = labels.flatMap((label, at) => (at % 2 === 0 ? [`${label}=${labels[at + 1]}`] : []));
    return [name, shown.join(';'), value];
  });

describe('a line', () => {
  it('gives each numeric field as a point of a series of its own', () => {
    take('cpu,host=web-01,cpu=cpu0 usage_idle=97.5,usage_user=2i 1795824000123456789\n');
    const common = {
      protocol: 'influx',
      labels: ['cpu', 'cpu0', 'host', 'web-01'],
      resource: [],
      type: 'unknown',
      unit: '',
    };
    expect(sink.points).toEqual([
      { series: { ...common, name: 'cpu_usage_idle' }, time: 1_795_824_000_123, value: 97.5, start: 0 },
      { series: { ...common, name: 'cpu_usage_user' }, time: 1_795_824_000_123, value: 2, start: 0 },
    ]);
  });

  it.each<[string, string, [string, string, number][]]>([
    ['without a newline at the end', 'a b=1', [['a_b', '', 1]]],
    [
      'that ends in CRLF',
      'a b=1 5\r\na c=2\r\n',
      [
        ['a_b', '', 1],
        ['a_c', '', 2],
      ],
    ],
    ['after a comment and empty lines', '# a b=7\n\n \t\r\n  a b=1', [['a_b', '', 1]]],
    ['with several spaces between its parts', 'a   b=1   5  \n', [['a_b', '', 1]]],
    ['with escapes in the measurement', 'a\\,b\\ c d=1', [['a,b c_d', '', 1]]],
    ['with a backslash before an equals sign in the measurement', 'a\\=b d=1', [['a\\=b_d', '', 1]]],
    ['with escapes in the name of a tag', 'm,a\\,b\\ c\\=d=v f=1', [['m_f', 'a,b c=d=v', 1]]],
    ['with escapes in the value of a tag', 'm,t=a\\,b\\ c\\=d f=1', [['m_f', 't=a,b c=d', 1]]],
    ['with escapes in the name of a field', 'm a\\,b\\ c\\=d=1', [['m_a,b c=d', '', 1]]],
    ['with backslashes that are no escapes', 'm\\x,t=C:\\dir f\\n=1', [['m\\x_f\\n', 't=C:\\dir', 1]]],
    ['with a backslash at the end of a value of a tag', 'm,t=a\\b f=1', [['m_f', 't=a\\b', 1]]],
    ['with two backslashes before a comma', 'm\\\\,x f=1', [['m\\,x_f', '', 1]]],
    ['with an equals sign in the value of a tag', 'm,t=a=b f=1', [['m_f', 't=a=b', 1]]],
    ['with quotes in names and tags', 'm"q,t="v" "f"=1', [['m"q_"f"', 't="v"', 1]]],
    ['with letters beyond ASCII', 'größe,ort=Köln 🌡=1', [['größe_🌡', 'ort=Köln', 1]]],
    [
      'with the names of prototypes',
      '__proto__,constructor=x toString=1',
      [['__proto___toString', 'constructor=x', 1]],
    ],
    [
      'with a field twice',
      'a b=1,b=2',
      [
        ['a_b', '', 1],
        ['a_b', '', 2],
      ],
    ],
  ])('is taken %s', (_, body, expected) => {
    take(body);
    expect(points()).toEqual(expected);
    expect(sink.rejected).toEqual({});
  });

  it.each<[string, number]>([
    ['1', 1],
    ['-1', -1],
    ['-0', -0],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1E-3', 0.001],
    ['1.25e+2', 125],
    ['97.48743718592965', 97.48743718592965],
    ['0.1234567890123456789', 0.12345678901234568],
    ['9007199254740993', 9007199254740992],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['5e-324', 5e-324],
    ['0i', 0],
    ['007i', 7],
    ['12345678901234567i', 12345678901234568],
    ['9223372036854775807i', 2 ** 63],
    ['-9223372036854775808i', -(2 ** 63)],
    ['18446744073709551615u', 2 ** 64],
    ['3u', 3],
    ['t', 1],
    ['T', 1],
    ['true', 1],
    ['True', 1],
    ['TRUE', 1],
    ['f', 0],
    ['F', 0],
    ['false', 0],
    ['False', 0],
    ['FALSE', 0],
  ])('with the value %s gives %d', (text, value) => {
    take(`a b=${text}\na b=${text},c=1 5`);
    expect(points()).toEqual([
      ['a_b', '', value],
      ['a_b', '', value],
      ['a_c', '', 1],
    ]);
  });

  it.each<[string]>([
    ['9223372036854775808i'],
    ['-9223372036854775809i'],
    ['18446744073709551616u'],
    ['-1u'],
    ['1e400'],
    ['0x1f'],
    ['1_000'],
    ['1.5i'],
    ['+1'],
    ['.'],
    ['-'],
    ['-i'],
    ['i'],
    ['e5'],
    ['1e'],
    ['1.2.3'],
    ['NaN'],
    ['Inf'],
    ['-Infinity'],
    ['tRUE'],
    ['yes'],
    ["'x'"],
    [''],
    ['1'.repeat(2_000)],
  ])('with the value %j is refused, and says so', (text) => {
    take(`a b=${text},c=2 5\na d=1`);
    expect(points()).toEqual([['a_d', '', 1]]);
    expect(sink.rejected).toEqual({ invalid_value: 2 });
    expect(sink.examples[0]).toMatch(/^line 1: the value of the field "b" is no number, boolean or text: "/);
  });

  it('leaves out texts, whatever is in them', () => {
    take('a s="x, y=1 z\\" \\\\",n=1,e="" 5\na t="two\nlines\n# no comment"\na u=1,v=bad');
    expect(points()).toEqual([['a_n', '', 1]]);
    expect(sink.counts).toEqual({
      points: 1,
      rejected: { invalid_value: 2 },
      rejectedHistograms: {},
      omitted: { text: 3 },
    });
    expect(sink.examples[0]).toMatch(/^line 5: /);
  });

  it.each<[string, string | Uint8Array, string, string]>([
    ['without fields', 'a', 'invalid_value', 'the line has no fields'],
    ['without fields, with a space', 'a,b=c  \r', 'invalid_value', 'the line has no fields'],
    ['without a measurement', ',b=c d=1', 'invalid_value', 'the line has no measurement'],
    ['with a field without a name', 'a =1', 'invalid_value', 'a field has no name'],
    ['with a comma before its fields', 'a ,b=1', 'invalid_value', 'a field has no name'],
    ['with a comma behind its fields', 'a b=1, 5', 'invalid_value', 'a field has no name'],
    ['with a field without a value', 'a b', 'invalid_value', 'a field has no value'],
    ['with a quote that is not closed', 'a b="x', 'invalid_value', 'a quote of line 1 is not closed'],
    ['with a backslash at the end', 'a b="x\\', 'invalid_value', 'a quote of line 1 is not closed'],
    [
      'with something behind a text',
      'a b="x"y',
      'invalid_value',
      'a text is followed by neither a comma nor a space',
    ],
    ['with a time that is a fraction', 'a b=1 5.5', 'invalid_time', 'the time is no integer of 64 bits'],
    ['with a time that is a text', 'a b=1 now', 'invalid_time', 'the time is no integer of 64 bits'],
    ['with a time of 2^63', 'a b=1 9223372036854775808', 'invalid_time', 'the time is no integer of 64 bits'],
    [
      'with something behind its time',
      'a b=1 5 6',
      'invalid_value',
      'the time is followed by something else',
    ],
    ['with a tag without a value', 'a,b= c=1', 'invalid_labels', 'the tag "b" has no value: a'],
    ['with a tag without an equals sign', 'a,b c=1', 'invalid_labels', 'the tag "b" has no value: a'],
    ['with a tag without a name', 'a,=b c=1', 'invalid_labels', 'a tag has no name: a'],
    [
      'with a tag twice',
      'a,b=1,b=2 c=1',
      'invalid_labels',
      'the line has a tag twice, or more than 256 tags: a{b="1", b="2"}',
    ],
    [
      'with invalid UTF-8',
      Buffer.from('a\xff b=1', 'latin1'),
      'invalid_labels',
      'a name or tag has no valid UTF-8',
    ],
    [
      'with invalid UTF-8 in a field',
      Buffer.from('a \xff=1', 'latin1'),
      'invalid_labels',
      'a name or tag has no valid UTF-8',
    ],
    [
      'with a measurement of 64 KiB',
      `${'m'.repeat(MAX_KEY_BYTES + 1)} b=1`,
      'invalid_value',
      `measurement and tags are longer than ${MAX_KEY_BYTES} bytes`,
    ],
    [
      'of over 1 MiB',
      `a ${'f'.repeat(MAX_LINE_BYTES)}=1`,
      'invalid_value',
      `the line is longer than ${MAX_LINE_BYTES} bytes`,
    ],
  ])('%s is refused alone', (_, line, reason, message) => {
    const good = Buffer.from('x y=1 5\n');
    take(Buffer.concat([good, Buffer.from(line as string), Buffer.from('\n'), good]));
    // A quote that is not closed takes the rest of the body; the line feed behind its line is where reading goes on.
    expect(points()).toEqual([
      ['x_y', '', 1],
      ['x_y', '', 1],
    ]);
    expect(sink.rejected).toEqual({ [reason]: 1 });
    expect(sink.examples).toEqual([`line 2: ${message.replace('line 1', 'line 2')}`]);
  });

  it('of a million fields is refused, and the next one is taken', () => {
    take(`a ${'b=1,'.repeat(1_000_000)}c=1\na b=1`);
    expect(points()).toEqual([['a_b', '', 1]]);
    expect(Object.values(sink.rejected)).toEqual([MAX_FIELDS]);
  });

  it('with as many fields as are allowed is taken, and lets others go first', () => {
    take(`a ${Array.from({ length: MAX_FIELDS }, (_, field) => `f${field}=${field}`).join()}`);
    expect(sink.counts).toMatchObject({ points: MAX_FIELDS, rejected: {} });
    expect(sink.turns).toBeGreaterThanOrEqual(9);
  });
});

describe('a body of lines', () => {
  it('describes a series once, and another one for another tag or field', () => {
    const body = 'a,h=1 x=1,y=2\na,h=2 x=3\nah,=1 x=1\n';
    take(body);
    take(body);
    expect(sink.described).toBe(3);
    expect(points().map(([name, labels, value]) => `${name} ${labels} ${value}`)).toEqual([
      'a_x h=1 1',
      'a_y h=1 2',
      'a_x h=2 3',
    ]);
  });

  it('is empty without lines', () => {
    for (const body of ['', '\n\n', '# only a comment', ' \t ']) take(body);
    expect(sink.counts).toEqual({ points: 0, rejected: {}, rejectedHistograms: {}, omitted: {} });
  });

  it('lets others go first after at most a thousand lines, also of comments and faults', () => {
    for (const line of ['#\n', 'a\n', 'a b=1\n']) {
      take(line.repeat(20_000));
      expect(sink.turns).toBeGreaterThanOrEqual(19);
    }
  });

  it('is read in time in proportion to its size with quotes that are not closed', () => {
    const startedAt = process.cpuUsage();
    take('a b="\\"\n'.repeat(500_000));
    take(`a b="${'\n'.repeat(2_000_000)}`);
    const { user } = process.cpuUsage(startedAt);
    expect(user / 1e6).toBeLessThan(5);
  });
});

describe('the time of a line', () => {
  it.each<[LinePrecision, string, number]>([
    ['n', '1795824000123999999', 1_795_824_000_123],
    ['ns', '9223372036854775807', 9_223_372_036_854],
    ['ns', '-1', -1],
    ['ns', '-1000000', -1],
    ['ns', '-1000001', -2],
    ['ns', '5', 0],
    ['u', '1795824000123999', 1_795_824_000_123],
    ['us', '-1', -1],
    ['ms', '1795824000123', 1_795_824_000_123],
    ['s', '1795824000', 1_795_824_000_000],
    ['m', '29930400', 1_795_824_000_000],
    ['h', '498840', 1_795_824_000_000],
  ])('in %s is %s, in whole milliseconds %d', (precision, text, time) => {
    take(`a b=1 ${text}`, precision);
    expect(sink.points[0]?.time).toBe(time);
  });

  it('is the arrival where the line has none', () => {
    expect(take('a b=1\na b=2 \r\n', 's').points.map(({ time }) => time)).toEqual([NOW, NOW]);
  });

  it.each(['', '-', '1.5', '1e3', 'x', '+5', '12345678901234567890'])('is none in %j', (text) => {
    expect(lineTime(Buffer.from(text), 0, text.length, 'ns')).toBeNaN();
  });

  it('has the precisions of each version', () => {
    expect(precisionOf(1, 'n')).toBe('n');
    expect(precisionOf(1, 'h')).toBe('h');
    expect(precisionOf(2, 'us')).toBe('us');
    for (const text of ['n', 'h', 'xs', '', 'NS']) expect(precisionOf(2, text)).toBeUndefined();
    expect(precisionOf(1, 'xs')).toBeUndefined();
  });
});
