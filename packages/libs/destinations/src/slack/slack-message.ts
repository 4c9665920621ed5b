import { ALERT_LABEL, type NoticeContent } from '@tidewatch/domain/notification/content';
import { cut } from '@tidewatch/domain/notification/text';

/** Slack's limits for blocks: characters and counts. */
const LIMITS = { header: 150, section: 3_000, field: 2_000, fields: 10, blocks: 50, button: 75, url: 3_000 };
/** Max length of the fallback text; Slack cuts longer texts by itself. */
const MAX_TEXT = 4_000;

/** A message for an incoming webhook or `chat.postMessage`. */
export interface SlackMessage {
  /** The text for notifications on a phone. */
  text: string;
  blocks: object[];
  /** Both fields prevent Slack from turning `text` into markup, links or mentions. */
  mrkdwn: false;
  parse: 'none';
  link_names: false;
  unfurl_links: false;
  unfurl_media: false;
}

const LITERAL = {
  mrkdwn: false,
  parse: 'none',
  link_names: false,
  unfurl_links: false,
  unfurl_media: false,
} as const;

const SIGNS = { critical: '🔴', warning: '🟠', info: '🔵' };

/** The message in Block Kit. Every text is plain and escaped, so that names cannot create markup, links or mentions. */
export function slackMessage(content: NoticeContent): SlackMessage {
  const heading = `${sign(content)} ${content.state}: ${content.title}`;
  const blocks = [
    { type: 'header', text: plain(escaped(heading, LIMITS.header)) },
    section(escaped(content.summary, LIMITS.section)),
    ...fieldSections(content),
    ...lists(content),
    ...buttons(content),
  ];
  const text = `${escaped(heading, MAX_TEXT / 2)}\n${escaped(content.summary, MAX_TEXT / 4)}`;
  return { text: withAlert(text, alertIn(content)), blocks: blocks.slice(0, LIMITS.blocks), ...LITERAL };
}

/** The reply in the thread of an updated message, since an update notifies nobody. */
export function slackReply(content: NoticeContent): SlackMessage {
  const heading = `${sign(content)} ${content.state}: ${content.summary}`;
  const about = alertIn(content);
  return {
    text: withAlert(escaped(heading, MAX_TEXT / 2), about),
    blocks: [
      section(withAlert(escaped(heading, LIMITS.section - about.length - 1), about)),
      ...lists(content),
    ].slice(0, LIMITS.blocks),
    ...LITERAL,
  };
}

/** "Alert alr_…" for a notice about one alert; empty for a digest, which lists the ids of its alerts. */
function alertIn({ facts }: NoticeContent): string {
  const fact = facts.find(({ label }) => label === ALERT_LABEL);
  return fact === undefined ? '' : `${fact.label} ${escaped(fact.value, LIMITS.header)}`;
}

function withAlert(text: string, about: string): string {
  return about === '' ? text : `${text}\n${about}`;
}

/** Escapes the three characters with a meaning in Slack's texts (its guide on escaping text). */
export function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escapes a text within `most` characters, which Slack counts after escaping. */
function escaped(text: string, most: number): string {
  let shorter = cut(text, most);
  while (escapeSlack(shorter).length > most) {
    shorter = cut(shorter, Math.max(2, shorter.length - Math.ceil((escapeSlack(shorter).length - most) / 5)));
  }
  return escapeSlack(shorter);
}

function sign({ resolved, severity }: NoticeContent): string {
  return resolved ? '✅' : SIGNS[severity];
}

function section(text: string): object {
  return { type: 'section', text: plain(text) };
}

/** A text that Slack shows unchanged, without markup, links or emoji. */
function plain(text: string): object {
  return { type: 'plain_text', text, emoji: false };
}

function fieldSections({ facts }: NoticeContent): object[] {
  const fields = facts
    .slice(0, LIMITS.fields)
    .map(({ label, value }) => plain(`${label}\n${escaped(value, LIMITS.field - label.length - 1)}`));
  return fields.length === 0 ? [] : [{ type: 'section', fields }];
}

/** The number of blocks reserved for heading, summary, facts, the end of a list and buttons. */
const OTHER_BLOCKS = 6;

function lists({ processes, lines }: NoticeContent): object[] {
  const blocks: string[] = [];
  if (processes.length > 0) add(blocks, 'Top processes');
  for (const each of processes) add(blocks, `• ${escaped(each, 500)}`);
  for (const each of lines) add(blocks, `• ${escaped(each, 700)}`);
  const shown = blocks.slice(0, LIMITS.blocks - OTHER_BLOCKS);
  if (shown.length === blocks.length) return shown.map(section);
  const listed = shown.reduce((sum, text) => sum + text.split('\n').length, 0);
  return [...shown.map(section), section(`… and ${lines.length - listed} more.`)];
}

/** Adds a line to the last block, or starts a block if that one would grow too long. */
function add(blocks: string[], line: string): void {
  const last = blocks.at(-1);
  if (last !== undefined && last.length + 1 + line.length <= LIMITS.section)
    blocks[blocks.length - 1] = `${last}\n${line}`;
  else blocks.push(line);
}

function buttons({ links }: NoticeContent): object[] {
  const elements = links
    .filter(({ url }) => url.length <= LIMITS.url)
    .map(({ label, url }) => ({
      type: 'button',
      text: plain(escaped(label, LIMITS.button)),
      url,
    }));
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}
