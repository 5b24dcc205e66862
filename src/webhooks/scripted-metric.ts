/** Labels by name. */
export interface Labels {
  readonly [label: string]: string;
}

/** A value that describes objects of the cluster. */
export interface CustomMetric {
  readonly type: "custom";
  readonly metric: string;
  /** A quantity. */
  readonly value: string;
  /** The labels of the series. */
  readonly metricLabels: Labels;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  /** Empty for objects without one. */
  readonly namespace: string;
  /** Undefined for every name. */
  readonly name: string | undefined;
  /** The labels that an object must have. */
  readonly labels: Labels;
}

/** A value that describes nothing in the cluster. */
export interface ExternalMetric {
  readonly type: "external";
  readonly metric: string;
  /** A quantity. */
  readonly value: string;
  /** The labels of the series. */
  readonly metricLabels: Labels;
  readonly namespace: string;
}

/** What a test says about a metric. */
export type ScriptedMetric = CustomMetric | ExternalMetric;

/** The objects that a custom metric describes. */
export interface DescribedObjects {
  /** Such as "v1" or "networking.k8s.io/v1". */
  readonly apiVersion: string;
  readonly kind: string;
  /** Default: every object that has the labels. */
  readonly name?: string;
  /** Default: "default", for kinds that have namespaces. */
  readonly namespace?: string;
  /** Labels that an object has. Default: any. */
  readonly labels?: Labels;
  /** The labels of the series, which `metricLabelSelector` selects. Default: none. */
  readonly metricLabels?: Labels;
}

/** A series of an external metric. */
export interface ExternalSeries {
  /** Default: "default". */
  readonly namespace?: string;
  /** The labels of the series. Default: none. */
  readonly metricLabels?: Labels;
}
