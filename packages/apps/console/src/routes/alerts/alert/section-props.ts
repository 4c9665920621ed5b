import type { Unit } from '@tidewatch/contracts/values/unit';
import type { Investigation } from '../../investigations/investigation-reads.ts';
import type { Alert, Evidence } from '../alert-reads.ts';
import type { Marker } from '../timeline.ts';

/** What the sections of an alert's page show; reads that have not arrived are undefined. */
export interface SectionProps {
  alert: Alert;
  unit: Unit | null;
  evidence: Evidence | undefined;
  evidenceError: Error | null;
  investigation: Investigation | undefined;
  markers: readonly Marker[];
}
