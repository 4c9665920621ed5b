import { type Installation, openInstallation } from '@tidewatch/harness/installation';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { BREACH, CLEAR, type ManualResolution, openManualResolution } from './manual-resolution.harness.ts';

const WITHIN = { timeout: 60_000, interval: 250 };
const HOSTS = Array.from({ length: 8 }, (_, index) => `by-hand-${index}`);
const RESOLUTIONS = 40;
const PHASES = 5;

const activeInEveryCount = (active: number) => ({
  active,
  hosts: active,
  states: active,
  firing: active,
  shown: active,
  waiting: 0,
});

describe.skipIf(inject('kafka').state === 'lacked')(
  '[needs Kafka] alerts that are resolved by hand while evaluators come and go',
  () => {
    let installation: Installation;
    let alerts: ManualResolution;

    beforeAll(async () => {
      installation = await openInstallation();
      alerts = await openManualResolution(installation, HOSTS);
    });
    afterAll(async () => {
      await alerts?.close();
      await installation?.close();
    });

    it('are never duplicated, have one event for each transition, and are followed by a new alert at the next breach', async () => {
      await alerts.evaluatorJoins();
      alerts.feedHosts();
      await alerts.areResolved(RESOLUTIONS);
      await alerts.evaluatorJoins();
      await alerts.areResolved(RESOLUTIONS);
      await alerts.evaluatorIsKilled();
      await alerts.areResolved(RESOLUTIONS);
      await alerts.evaluatorJoins();
      await alerts.areResolved(RESOLUTIONS);
      expect(await alerts.evaluatorLeaves()).toBe(0);
      await alerts.areResolved(RESOLUTIONS);
      await alerts.stopFeeding();

      await alerts.send(CLEAR);
      await expect.poll(alerts.counts, WITHIN).toEqual(activeInEveryCount(0));
      await alerts.send(BREACH);
      await expect.poll(alerts.counts, WITHIN).toEqual(activeInEveryCount(HOSTS.length));

      const resolved = await alerts.resolveAll();
      await alerts.send(BREACH);
      await expect.poll(alerts.counts, WITHIN).toEqual(activeInEveryCount(HOSTS.length));
      const renewed = await alerts.activeIds();
      expect(renewed.filter((id) => resolved.includes(id))).toEqual([]);
      expect([...alerts.hostsListedTwice]).toEqual([]);

      const events = await alerts.events();
      expect(events.length).toBeGreaterThanOrEqual(PHASES * RESOLUTIONS + 2 * HOSTS.length);
      const isResolved = (status: string) => Number(status === 'resolved');
      expect(events.filter((each) => each.fired !== 1 || each.resolved !== isResolved(each.status))).toEqual(
        [],
      );
    }, 400_000);
  },
);
