/** The most requests that were in flight at a time. */
export interface InFlightPeaks {
  readonly readOnly: number;
  readonly mutating: number;
}

/** What is known of the requests in flight. */
export interface InFlightMetrics {
  /** How many may be; 0 for any number. */
  readonly limit: number;
  /** The peaks since the last call; upstream has those of the last second. */
  takePeaks(): InFlightPeaks;
}
