/** Enables all that a release can serve. */
export const everyApi: ReadonlyMap<string, boolean> = new Map([
  ["api/all", true],
  ...[
    "daemonsets",
    "deployments",
    "networkpolicies",
    "podsecuritypolicies",
    "replicasets",
    "replicationcontrollers",
  ].map((resource) => [`extensions/v1beta1/${resource}`, true] as const),
]);
