import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import type { ApiRequest, Handler, HeaderLookup } from "../request/handler.ts";
import { inProcessPeer } from "../request/peer.ts";
import { plainRequest } from "../request/plain-request.ts";
import type { LoggedRequest } from "../scenario/logged-request.ts";
import { ReplicaView } from "../scenario/replica-view.ts";
import { type FaultContext, queryOf } from "../scenario/scenario.ts";
import type { Store } from "../store/store.ts";

/** The user of writes that a fault makes in the name of another client. */
export const otherWriter: UserInfo = {
  name: "other-writer",
  uid: "",
  groups: ["system:masters"],
  extra: {},
};

/** How a fault can change the state that the server answers from. */
export type StateChanges = Pick<
  FaultContext,
  "revision" | "viewOf" | "expireHistory" | "raceWriter" | "newest"
>;

/** Changes through the store, and through another client whose requests pass the whole pipeline. */
export function stateChanges(
  store: Store<KubeObject>,
  handler: Handler,
  otherToken: () => string,
): (request: LoggedRequest, headers: HeaderLookup) => StateChanges {
  return (request, headers) => ({
    revision: () => store.revision,
    viewOf: (revisionsAgo) => new ReplicaView(store, revisionsAgo),
    expireHistory: () => expireHistory(store),
    newest: () => handler(readOf(request, headers, otherToken()), inProcessPeer),
    raceWriter: async () => {
      await handler(annotation(request, otherToken(), store.revision), inProcessPeer);
    },
  });
}

/** Compacts like kube-apiserver, which first writes its own key to etcd: every revision that clients know is older. */
export function expireHistory(store: Store<KubeObject>): void {
  const value: KubeObject = { kind: "", apiVersion: "", metadata: {} };
  void store.guaranteedUpdate("compact_rev_key", () => ({ type: "put", value }));
  store.compact();
}

/** The same read without a resourceVersion. */
function readOf({ path, target }: LoggedRequest, headers: HeaderLookup, token: string): ApiRequest {
  const query = queryOf({ target });
  query.delete("resourceVersion");
  query.delete("resourceVersionMatch");
  const accept = headers.get("accept");
  return plainRequest({
    method: "GET",
    target: query.size === 0 ? encodeURI(path) : `${encodeURI(path)}?${query}`,
    headers: new Map([
      ["authorization", `Bearer ${token}`],
      ...(accept === undefined ? [] : [["accept", accept] as const]),
    ]),
  });
}

function annotation(request: LoggedRequest, token: string, revision: number): ApiRequest {
  const patch = { metadata: { annotations: { "other-writer/saw": String(revision) } } };
  return plainRequest({
    method: "PATCH",
    target: objectPath(request),
    headers: new Map([
      ["authorization", `Bearer ${token}`],
      ["content-type", "application/merge-patch+json"],
      ["user-agent", otherWriter.name],
    ]),
    body: new TextEncoder().encode(JSON.stringify(patch)),
  });
}

function objectPath({ group, version, namespace, resource, name }: LoggedRequest): string {
  const prefix = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespace === "" || resource === "namespaces" ? "" : `/namespaces/${namespace}`;
  return `${prefix}${place}/${resource}/${encodeURIComponent(name)}`;
}
