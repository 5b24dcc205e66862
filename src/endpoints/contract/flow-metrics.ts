/** What is counted of a flow: a flow schema and its priority level. */
export interface FlowCounts {
  readonly priorityLevel: string;
  /** The requests that were executed. */
  dispatched: number;
  rejected: number;
  /** The requests that have no answer yet. */
  executing: number;
}

/** The requests by flow schema and priority level. They are classified and counted, never queued. */
export class FlowMetrics {
  readonly #counts = new Map<string, FlowCounts>();

  /** The flows that requests had, by their labels. */
  get all(): readonly (readonly [labels: string, counts: FlowCounts])[] {
    return [...this.#counts].filter(([, { dispatched, rejected }]) => dispatched + rejected > 0);
  }

  /** What counts a flow, also after its schema has changed. */
  countsOf(flowSchema: string, priorityLevel: string): FlowCounts {
    const labels = `flow_schema="${flowSchema}",priority_level="${priorityLevel}"`;
    const counts = this.#counts.get(labels) ?? { priorityLevel, dispatched: 0, rejected: 0, executing: 0 };
    this.#counts.set(labels, counts);
    return counts;
  }

  reset(): void {
    for (const counts of this.#counts.values()) {
      counts.dispatched = 0;
      counts.rejected = 0;
    }
  }
}
