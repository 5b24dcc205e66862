/** A request that has reached a resource, with the labels of upstream's metrics. */
export interface RoutedRequest {
  /** Identifies group, version, resource and subresource: one object for all requests to them. */
  readonly endpoint: object;
  /** `GET`, `LIST`, `WATCH`, `POST`, `PUT`, `PATCH`, `APPLY`, `DELETE` or `CONNECT`. */
  readonly verb: string;
  readonly dryRun: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** The empty string for the resource itself. */
  readonly subresource: string;
  readonly scope: "resource" | "namespace" | "cluster";
  /** For a deprecated version, the release that removes it, or the empty string; undefined for others. */
  readonly removedRelease: string | undefined;
}
