import { NumberList } from '../points/number-list.ts';

/** The max number of quantiles of a point. */
const MAX_QUANTILES = 100;

/** What a point of a summary of OTLP states. */
export class SummaryValues {
  count = 0;
  sum = 0;
  readonly quantiles = new NumberList(MAX_QUANTILES);
  /** The values of the quantiles, in the same order. */
  readonly values = new NumberList(MAX_QUANTILES);

  clear(): void {
    this.count = 0;
    this.sum = 0;
    this.quantiles.clear();
    this.values.clear();
  }

  /** Whether there are at most `MAX_QUANTILES`, each from 0 to 1. */
  get isValid(): boolean {
    return (
      this.quantiles.isWhole && this.quantiles.values.every((quantile) => quantile >= 0 && quantile <= 1)
    );
  }
}
