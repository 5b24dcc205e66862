/** Which metrics a server shows. */
export interface MetricsOptions {
  /** Whether metrics are shown that the release hides because they are deprecated. */
  readonly showHidden: boolean;
  readonly disabled: ReadonlySet<string>;
}
