/** Whether a cell of evidence is a time in the format of Tidewatch. */
export function isMoment(cell: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T[\d:.]{8,12}Z$/.test(cell);
}
