import { visibleText } from '../../../components/visible-text.ts';
import { type EvidenceOf, measuredParts } from '../text/measured-parts.ts';
import { EvidenceLink } from './evidence-link.tsx';
import { useInvestigation } from './investigation-context.ts';

/** A text of an investigation, in which every number leads to the evidence that it was computed from. */
export function MeasuredText({ text, evidenceOf }: { text: string; evidenceOf: EvidenceOf }) {
  const view = useInvestigation();
  return <bdi>{measuredParts(text, evidenceOf, view).map(partView)}</bdi>;

  function partView(part: ReturnType<typeof measuredParts>[number], index: number) {
    if (part.kind === 'words') return visibleText(part.text);
    return (
      <EvidenceLink key={index} evidenceId={part.evidenceId} isNumber>
        {part.kind === 'number' ? part.text : `[${placeOf(part.evidenceId)}]`}
      </EvidenceLink>
    );
  }

  /** The number of a piece in the list of the evidence, from 1. */
  function placeOf(id: string): number {
    return view.investigation.evidence.findIndex((piece) => piece.id === id) + 1;
  }
}
