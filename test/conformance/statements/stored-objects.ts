import { get, type Statement, send } from "./statement.ts";

const maps = "/api/v1/namespaces/updates/configmaps";
const leases = "/apis/coordination.k8s.io/v1/namespaces/updates/leases";
const claims = "/api/v1/namespaces/updates/persistentvolumeclaims";
const merge = "application/merge-patch+json";
const going = { metadata: { name: "going", finalizers: ["example.com/f"] } };
const gone = { metadata: { name: "gone", finalizers: ["example.com/f"] } };

function claim(storage: string): object {
  return {
    spec: { accessModes: ["ReadWriteOnce"], storageClassName: "", resources: { requests: { storage } } },
  };
}

/** Rules of the reference that need an object in the store, or its absence. */
export const storedObjectStatements: readonly Statement[] = [
  {
    source: "API reference, requests, section 4",
    says: "a list of one missing name is empty",
    request: get(`${maps}?fieldSelector=metadata.name%3Dnone`),
    code: 200,
    answer: { kind: "ConfigMapList", items: [] },
  },
  {
    source: "API reference, requests, section 12",
    says: "an update with a uid creates no object",
    request: send("PUT", `${leases}/none`, { metadata: { name: "none", uid: "u" } }),
    code: 409,
    answer: /Precondition failed: UID in precondition: u, UID in object meta: $/,
  },
  {
    source: "API reference, requests, section 13",
    says: "a second delete of an object with finalizers is answered with the object",
    after: [send("POST", maps, going), send("DELETE", `${maps}/going`, "")],
    request: send("DELETE", `${maps}/going`, ""),
    code: 200,
    answer: { kind: "ConfigMap", metadata: { finalizers: ["example.com/f"], deletionGracePeriodSeconds: 0 } },
  },
  {
    source: "API reference, requests, section 12",
    says: "the update that removes the last finalizer is answered with the object",
    after: [send("POST", maps, gone), send("DELETE", `${maps}/gone`, "")],
    request: send("PATCH", `${maps}/gone`, { metadata: { finalizers: null }, data: { a: "b" } }, merge),
    code: 200,
    answer: { kind: "ConfigMap", data: { a: "b" } },
  },
  {
    source: "API reference, admission, section 2",
    says: "a claim of no class cannot grow",
    after: [
      send("POST", claims, { metadata: { name: "small" }, ...claim("1Gi") }),
      send("PATCH", `${claims}/small/status`, { status: { phase: "Bound" } }, merge),
    ],
    request: send("PATCH", `${claims}/small`, claim("2Gi"), merge),
    code: 403,
    answer:
      'persistentvolumeclaims "small" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  },
];
