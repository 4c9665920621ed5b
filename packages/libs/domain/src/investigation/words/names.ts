import { namedSubject } from '@tidewatch/contracts/values/named-subject';
import { cut, oneLine } from '../../notification/text.ts';
import type { Subject } from '../facts.ts';

const LONGEST = 80;

/**
 * A name as one line of at most eighty characters. Names of hosts, processes, containers and tags come from agents, so they
 * may contain anything.
 */
export function plain(name: string): string {
  return cut(oneLine(name), LONGEST) || '(no name)';
}

/** The name in quotation marks; quotation marks within the name are replaced. */
export function quoted(name: string): string {
  return `"${plain(name).replaceAll('"', "'")}"`;
}

/** "process "x"", "tag "version=2"", "filesystem "/var"" of a part, or the host by its name. */
export function subjectInWords(subject: Subject, host: string): string {
  if (subject.kind === 'host') return plain(host);
  const { kind, name } = namedSubject(subject);
  return `${plain(kind)} ${quoted(name)}`;
}

/** Escapes Markdown. Underscores within words have no meaning there and stay. */
export function escaped(text: string): string {
  return text.replace(/[\\`*[\]<>#|!~]|(?<!\w)_|_(?!\w)/g, '\\$&');
}
