/** The latest value of each of a block's sixteen slots, by sample time; a slot without a value has the time -Infinity. */
export interface LatestBlock {
  id: number;
  latestTimes: Float64Array;
  latestValues: Float64Array;
}
