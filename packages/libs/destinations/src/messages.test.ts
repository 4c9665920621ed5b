import { type NoticeContent, noticeContent } from '@tidewatch/domain/notification/content';
import { anAlert, NOW } from '@tidewatch/domain/notification/notice.fixture';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailMessage } from './email/email-message.ts';
import { pagerdutyTrigger } from './pagerduty/pagerduty-event.ts';
import { slackMessage, slackReply } from './slack/slack-message.ts';

const CONTENT: NoticeContent = {
  resolved: false,
  severity: 'critical',
  state: 'Firing',
  title: 'web-01: CPU is busy',
  summary: 'It is.',
  facts: [{ label: 'Host', value: 'web-01' }],
  processes: ['job (pid 1), 95 % CPU'],
  lines: [],
  links: [{ label: 'Alert', url: 'https://tw.example/alerts/alr_1?a=1&b=2' }],
};

interface Block {
  type: string;
  text?: { text: string };
  fields?: { text: string }[];
  elements?: { url: string }[];
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6_000, size: 'max' }),
  fc.constantFrom('<!channel>', '&&&&'),
);
const content = fc.record({
  title: text,
  summary: text,
  facts: fc.array(fc.record({ label: fc.constant('Host'), value: text }), { maxLength: 12 }),
  processes: fc.array(text, { maxLength: 5 }),
  lines: fc.array(text, { maxLength: 400 }),
});

describe('a message to Slack', () => {
  it('keeps every limit that Slack documents, for any content', () => {
    fc.assert(
      fc.property(content, (fields) => {
        const message = slackMessage({ ...CONTENT, ...fields });
        const blocks = message.blocks as Block[];
        expect(blocks.length).toBeLessThanOrEqual(50);
        expect(message.text.length).toBeLessThanOrEqual(4_000);
        for (const { type, text: own, fields: parts = [] } of blocks) {
          expect(own?.text.length ?? 0).toBeLessThanOrEqual(type === 'header' ? 150 : 3_000);
          expect(parts.length).toBeLessThanOrEqual(10);
          for (const part of parts) expect(part.text.length).toBeLessThanOrEqual(2_000);
        }
        for (const said of [
          message.text,
          ...blocks.flatMap(textsOf),
          slackReply({ ...CONTENT, ...fields }).text,
        ])
          expect(said).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
      }),
      { numRuns: 60 },
    );
  });

  it('states the id of each alert, also on phones and in replies', () => {
    const notice = { rule: { name: 'CPU is busy', runbookUrl: null }, time: NOW, publicUrl: null };
    const alert = anAlert();
    const one = noticeContent({ ...notice, transition: 'renotified', alerts: [alert] });
    for (const message of [slackMessage(one), slackReply(one)]) {
      expect(message.text).toContain(alert.id);
      expect(JSON.stringify(message.blocks)).toContain(alert.id);
    }
    const alerts = [alert, anAlert({ id: `alr_${'9'.repeat(32)}` })];
    const many = slackReply(noticeContent({ ...notice, transition: 'digest', alerts }));
    for (const { id } of alerts) expect(JSON.stringify(many.blocks)).toContain(id);
  });

  it('contains nothing that Slack turns into markup, links or emoji', () => {
    fc.assert(
      fc.property(content, (fields) => {
        for (const message of [
          slackMessage({ ...CONTENT, ...fields }),
          slackReply({ ...CONTENT, ...fields }),
        ]) {
          expect(message).toMatchObject({
            mrkdwn: false,
            parse: 'none',
            link_names: false,
            unfurl_links: false,
          });
          const said = JSON.stringify(message.blocks);
          expect(said).not.toContain('"type":"mrkdwn"');
          expect(said).not.toContain('"emoji":true');
        }
      }),
      { numRuns: 30 },
    );
  });

  it('names every alert of a digest, or states how many it omits', () => {
    const lines = Array.from({ length: 20 }, (_, i) => `web-${i}: 97 %`);
    const said = JSON.stringify(slackMessage({ ...CONTENT, processes: [], lines }));
    for (const line of lines) expect(said).toContain(line);
    const many = Array.from({ length: 9_000 }, (_, i) => `web-${i}: ${'x'.repeat(30)}`);
    const long = JSON.stringify(slackMessage({ ...CONTENT, processes: [], lines: many }));
    const listed = many.filter((line) => long.includes(`• ${line}`)).length;
    expect(long).toContain(`… and ${many.length - listed} more.`);
  });
});

const textsOf = ({ text: own, fields = [] }: Block) => [
  ...(own ? [own.text] : []),
  ...fields.map((each) => each.text),
];

describe('an email', () => {
  it('has no markup that a name could have brought', () => {
    const title = '<script>alert(1)</script> & "x"';
    const {
      html,
      subject,
      text: plain,
    } = emailMessage({ ...CONTENT, title, lines: [title], facts: [{ label: 'a', value: title }] });
    expect(html).not.toContain('<script>');
    expect(html.match(/&lt;script&gt;/g)).toHaveLength(3);
    expect(html).toContain('href="https://tw.example/alerts/alr_1?a=1&amp;b=2"');
    expect(subject).toBe('<script>alert(1)</script> & "x" (firing, critical)');
    expect(plain).toContain('Alert: https://tw.example/alerts/alr_1?a=1&b=2');
  });

  it('states the same in text and in HTML', () => {
    const { html, text: plain } = emailMessage({ ...CONTENT, lines: ['web-02: 91 %'] });
    for (const part of ['Firing: web-01: CPU is busy', 'It is.', 'job (pid 1), 95 % CPU', 'web-02: 91 %']) {
      expect(html).toContain(part);
      expect(plain).toContain(part);
    }
  });
});

describe('an event for PagerDuty', () => {
  it('keeps every limit that PagerDuty documents, for any content', () => {
    fc.assert(
      fc.property(content, fc.string({ minLength: 1, maxLength: 5_000, size: 'max' }), (fields, host) => {
        const event = pagerdutyTrigger('key', { ...CONTENT, ...fields }, anAlert({ host }));
        const payload = event.payload as { summary: string; source: string };
        expect(payload.summary.length).toBeLessThanOrEqual(1_024);
        expect(payload.source.length).toBeLessThanOrEqual(1_024);
      }),
      { numRuns: 30 },
    );
  });

  it('of ten thousand alerts is smaller than the 512 KiB that PagerDuty accepts', () => {
    const lines = Array.from({ length: 10_000 }, (_, i) => `web-${i}: ${'x'.repeat(100)}`);
    const event = pagerdutyTrigger('key', { ...CONTENT, lines }, anAlert());
    expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(500_000);
    const { custom_details: details } = event.payload as {
      custom_details: { alerts: string[]; more_alerts: number };
    };
    expect(details.alerts.length + details.more_alerts).toBe(10_000);
  });
});
