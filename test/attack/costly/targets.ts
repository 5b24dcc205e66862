import { type CostlyRequest, costly, get, type SizedRequest, times } from "./costly-request.ts";

const pods = "/api/v1/namespaces/default/pods";
const query = (name: string, value: string): SizedRequest =>
  get(`${pods}?${name}=${encodeURIComponent(value)}`);
const labels = (value: string) => query("labelSelector", value);
const fields = (value: string) => query("fieldSelector", value);
const remove = (text: string): SizedRequest => ({ method: "DELETE", target: `${pods}?${text}` });

/** Paths and query parameters. */
export const costlyTargets: readonly CostlyRequest[] = costly({
  "labelSelector: terms": (n) => labels(times(n, (i) => `k${i}=v`).join()),
  "labelSelector: terms of one key": (n) => labels(times(n, (i) => `k!=v${i}`).join()),
  "labelSelector: values": (n) => labels(`k in (${times(n, (i) => `v${i}`).join()})`),
  "labelSelector: excluded values": (n) => labels(`k notin (${times(n, (i) => `v${i}`).join()})`),
  "labelSelector: keys": (n) => labels(times(n, (i) => `!k${i}`).join()),
  "labelSelector: blanks": (n) => labels(`k${" ".repeat(n)}=${" ".repeat(n)}v`),
  "labelSelector: brackets": (n) => labels(`k in ${"(".repeat(n)}`),
  "labelSelector: commas": (n) => labels(`k in (${",".repeat(n)})`),
  "labelSelector: equals signs": (n) => labels("=".repeat(n)),
  "labelSelector: a long name": (n) => labels(`${"a.".repeat(n)}/b`),
  "labelSelector: a long value": (n) => labels(`a=${"b".repeat(n)}-`),
  "labelSelector of a watch": (n) => get(`${pods}?watch=1&labelSelector=${times(n, (i) => `k${i}`).join()}`),
  "labelSelector of a deletion": (n) => remove(`labelSelector=${times(n, (i) => `k${i}`).join()}`),
  "fieldSelector: terms": (n) => fields("metadata.name=a,".repeat(n)),
  "fieldSelector: terms that differ": (n) => fields(times(n, (i) => `metadata.name!=a${i}`).join()),
  "fieldSelector: backslashes": (n) => fields(`metadata.name=${"\\\\".repeat(n)}`),
  "fieldSelector: commas": (n) => fields(",".repeat(n)),
  "fieldSelector: unknown fields": (n) => fields(times(n, (i) => `a${i}=b`).join()),
  "parameters that differ": (n) => get(`${pods}?${times(n, (i) => `p${i}=v`).join("&")}`),
  "parameters of one name": (n) => get(`${pods}?${"limit=1&".repeat(n)}`),
  "dryRun: values": (n) => ({ method: "POST", target: `${pods}?${"dryRun=All&".repeat(n)}`, body: "{}" }),
  "dryRun: invalid values": (n) => ({
    method: "POST",
    target: `${pods}?${times(n, (i) => `dryRun=a${i}&`).join("")}`,
    body: "{}",
  }),
  "escapes in parameters": (n) => get(`${pods}?a=${"%41".repeat(n)}`),
  "broken escapes in parameters": (n) => get(`${pods}?a=${"%".repeat(n)}`),
  "plus signs in parameters": (n) => query("labelSelector", "+".repeat(n)),
  ampersands: (n) => get(`${pods}?${"&".repeat(n)}`),
  "semicolons in parameters": (n) => get(`${pods}?${"a;".repeat(n)}`),
  "continue: a long token": (n) => query("continue", "a".repeat(n)),
  "continue: a deep token": (n) => query("continue", btoa("[".repeat(n))),
  "continue: a long key": (n) =>
    query("continue", btoa(JSON.stringify({ v: "meta.k8s.io/v1", rv: 1, start: "a/".repeat(n) }))),
  "limit: digits": (n) => query("limit", "1".repeat(n)),
  "resourceVersion: digits": (n) => get(`${pods}?watch=1&resourceVersion=${"1".repeat(n)}`),
  "timeoutSeconds: digits": (n) => get(`${pods}?watch=1&timeoutSeconds=${"1".repeat(n)}x`),
  "timeout: durations": (n) => ({ method: "POST", target: `${pods}?timeout=${"1ns".repeat(n)}`, body: "{}" }),
  "fieldManager: a long name": (n) => ({
    method: "POST",
    target: `${pods}?fieldManager=${"a".repeat(n)}`,
    body: '{"metadata":{"name":"costly"}}',
  }),
  "a path of slashes": (n) => get("/".repeat(n)),
  "a path of segments": (n) => get(`/api/v1${"/a".repeat(n)}`),
  "a path of dots": (n) => get(`/api/v1/${"../".repeat(n)}`),
  "a path of escapes": (n) => get(`/api/v1/namespaces/${"%41".repeat(n)}`),
  "a path of broken escapes": (n) => get(`/api/v1/namespaces/${"%".repeat(n)}`),
  "a long name": (n) => get(`${pods}/${"a".repeat(n)}`),
  "a long resource": (n) => get(`/apis/a/v1/${"a".repeat(n)}`),
  "a long proxy path": (n) => get(`${pods}/costly/proxy/${"a/".repeat(n)}`),
  "command of exec": (n) => get(`${pods}/costly/exec?${"command=a&".repeat(n)}`),
  "a path of openapi": (n) => get(`/openapi/v3/${"apis/".repeat(n)}`),
});
