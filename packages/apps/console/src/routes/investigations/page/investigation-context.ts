import { createContext, useContext } from 'react';
import type { Evidence, Investigation } from '../investigation-reads.ts';
import { hostsIn } from '../main-findings.ts';
import { type EvidenceSource, sourceOf } from '../text/evidence-source.ts';
import {
  type EvidenceOf,
  evidenceOfFindings,
  type Measured,
  namesIn,
  numberPattern,
} from '../text/measured-parts.ts';

/** An investigation with what its texts need to link their numbers. */
export interface InvestigationView extends Measured {
  investigation: Investigation;
  /** The evidence of a number that repeats one of the findings. */
  ofFindings: EvidenceOf;
  /** What each piece of evidence is about, by its id. */
  sources: ReadonlyMap<string, EvidenceSource>;
}

export const InvestigationContext = createContext<InvestigationView | null>(null);

/** The investigation of the page. Throws outside of one. */
export function useInvestigation(): InvestigationView {
  const view = useContext(InvestigationContext);
  if (view === null) throw new Error('this part stands outside of the page of an investigation');
  return view;
}

export function viewOf(investigation: Investigation): InvestigationView {
  const evidence = new Map(investigation.evidence.map((piece) => [piece.id, piece]));
  const hosts = hostsIn(investigation);
  return {
    investigation,
    evidence,
    pattern: numberPattern(namesIn(investigation)),
    ofFindings: evidenceOfFindings(investigation.findings, evidence),
    sources: new Map(investigation.evidence.map((piece) => [piece.id, sourceOf(piece, hosts)])),
  };
}

/** What a piece of the evidence is about. */
export function sourceIn({ sources }: InvestigationView, piece: Evidence): EvidenceSource {
  const source = sources.get(piece.id);
  if (source === undefined) throw new Error('the evidence is of another investigation');
  return source;
}
