/** The values that labels of metrics may have: by metric, by label. */
export type AllowedLabels = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Which metrics a server shows. */
export interface MetricsOptions {
  readonly allowedLabels: AllowedLabels;
  /** Whether metrics are shown that the release hides because they are deprecated. */
  readonly showHidden: boolean;
  readonly disabled: ReadonlySet<string>;
}
