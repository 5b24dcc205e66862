import { type CostlyRequest, costly, get, type SizedRequest, send, times } from "./costly-request.ts";

const api = "/api/v1/namespaces/default/configmaps";
const accept = (value: string) => get(api, [["Accept", value]]);
const contentType = (value: string) => send("POST", api, value, "{}");
const patchType = (value: string) => send("PATCH", `${api}/costly`, value, "{}");
const authorization = (value: string) => get(api, [["Authorization", value]]);
const header = (name: string, value: string) => get(api, [[name, value]]);

/** A user other than the one who authenticates, with `size` headers. */
function impersonated(size: number, extra: (i: number) => readonly [string, string]): SizedRequest {
  return get(api, [["Impersonate-User", "alice"], ...times(size, extra)]);
}

/** Headers that the server parses. Anonymous clients may send most of them. */
export const costlyHeaders: readonly CostlyRequest[] = costly({
  "Accept: blanks": (n) => accept(`a${" ".repeat(n)}b`),
  "Accept: blanks around a clause": (n) => accept(`${" ".repeat(n)}a/b${" ".repeat(n)}x`),
  "Accept: clauses of one quality": (n) => accept("a/b,".repeat(n)),
  "Accept: clauses of rising quality": (n) => accept(times(n, (i) => `a/b;q=0.${i}`).join()),
  "Accept: wildcards before types": (n) => accept(`${"*/*,".repeat(n)}${"a/b,".repeat(n)}application/json`),
  "Accept: wildcards and types in turn": (n) => accept(`${"*/*;q=0.1,a/b;q=0.1,".repeat(n)}application/json`),
  "Accept: parameters": (n) => accept(`application/json${times(n, (i) => `;p${i}=v`).join("")}`),
  "Accept: unknown tables": (n) => accept("application/json;as=Table;g=x;v=v1,".repeat(n)),
  "Accept: a long quality": (n) => accept(`a/b;q=${"1".repeat(n)}x`),
  "Accept: slashes": (n) => accept(`a${"/b".repeat(n)}`),
  "Accept: equals signs": (n) => accept(`a/b;a${"=".repeat(n)}`),
  "Accept: semicolons": (n) => accept(`a/b${";".repeat(n)}`),
  "Accept: commas": (n) => accept(",".repeat(n)),
  "Accept of a patch": (n) => get(`${api}/costly`, [["Accept", `${"a/b ,".repeat(n)}*/*`]]),
  "Content-Type: blanks": (n) => contentType(`application/json${" ".repeat(n)}x`),
  "Content-Type: blanks after the semicolon": (n) => contentType(`application/json;${" ".repeat(n)}`),
  "Content-Type: blanks before an equals sign": (n) => contentType(`application/json;a${" ".repeat(n)}b`),
  "Content-Type: parameters": (n) => contentType(`application/json${times(n, (i) => `;p${i}=v`).join("")}`),
  "Content-Type: a quoted parameter": (n) => contentType(`application/json;a="${"\\x".repeat(n)}"`),
  "Content-Type: an open quote": (n) => contentType(`application/json;a="${"\\".repeat(n)}`),
  "Content-Type: tokens": (n) => contentType("a".repeat(n)),
  "Content-Type of a patch: media types": (n) => patchType("a/b,".repeat(n)),
  "Content-Type of a patch: blanks": (n) => patchType(`a${" ".repeat(n)}b`),
  "Accept-Encoding: codings": (n) => header("Accept-Encoding", "br;q=0.5, ".repeat(n)),
  "Accept-Encoding: blanks": (n) => header("Accept-Encoding", `gzip${" ".repeat(n)}x`),
  "Authorization: blanks": (n) => authorization(`Bearer${" ".repeat(n)}x`),
  "Authorization: a long token": (n) => authorization(`Bearer ${"a".repeat(n)}`),
  "Authorization: dots": (n) => authorization(`Bearer ${"a.".repeat(n)}`),
  "Authorization: a long claim": (n) =>
    authorization(
      `Bearer ${[{ alg: "RS256" }, { iss: "x".repeat(n) }].map(base64).join(".")}.${"A".repeat(n)}`,
    ),
  "Authorization: a deep claim": (n) =>
    authorization(`Bearer ${base64({ alg: "RS256" })}.${btoa("[".repeat(n))}.AAAA`),
  "Authorization: Basic": (n) => authorization(`Basic ${btoa(`a:${":".repeat(n)}`)}`),
  "Impersonate-Group: groups": (n) => impersonated(n, (i) => ["Impersonate-Group", `g${i}`]),
  "Impersonate-Group: the same group": (n) => impersonated(n, () => ["Impersonate-Group", "g"]),
  "Impersonate-Extra: names": (n) => impersonated(n, (i) => [`Impersonate-Extra-k${i}`, "v"]),
  "Impersonate-Extra: values": (n) => impersonated(n, (i) => ["Impersonate-Extra-k", `v${i}`]),
  "Impersonate-Extra: a name of escapes": (n) =>
    impersonated(1, () => [`Impersonate-Extra-${"%41".repeat(n)}`, "v"]),
  "Impersonate-User: a service account": (n) =>
    header("Impersonate-User", `system:serviceaccount:${"a:".repeat(n)}`),
  "If-None-Match: tags": (n) => get("/openapi/v3", [["If-None-Match", '"a", '.repeat(n)]]),
  "If-None-Match: blanks": (n) => get("/openapi/v2", [["If-None-Match", `"a"${" ".repeat(n)}x`]]),
  "Origin: a long name": (n) => header("Origin", `https://${"a.".repeat(n)}com`),
  "User-Agent: a long name": (n) => header("User-Agent", "kubectl/".repeat(n)),
  "Audit-Id: a long name": (n) => header("Audit-Id", "a".repeat(n)),
  "Sec-WebSocket-Protocol: protocols": (n) =>
    get(`${api}?watch=true`, [
      ["Connection", "Upgrade"],
      ["Upgrade", "websocket"],
      ["Sec-WebSocket-Protocol", `${"base64.binary.k8s.io, ".repeat(n)}x`],
    ]),
  "many headers": (n) =>
    get(
      api,
      times(n, (i) => [`X-H${i}`, "v"] as const),
    ),
});

function base64(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll("=", "");
}
