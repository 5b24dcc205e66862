/** The Service `kubernetes`, its Endpoints and its EndpointSlice, which lead pods to the server. */
export interface KubernetesService {
  /** Those that the server has. */
  readonly kinds: ReadonlySet<string>;
  /** Sets the address and port of the object of this kind, if there are any to publish. */
  publish(kind: string): void;
}
