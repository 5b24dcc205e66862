/** What a component says about an object. */
export interface RecordedEvent {
  readonly type: "Normal" | "Warning";
  /** In camel case with a capital letter, such as `ScalingReplicaSet`. */
  readonly reason: string;
  readonly message: string;
  /** The part of the object, such as `spec.containers{web}`. */
  readonly fieldPath?: string;
}

/** The component that records, and the node that it runs on, if it is a kubelet. */
export interface EventSource {
  readonly component: string;
  readonly host?: string;
}
