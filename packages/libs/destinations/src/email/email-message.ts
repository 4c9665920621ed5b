import { escapeHtml } from '@tidewatch/contracts/values/escape-html';
import type { NoticeContent } from '@tidewatch/domain/notification/content';
import { cut } from '@tidewatch/domain/notification/text';

/** Subject, text and HTML of an email; the sender adds addresses and threading. */
export interface EmailMessage {
  subject: string;
  text: string;
  html: string;
}

/** The max length of a subject: RFC 5322 allows 998 bytes in a header line, but people read less. */
const MAX_SUBJECT = 200;

const COLOURS = { critical: '#b3261e', warning: '#b25e00', info: '#1a5fb4', resolved: '#1b7f3b' };

/** The email as text and as HTML without external resources. */
export function emailMessage(content: NoticeContent): EmailMessage {
  const { severity, resolved } = content;
  const state = resolved ? content.state : `${content.state}, ${severity}`;
  return {
    subject: cut(`${content.title} (${state.toLowerCase()})`, MAX_SUBJECT),
    text: asText(content),
    html: asHtml(content, COLOURS[resolved ? 'resolved' : severity]),
  };
}

function asText({ state, title, summary, facts, processes, lines, links }: NoticeContent): string {
  const width = Math.max(0, ...facts.map(({ label }) => label.length)) + 2;
  const parts = [
    [`${state}: ${title}`],
    [summary],
    facts.map(({ label, value }) => `${`${label}:`.padEnd(width)}${value}`),
    processes.length > 0 ? ['Top processes:', ...processes.map((each) => `  ${each}`)] : [],
    lines.map((each) => `- ${each}`),
    links.map(({ label, url }) => `${label}: ${url}`),
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')}\n`;
}

function asHtml(content: NoticeContent, colour: string): string {
  const { state, title, summary, facts, processes, lines, links } = content;
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#666">${escapeHtml(label)}</td><td>${escapeHtml(value)}</td></tr>`,
  );
  const list = (items: readonly string[]) =>
    `<ul>${items.map((each) => `<li>${escapeHtml(each)}</li>`).join('')}</ul>`;
  const anchors = links.map(({ label, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`);
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"></head>',
    '<body style="font-family:sans-serif;font-size:14px;color:#222">',
    `<h1 style="font-size:18px;color:${colour}">${escapeHtml(`${state}: ${title}`)}</h1>`,
    `<p>${escapeHtml(summary)}</p>`,
    `<table style="border-collapse:collapse">${rows.join('')}</table>`,
    ...(processes.length > 0 ? [`<p>Top processes</p>${list(processes)}`] : []),
    ...(lines.length > 0 ? [list(lines)] : []),
    ...(anchors.length > 0 ? [`<p>${anchors.join(' · ')}</p>`] : []),
    '</body></html>',
    '',
  ].join('\n');
}
