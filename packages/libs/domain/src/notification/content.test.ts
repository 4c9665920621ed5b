import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { Transition } from '@tidewatch/contracts/channels/notice-events';
import { isServed } from '@tidewatch/contracts/console/paths';
import { describe, expect, it } from 'vitest';
import { noticeContent } from './content.ts';
import { anAlert, aResolvedAlert, NOW } from './notice.fixture.ts';

const RUNBOOK = 'https://wiki.example.com/cpu';

function contentOf(
  transition: Transition,
  alerts: Alert[],
  { time = NOW, publicUrl = null as string | null } = {},
) {
  const rule = { name: alerts[0]?.rule_name ?? '', runbookUrl: RUNBOOK };
  return noticeContent({ transition, time, rule, alerts, publicUrl });
}

const factsOf = (content: ReturnType<typeof contentOf>) =>
  Object.fromEntries(content.facts.map(({ label, value }) => [label, value]));

describe('one alert', () => {
  it('names host, metric, value and duration of the breach, host first', () => {
    const content = contentOf('fired', [anAlert()]);
    expect(content).toMatchObject({
      state: 'Firing',
      resolved: false,
      title: 'web-01: CPU is busy',
      lines: [],
    });
    expect(content.summary).toBe('web-01: cpu_percent is 97.5 %, above 90 % for 5 minutes.');
    expect(factsOf(content)).toEqual({
      Host: 'web-01',
      Severity: 'critical',
      Rule: 'CPU is busy',
      Metric: 'cpu_percent',
      Value: '97.5 %',
      'Fires when': 'above 90 %',
      For: '5 minutes',
      Alert: anAlert().id,
    });
    expect(content.links).toEqual([{ label: 'Runbook', url: RUNBOOK }]);
  });

  it('states how long a resolved alert lasted', () => {
    const content = contentOf('resolved', [aResolvedAlert()], { time: NOW + 8 * 60_000 });
    expect(content).toMatchObject({ state: 'Resolved', resolved: true });
    expect(content.summary).toBe('web-01: cpu_percent is 12.5 %; resolved after 12 minutes.');
    expect(factsOf(content)).toMatchObject({ Lasted: '12 minutes' });
  });

  it('states why an alert ended without recovery', () => {
    const content = contentOf('resolved', [aResolvedAlert({ resolution: 'rule_deleted' })]);
    expect(content.summary).toContain('resolved after 12 minutes, for the rule was deleted.');
  });

  it.each<[Transition, string]>([
    ['escalated', 'Escalated'],
    ['renotified', 'Still firing'],
    ['flapping', 'Flapping'],
    ['silence_ended', 'Firing, no longer silenced'],
  ])('%s is said as "%s"', (transition, state) => {
    expect(contentOf(transition, [anAlert()]).state).toBe(state);
  });

  it('states the duration of a continuing breach', () => {
    const content = contentOf('renotified', [anAlert()], { time: NOW + 60 * 60_000 });
    expect(content.summary).toBe('web-01: cpu_percent is 97.5 %, above 90 % for 1 hour 5 minutes.');
  });

  it('names the container, and shows memory with its unit', () => {
    const subject = { kind: 'container' as const, name: 'api' };
    const content = contentOf('fired', [
      anAlert({ subject, metric: 'container.memory_usage', value: 1_610_612_736, threshold: 2 ** 30 }),
    ]);
    expect(content.title).toBe('web-01, container api: CPU is busy');
    expect(factsOf(content)).toMatchObject({
      Container: 'api',
      Value: '1.5 GiB',
      'Fires when': 'above 1 GiB',
    });
  });

  it('names host and part, with the kind of the part', () => {
    const subject = { kind: 'part' as const, name: 'filesystem:/var/log' };
    const content = contentOf('renotified', [anAlert({ subject, metric: 'filesystem.used_percent' })]);
    expect(content.title).toBe('web-01, filesystem /var/log: CPU is busy');
    expect(content.summary).toMatch(/^web-01, filesystem \/var\/log: filesystem.used_percent is 97.5 %/);
    expect(factsOf(content)).toMatchObject({ Host: 'web-01', Part: 'filesystem /var/log' });
  });

  it('states no condition if the metric is missing', () => {
    const facts = factsOf(contentOf('fired', [anAlert({ no_data: true, value: null })]));
    expect(facts).toMatchObject({ Value: 'no data' });
    expect(facts).not.toHaveProperty('Fires when');
  });

  it('names the busiest processes, by memory where memory is evaluated', () => {
    const process = (pid: number, cpu_percent: number | null, memory_rss: number | null) => {
      return { name: 'job', pid, cpu_percent, memory_rss };
    };
    const processes = [process(1, 5, 2 ** 30), process(2, 95, 2 ** 20), process(3, null, null)];
    const context = { processes, containers: [] };
    expect(contentOf('fired', [anAlert({ context })]).processes).toEqual([
      'job (pid 2), 95 % CPU, 1 MiB memory',
      'job (pid 1), 5 % CPU, 1 GiB memory',
      'job (pid 3)',
    ]);
    const byMemory = contentOf('fired', [anAlert({ context, metric: 'memory_percent' })]).processes;
    expect(byMemory[0]).toContain('pid 1');
  });

  it('links to the runbook, and to pages that the console has where the public URL is known', () => {
    const alert = anAlert({ investigation_id: 'inv_1' });
    const labels = (publicUrl: string | null) =>
      contentOf('fired', [alert], { publicUrl }).links.map(({ label }) => label);
    expect(labels(null)).toEqual(['Runbook']);
    const pages = { Alert: 'alert', Chart: 'host', Investigation: 'investigation' } as const;
    const served = (Object.keys(pages) as (keyof typeof pages)[]).filter((label) => isServed(pages[label]));
    expect(labels('https://tw.example')).toEqual([...served, 'Runbook']);
    expect(contentOf('fired', [alert], { publicUrl: null }).links[0]?.url).toBe(RUNBOOK);
  });

  it('states the id of its alert', () => {
    expect(factsOf(contentOf('fired', [anAlert()]))).toMatchObject({ Alert: anAlert().id });
    expect(contentOf('digest', [anAlert()]).lines[0]).toContain(anAlert().id);
  });

  it('states for how long a silent host has been silent', () => {
    const silent = { metric: 'host.silent_minutes', value: 12.0003, threshold: 5 };
    const content = contentOf('renotified', [anAlert(silent)]);
    expect(content.summary).toBe('web-01 has been silent for 12 minutes.');
    expect(factsOf(content)).toMatchObject({
      Value: '12 minutes',
      'Fires when': 'silent for more than 5 minutes',
    });
    expect(contentOf('resolved', [aResolvedAlert({ ...silent, value: 0.1 })]).summary).toBe(
      'web-01: reports again; resolved after 12 minutes.',
    );
  });

  it('shows a value and its threshold with enough digits to distinguish them', () => {
    const facts = factsOf(contentOf('renotified', [anAlert({ value: 90.0000004 })]));
    expect(facts).toMatchObject({ Value: '90.0000004 %', 'Fires when': 'above 90 %' });
  });

  it('puts hostile names on one line and shows hidden characters', () => {
    const host = 'web\r\nBcc: x@evil.example\u202e01\u0000';
    const content = contentOf('fired', [anAlert({ host, rule_name: 'a\u2028b', summary: `${host}: x` })]);
    expect(content.title).toBe('web Bcc: x@evil.example 01: a b');
    expect(content.summary).toBe('web Bcc: x@evil.example 01 : x');
  });
});

describe('a digest', () => {
  const storm = Array.from({ length: 20 }, (_, i) =>
    anAlert({ host: `web-${i}`, subject: { kind: 'host', name: `web-${i}` } }),
  );

  it('names all of its alerts', () => {
    const content = contentOf('digest', storm);
    expect(content).toMatchObject({ state: 'Firing', title: '20 alerts on 20 hosts: CPU is busy' });
    expect(content.lines).toHaveLength(20);
    expect(content.lines[19]).toBe(`web-19: 97.5 %, critical, ${anAlert().id}`);
  });

  it('is firing while one of its alerts is, with the worst severity', () => {
    const mixed = [aResolvedAlert({ severity: 'info' }), anAlert({ severity: 'warning' })];
    expect(contentOf('digest', mixed)).toMatchObject({ resolved: false, severity: 'warning' });
    expect(contentOf('digest', mixed.slice(0, 1))).toMatchObject({ resolved: true, state: 'Resolved' });
  });
});

it('a notice without alerts is refused', () => {
  expect(() => contentOf('fired', [])).toThrow(RangeError);
});
