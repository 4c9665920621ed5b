import type { Unit } from '@tidewatch/contracts/values/unit';
import { Button } from '../../components/button.tsx';
import { formatValue } from '../../components/number/number-format.ts';
import { StatusShape } from '../../components/status/status.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { PageLink } from '../../routes/page-link.tsx';
import type { Picture } from '../plot/picture.ts';
import styles from '../time-chart.module.css';
import { type ChartThreshold, thresholdGroups, thresholdText } from './thresholds.ts';

export interface ThresholdButtonsProps {
  thresholds: readonly ChartThreshold[];
  picture: Picture;
  unit: Unit | null;
  metric: string;
  onOpen: (thresholds: readonly ChartThreshold[]) => void;
}

/** The heights of a button by pointer and by touch, as its style has them, px. */
const HEIGHT = 24;
const TOUCH_HEIGHT = 44;

/** Thresholds by severity and name, each at its value. */
export function ThresholdButtons({ thresholds, picture, unit, metric, onOpen }: ThresholdButtonsProps) {
  const { layout, scale } = picture;
  const visible = thresholds.filter(({ threshold }) => threshold >= scale.min && threshold <= scale.max);
  const height = matchMedia('(pointer: coarse)').matches ? TOUCH_HEIGHT : HEIGHT;
  // Buttons that would lie on one another move apart.
  let free = Number.NEGATIVE_INFINITY;
  return thresholdGroups(visible).map((group) => {
    const [{ threshold, severity }] = group as [ChartThreshold];
    const place = layout.top + ((scale.max - threshold) / (scale.max - scale.min)) * layout.plotHeight;
    const top = Math.max(place, free);
    free = top + height;
    const text = visibleText(
      group.map((each) => `${each.ruleName}, ${thresholdText(each, unit, metric)}`).join('; '),
    );
    const shown = `${severity} ${formatValue(threshold, unit, metric)}`;
    return (
      <button
        key={`${threshold} ${severity}`}
        type="button"
        className={styles['threshold']}
        style={{ top, left: layout.left + 4 }}
        aria-label={`Threshold ${shown}: ${text}`}
        title={text}
        onClick={() => onOpen(group)}
      >
        <StatusShape status={severity} size={10} />
        <span>{shown}</span>
      </button>
    );
  });
}

/** The rules of thresholds, with a link to each. */
export function OpenedThresholds(props: {
  thresholds: readonly ChartThreshold[];
  unit: Unit | null;
  metric: string;
  onClose: () => void;
}) {
  const { thresholds, unit, metric, onClose } = props;
  return (
    <div className={styles['details']}>
      {thresholds.map((each) => (
        <span key={each.ruleId}>
          <StatusShape status={each.severity} />{' '}
          <PageLink page="rule" id={each.ruleId}>
            {each.ruleName}
          </PageLink>{' '}
          {thresholdText(each, unit, metric)}
        </span>
      ))}
      <Button onClick={onClose}>Close</Button>
    </div>
  );
}
